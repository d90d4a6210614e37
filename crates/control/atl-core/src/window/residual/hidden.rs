//! Losses while jitter hides the queue: if the sender sends less, a queue's go, and a link's stay.

use super::rounds::Round;
use crate::time::{Span, Time};

/// Losses that dips should have had, before they are judged.
const EXPECTED: f64 = 10.0;
/// They are a queue's if so small a share of them came: of ten one, by chance once in 2000 times.
const GONE: f64 = 0.1;
/// Seconds for which hidden losses are a queue's after that; doubled each time, so often.
const HELD: f64 = 30.0;
const MOST_DOUBLED: u32 = 3;

/// Losses while jitter hides the queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hidden {
    /// Runs of losses, and packets, in dips and outside of them.
    inside: (f64, f64),
    outside: (f64, f64),
    looked: Time,
    until: Time,
    times: u32,
    /// They are taken for a queue's.
    pub(super) held: bool,
}

impl Hidden {
    pub(super) const fn new() -> Self {
        Hidden {
            inside: (0.0, 0.0),
            outside: (0.0, 0.0),
            looked: Time::ZERO,
            until: Time::ZERO,
            times: 0,
            held: false,
        }
    }

    /// A round is over whose losses are of its own window.
    pub(super) fn on_round(&mut self, now: Time, round: &Round, dips: bool) {
        self.held &= now < self.until;
        let sum = if dips { &mut self.inside } else { &mut self.outside };
        *sum = (sum.0 + round.runs, sum.1 + round.judged());
    }

    /// True if the sender should look which losses go with its own packets.
    pub(super) fn is_due(&mut self, now: Time, secs: f64) -> bool {
        let due = self.outside.0 > 0.0 && !self.held && now.since(self.looked).secs() >= secs;
        if due {
            self.looked = now;
            // Those of long ago may have been of another window.
            self.outside = (0.5 * self.outside.0, 0.5 * self.outside.1);
        }
        due
    }

    /// True if they do; then they are taken for a queue's for a while. More than a share of `most`
    /// was not hidden.
    pub(super) fn judge(&mut self, now: Time, most: f64) -> bool {
        let expected = (self.outside.0 / self.outside.1.max(1.0)).min(most) * self.inside.1;
        if expected < EXPECTED {
            return false;
        }
        let gone = self.inside.0 <= GONE * expected;
        (self.inside, self.outside) = ((0.0, 0.0), (0.0, 0.0));
        if gone {
            let secs = HELD * f64::from(1u32 << self.times.min(MOST_DOUBLED));
            self.until = now.saturating_add(Span::from_secs_f64(secs));
            self.times = self.times.saturating_add(1);
            self.held = true;
        }
        gone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(runs: f64, packets: f64) -> Round {
        Round { delivered: packets - runs, lost: runs, runs, ..Round::NONE }
    }

    /// A flow that loses 1 % of 1000 packets between dips of 200, of which it loses `inside`.
    fn after(dips: usize, inside: f64) -> (Hidden, Option<usize>) {
        let mut hidden = Hidden::new();
        for dip in 0..dips {
            let now = Time::from_millis(1000 * dip as u64);
            hidden.on_round(now, &round(10.0, 1000.0), false);
            hidden.on_round(now, &round(inside, 200.0), true);
            if hidden.judge(now, 0.02) {
                return (hidden, Some(dip));
            }
        }
        (hidden, None)
    }

    #[test]
    fn losses_that_go_with_its_own_packets_are_a_queues_for_a_while() {
        // Five dips of 200 should have had ten.
        let (mut hidden, dip) = after(9, 0.0);
        assert_eq!(dip, Some(4));
        assert!(hidden.held && !hidden.is_due(Time::from_millis(9000), 1.0));
        hidden.on_round(Time::from_millis(33_999), &round(1.0, 9.0), false);
        assert!(hidden.held, "for 30 s");
        hidden.on_round(Time::from_millis(34_000), &round(1.0, 9.0), false);
        assert!(!hidden.held && hidden.is_due(Time::from_millis(34_000), 1.0));
        assert!(!hidden.is_due(Time::from_millis(34_999), 1.0), "a second ago it looked");
    }

    #[test]
    fn losses_that_stay_are_the_links() {
        for inside in [0.4, 2.0, 5.0] {
            assert_eq!(after(90, inside).1, None, "{inside} of 200");
        }
        // One of ten is a tenth.
        assert_eq!(after(9, 0.2).1, Some(4));
    }

    #[test]
    fn of_more_losses_than_are_ever_ignored_only_those_count() {
        let mut hidden = Hidden::new();
        hidden.on_round(Time::ZERO, &round(500.0, 1000.0), false);
        hidden.on_round(Time::ZERO, &round(0.0, 499.0), true);
        assert!(!hidden.judge(Time::ZERO, 0.02), "2 % of 499 are less than ten");
        hidden.on_round(Time::ZERO, &round(0.0, 1.0), true);
        assert!(hidden.judge(Time::ZERO, 0.02));
    }

    #[test]
    fn each_time_it_is_for_twice_as_long_up_to_four_minutes() {
        let mut hidden = Hidden::new();
        for secs in [30.0, 60.0, 120.0, 240.0, 240.0] {
            hidden.on_round(Time::ZERO, &round(20.0, 1000.0), false);
            hidden.on_round(Time::ZERO, &round(0.0, 1000.0), true);
            assert!(hidden.judge(Time::ZERO, 0.02));
            assert_eq!(hidden.until, Time::ZERO.saturating_add(Span::from_secs_f64(secs)));
        }
    }
}
