//! A rate over time as moments at which a packet of 1500 bytes could have crossed.

use atl_link::trace::OPPORTUNITY_BYTES;
use atl_scenario::LONGEST_TRACE;

use super::curve::{Curve, beyond};
use super::problem::Problem;
use super::span::seconds;

const NANOS_PER_MILLI: u64 = 1_000_000;
/// A packet, in units of a nanosecond at one bit per second.
const PACKET: u128 = OPPORTUNITY_BYTES as u128 * 8 * 1_000_000_000;

/// Collects opportunities, as long as a trace may have them.
pub(super) struct Opportunities {
    at: Vec<u32>,
    /// Bytes of its text.
    bytes: u64,
}

impl Opportunities {
    pub(super) fn new() -> Opportunities {
        Opportunities { at: Vec::new(), bytes: 0 }
    }

    /// Adds one at a time in nanoseconds, rounded up to a millisecond: not before all of its bytes
    /// could have crossed.
    ///
    /// # Errors
    /// If the trace becomes too long, or its times do not fit.
    pub(super) fn push(&mut self, nanos: u64) -> Result<(), Problem> {
        let millis = nanos.div_ceil(NANOS_PER_MILLI);
        let Ok(at) = u32::try_from(millis) else {
            let message = "the trace would last longer than 49 days: take a part of it with --begin \
                           and --duration";
            return Err(Problem::whole(message));
        };
        self.bytes += u64::from(at.checked_ilog10().unwrap_or(0)) + 2;
        if self.bytes > LONGEST_TRACE {
            return Err(too_long(nanos));
        }
        self.at.push(at);
        Ok(())
    }

    /// The opportunities of a recording that ends then. Its period is the time of its last
    /// opportunity, so that one stands at its end in any case, and is one packet more at most.
    pub(super) fn ending(mut self, nanos: u64) -> Result<Vec<u32>, Problem> {
        let end = nanos.div_ceil(NANOS_PER_MILLI);
        if self.at.last().is_none_or(|&last| u64::from(last) < end) {
            self.push(nanos)?;
        }
        Ok(self.at)
    }
}

pub(super) fn too_long(nanos: u64) -> Problem {
    Problem::whole(format!(
        "its first {} fill a trace already, which has {} MiB at most: take a part of it with \
         --begin and --duration",
        seconds(nanos),
        LONGEST_TRACE >> 20
    ))
}

/// The opportunities of a link that has this rate.
///
/// # Errors
/// If it carries nothing, or the trace would be too long.
pub(super) fn of(curve: &Curve) -> Result<Vec<u32>, Problem> {
    if curve.steps.iter().all(|step| step.value == 0) {
        return Err(Problem::whole(
            "the rate is 0 from beginning to end: a trace needs one opportunity at least",
        ));
    }
    let mut opportunities = Opportunities::new();
    // Carried, but not yet a whole packet; below one.
    let mut credit: u128 = 0;
    let mut begin: u64 = 0;
    for step in &curve.steps {
        let rate = u128::from(step.value);
        let all = credit + rate * u128::from(step.nanos);
        for packet in 1..=all / PACKET {
            // At least 1, since credit is below a packet, so the rate is not 0.
            let nanos = (packet * PACKET - credit).div_ceil(rate);
            opportunities.push(begin.saturating_add(nanos as u64))?;
        }
        credit = all % PACKET;
        begin = begin.saturating_add(step.nanos);
    }
    opportunities.ending(begin)
}

/// The part of a trace that begins after `begin` nanoseconds and lasts for `duration` at most.
///
/// # Errors
/// If the trace ends before it begins.
pub(super) fn cut(at: &[u32], begin: u64, duration: Option<u64>) -> Result<Vec<u32>, Problem> {
    let whole = at.last().map_or(0, |&last| u64::from(last) * NANOS_PER_MILLI);
    if begin >= whole {
        return Err(beyond(begin, whole));
    }
    let begin_ms = begin / NANOS_PER_MILLI;
    let end_ms =
        duration.map_or(u64::MAX, |nanos| begin_ms.saturating_add(nanos.div_ceil(NANOS_PER_MILLI)));
    let mut kept = Opportunities::new();
    // An opportunity at the very beginning is that of the end before it, but for the first.
    let within = |ms: u64| ms <= end_ms && (ms > begin_ms || begin_ms == 0);
    for ms in at.iter().map(|&at| u64::from(at)).filter(|&ms| within(ms)) {
        kept.push((ms - begin_ms) * NANOS_PER_MILLI)?;
    }
    kept.ending((end_ms.min(whole / NANOS_PER_MILLI) - begin_ms) * NANOS_PER_MILLI)
}

/// The trace as a file has it.
pub(super) fn text(at: &[u32]) -> String {
    let mut text = String::with_capacity(at.len() * 6);
    for ms in at {
        text.push_str(&ms.to_string());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::curve::{Curve, Step};
    use super::{cut, of};

    const MILLI: u64 = 1_000_000;

    fn curve(steps: &[(u64, u64)]) -> Curve {
        let steps = steps.iter().map(|&(nanos, value)| Step { nanos, value }).collect();
        Curve { steps, ..Curve::default() }
    }

    #[test]
    fn worked_values() {
        // 12 Mb/s are a packet each millisecond.
        assert_eq!(of(&curve(&[(4 * MILLI, 12_000_000)])), Ok(vec![1, 2, 3, 4]));
        // 24 Mb/s are two, the first of them in the middle.
        assert_eq!(of(&curve(&[(2 * MILLI, 24_000_000)])), Ok(vec![1, 1, 2, 2]));
        // 5 Mb/s are one each 2.4 ms; what is left at the end is no packet.
        assert_eq!(of(&curve(&[(10 * MILLI, 5_000_000)])), Ok(vec![3, 5, 8, 10]));
        // Half a packet, silence, half a packet, and the end of the trace.
        let rates = [(MILLI, 6_000_000), (10 * MILLI, 0), (MILLI, 6_000_000), (3 * MILLI, 0)];
        assert_eq!(of(&curve(&rates)), Ok(vec![12, 15]));
        assert!(of(&curve(&[(MILLI, 0)])).is_err());
    }

    #[test]
    fn too_much_is_refused_before_it_fills_the_memory() {
        let error = of(&curve(&[(u64::MAX, u64::MAX)])).expect_err("too long");
        assert!(error.to_string().contains("64 MiB"), "{error}");
        let error = of(&curve(&[(u64::MAX, 1)])).expect_err("too long");
        assert!(error.to_string().contains("49 days"), "{error}");
    }

    #[test]
    fn a_part_has_a_period_of_its_own() {
        let at = [0, 3, 5, 5, 9, 20];
        assert_eq!(cut(&at, 0, None), Ok(at.to_vec()));
        assert_eq!(cut(&at, 0, Some(5 * MILLI)), Ok(vec![0, 3, 5, 5]));
        assert_eq!(cut(&at, 3 * MILLI, Some(10 * MILLI)), Ok(vec![2, 2, 6, 10]));
        assert!(cut(&at, 20 * MILLI, None).is_err());
    }

    proptest! {
        #[test]
        fn at_no_time_more_has_crossed_than_could_and_no_packet_is_late(
            steps in proptest::collection::vec((1..50 * MILLI, 0..200_000_000_u64), 1..20),
        ) {
            let curve = curve(&steps);
            prop_assume!(steps.iter().any(|&(_, rate)| rate > 0));
            let at = of(&curve).expect("short");
            let end = curve.nanos().div_ceil(MILLI);
            prop_assert_eq!(u64::from(*at.last().expect("one")), end);
            // Bits times 10^9 that could cross until then.
            let until = |ms: u64| {
                let mut left = ms * MILLI;
                steps.iter().map(|&(nanos, rate)| {
                    let nanos = nanos.min(left);
                    left -= nanos;
                    u128::from(nanos) * u128::from(rate)
                }).sum::<u128>()
            };
            for ms in 0..end {
                let could = until(ms) / super::PACKET;
                let crossed = at.iter().filter(|&&at| u64::from(at) <= ms).count() as u128;
                prop_assert_eq!(crossed, could, "at {} ms", ms);
            }
            let could = until(end) / super::PACKET;
            prop_assert!((could..=could + 1).contains(&(at.len() as u128)));
        }
    }
}
