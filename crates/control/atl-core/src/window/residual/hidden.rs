//! Losses while jitter hides the queue: if the sender sends less, a queue's go, and a link's stay.

use super::rounds::Round;
use crate::time::{Span, Time};

/// Losses that dips should have had, before they are judged.
const EXPECTED: f64 = 6.0;
/// They are a queue's if so small a share of them came: of six none, by chance once in 400 times.
const GONE: f64 = 0.1;
/// Seconds for which hidden losses are a queue's after that; doubled each time, so often.
const HELD: f64 = 30.0;
const MOST_DOUBLED: u32 = 3;

/// Losses while jitter hides the queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hidden {
    /// Runs of losses, and packets, in dips.
    runs: f64,
    packets: f64,
    looked: Time,
    until: Time,
    times: u32,
    /// They are taken for a queue's.
    pub(super) held: bool,
}

impl Hidden {
    pub(super) const fn new() -> Self {
        Hidden {
            runs: 0.0,
            packets: 0.0,
            looked: Time::ZERO,
            until: Time::ZERO,
            times: 0,
            held: false,
        }
    }

    /// True if the sender should look again which losses go with its own packets.
    pub(super) fn is_due(&mut self, now: Time, secs: f64) -> bool {
        self.held &= now < self.until;
        // Twice as often as long as none has come in a dip.
        let secs = if self.runs > 0.0 { secs } else { 0.5 * secs };
        let due = !self.held && now.since(self.looked).secs() >= secs;
        if due {
            self.looked = now;
        }
        due
    }

    /// The round of a dip is over, where losses of a share of `p` are taken for the link's. True if
    /// too few came in dips for that; then they are taken for a queue's for a while.
    pub(super) fn on_dip(&mut self, now: Time, round: &Round, p: f64) -> bool {
        self.runs += round.runs;
        self.packets += round.judged();
        let expected = p * self.packets;
        if expected < EXPECTED {
            return false;
        }
        let gone = self.runs <= GONE * expected;
        (self.runs, self.packets) = (0.0, 0.0);
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

    /// Dips of 200 packets that lose `runs`, where 1 % is taken for the link's: the first that
    /// tells that it is a queue's.
    fn after(dips: u64, runs: f64) -> (Hidden, Option<u64>) {
        let mut hidden = Hidden::new();
        let gone =
            |dip: &u64| hidden.on_dip(Time::from_millis(1000 * dip), &round(runs, 200.0), 0.01);
        let dip = (0..dips).find(gone);
        (hidden, dip)
    }

    #[test]
    fn losses_that_go_with_its_own_packets_are_a_queues_for_a_while() {
        // Three dips of 200 should have had six.
        let (mut hidden, dip) = after(9, 0.0);
        assert_eq!(dip, Some(2));
        assert!(hidden.held && !hidden.is_due(Time::from_millis(31_999), 1.0), "for 30 s");
        assert!(hidden.is_due(Time::from_millis(32_000), 1.0) && !hidden.held);
        let looks = |hidden: &mut Hidden, ms| hidden.is_due(Time::from_millis(ms), 1.0);
        assert!(!looks(&mut hidden, 32_499), "twice as often");
        assert!(looks(&mut hidden, 32_500));
        assert!(!hidden.on_dip(Time::from_millis(32_600), &round(1.0, 9.0), 0.01));
        assert!(!looks(&mut hidden, 33_499), "but for losses in a dip");
        assert!(looks(&mut hidden, 33_500));
    }

    #[test]
    fn losses_that_stay_are_the_links() {
        for runs in [0.3, 2.0, 5.0] {
            let (hidden, dip) = after(90, runs);
            assert!(dip.is_none() && !hidden.held, "{runs} of 200");
        }
        assert_eq!(after(9, 0.2).1, Some(2), "a tenth");
    }

    #[test]
    fn each_time_it_is_for_twice_as_long_up_to_four_minutes() {
        let mut hidden = Hidden::new();
        for secs in [30.0, 60.0, 120.0, 240.0, 240.0] {
            assert!(hidden.on_dip(Time::ZERO, &round(0.0, 500.0), 0.02));
            assert_eq!(hidden.until, Time::ZERO.saturating_add(Span::from_secs_f64(secs)));
        }
    }
}
