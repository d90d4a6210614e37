//! Waiting on time with calls that come back late.

use std::time::Duration;

/// The length of a nap. Systems make it longer, by 0.05 to 0.5 ms.
const NAP: Duration = Duration::from_micros(100);

/// The way in which a system's call for events keeps its timeout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Timeout {
    /// To the nanosecond, as `kqueue`.
    Exact,
    /// In whole milliseconds, and late by up to this many more.
    Milliseconds(u64),
}

/// That of this system: `kqueue`; completion ports, which look at the clock 64 times a second; or
/// `epoll`.
const TIMEOUT: Timeout = if cfg!(windows) {
    Timeout::Milliseconds(16)
} else if cfg!(any(target_os = "linux", target_os = "android")) {
    Timeout::Milliseconds(0)
} else {
    Timeout::Exact
};

/// A part of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A call with this timeout, which ends the wait.
    Last(Duration),
    /// A call with this timeout, and another step.
    Call(Duration),
    /// A look without a timeout, a nap if no socket was ready, and another step.
    Nap(Duration),
}

/// The next step of a wait that is to last this long.
pub(super) fn step(left: Duration) -> Step {
    step_of(TIMEOUT, left)
}

fn step_of(timeout: Timeout, left: Duration) -> Step {
    let late = match timeout {
        Timeout::Milliseconds(late) if !left.is_zero() => Duration::from_millis(late),
        _ => return Step::Last(left),
    };
    match left.saturating_sub(late).as_millis() as u64 {
        0 => Step::Nap(left.min(NAP)),
        sure => Step::Call(Duration::from_millis(sure)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    /// The steps of a wait whose calls and naps last just as long as they say.
    fn steps(timeout: Timeout, mut left: Duration) -> Vec<Step> {
        let mut steps = Vec::new();
        loop {
            let step = step_of(timeout, left);
            steps.push(step);
            left = match step {
                Step::Last(_) => return steps,
                Step::Call(lasts) | Step::Nap(lasts) => left.saturating_sub(lasts),
            };
        }
    }

    fn sum(steps: &[Step], which: fn(&Step) -> Option<Duration>) -> Duration {
        steps.iter().filter_map(which).sum()
    }

    #[test]
    fn an_exact_call_is_all() {
        let left = Duration::from_nanos(1_234_567);
        assert_eq!(steps(Timeout::Exact, left), [Step::Last(left)]);
    }

    #[test]
    fn a_late_call_ends_in_time_and_naps_fill_the_rest() {
        for late in [0, 16] {
            for left in [Duration::ZERO, MS / 2, MS * 5 / 2, MS * 50] {
                let steps = steps(Timeout::Milliseconds(late), left);
                let called = sum(&steps, |step| match step {
                    Step::Last(lasts) | Step::Call(lasts) => Some(*lasts),
                    Step::Nap(_) => None,
                });
                let napped = sum(&steps, |step| match step {
                    Step::Nap(lasts) => Some(*lasts),
                    _ => None,
                });
                assert_eq!(called + napped, left);
                assert!(called.is_zero() || called + MS * late as u32 <= left, "{called:?}");
                assert!(napped <= MS * (1 + late as u32), "no nap where a call is on time");
                assert!(steps.iter().all(|step| !matches!(step, Step::Nap(nap) if *nap > NAP)));
            }
        }
    }
}
