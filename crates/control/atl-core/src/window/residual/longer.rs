//! A path that has become longer without a word, or whose least round-trip time was measured
//! wrongly: the first ACKs of a new path may come back over the old one.
//!
//! A queue of the sender's own leaves with its packets. A delay that stays as it is while less and
//! less is in flight is the path's, or that of a queue which others hold. Theirs varies: of two
//! looks the first may begin before the path changes, but in the second no round may differ from
//! another.

/// Packets in flight at the end of a look, as a share of those at its beginning.
const LOOK: f64 = 0.75;
/// The share of the queue that should have left with them, from which on it has moved.
const MOVED: f64 = 0.5;
/// Looks in a row at which it has not.
const LOOKS: u32 = 2;
/// The larger of these is no difference between round-trip times: seconds, and a share of the
/// least one.
const SAME_SECS: f64 = 0.000_25;
const SAME_SHARE: f64 = 0.005;

/// The share of the least round-trip time by which a path is longer at least.
pub(super) const LONGER: f64 = 0.25;

/// A round behind a queue: its least round-trip time and the queue in seconds, packets per second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Behind {
    pub(super) rtt: f64,
    pub(super) queue: f64,
    pub(super) rate: f64,
    /// All that it lost is explained.
    pub(super) clean: bool,
}

impl Behind {
    fn packets(&self) -> f64 {
        self.rate * self.rtt
    }
}

/// Looks at the queue while the sender has less and less in flight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Looks {
    from: Option<Behind>,
    /// All rounds of the look under way had the same round-trip time.
    alike: bool,
    /// Looks in a row at which the queue had not moved.
    vain: u32,
}

impl Looks {
    pub(super) const fn new() -> Self {
        Looks { from: None, alike: true, vain: 0 }
    }

    /// Takes in a round on a path whose least round-trip time is `base` seconds, as far as is
    /// known. True if it has become longer.
    pub(super) fn on_round(&mut self, round: Behind, base: f64) -> bool {
        let Some(from) = self.from.filter(|from| round.packets() < from.packets()) else {
            self.from = Some(round);
            return false;
        };
        let same = SAME_SECS.max(SAME_SHARE * base);
        self.alike &= round.clean && (round.rtt - from.rtt).abs() <= same;
        if round.packets() > LOOK * from.packets() {
            return false;
        }
        self.from = Some(round);
        let taken = (from.packets() - round.packets()) / from.rate.max(1.0);
        let moved = from.queue - round.queue >= MOVED * taken;
        self.vain = if moved { 0 } else { self.vain + 1 };
        let alike = core::mem::replace(&mut self.alike, true);
        self.vain >= LOOKS && alike && round.queue > LONGER * base
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounds on a path of 100 ms: round-trip time in ms, packets in flight.
    fn longer(rounds: &[(f64, f64)]) -> bool {
        let mut looks = Looks::new();
        let mut shown = false;
        for (ms, packets) in rounds {
            let rtt = 1e-3 * ms;
            let behind = Behind { rtt, queue: rtt - 0.1, rate: packets / rtt, clean: true };
            shown = looks.on_round(behind, 0.1);
        }
        shown
    }

    #[test]
    fn a_delay_that_two_looks_do_not_change_is_the_paths() {
        assert!(longer(&[(130.0, 100.0), (130.0, 75.0), (130.4, 56.0)]));
        // Too little less in flight, too small a delay, one look.
        assert!(!longer(&[(130.0, 100.0), (130.0, 76.0), (130.4, 57.1)]));
        assert!(!longer(&[(124.9, 100.0), (124.9, 75.0), (124.9, 56.0)]));
        assert!(!longer(&[(130.0, 100.0), (130.0, 75.0)]));
        // Windows that have grown begin a look anew, and void none.
        assert!(longer(&[(130.0, 100.0), (130.0, 75.0), (130.0, 90.0), (130.0, 67.0)]));
    }

    #[test]
    fn only_the_second_look_has_to_be_the_same_throughout() {
        assert!(longer(&[(180.0, 100.0), (150.0, 50.0), (150.0, 37.0)]));
        assert!(!longer(&[(130.0, 100.0), (130.0, 75.0), (130.6, 56.0)]));
        assert!(!longer(&[(130.0, 100.0), (130.0, 75.0), (129.4, 70.0), (130.0, 56.0)]));
    }

    /// A quarter of the packets less shorten a queue of the sender's own by a quarter of 200 ms.
    #[test]
    fn a_queue_that_moves_by_half_of_what_it_should_is_the_senders() {
        assert!(!longer(&[(200.0, 100.0), (174.9, 75.0), (174.9, 56.0)]));
        assert!(longer(&[(200.0, 100.0), (175.1, 75.0), (175.1, 56.0)]));
    }

    #[test]
    fn losses_that_nothing_explains_are_a_queues() {
        let mut looks = Looks::new();
        let behind = |packets, clean| Behind { rtt: 0.13, queue: 0.03, rate: packets, clean };
        assert!(!looks.on_round(behind(1000.0, true), 0.1));
        assert!(!looks.on_round(behind(740.0, true), 0.1));
        assert!(!looks.on_round(behind(550.0, false), 0.1));
        assert!(looks.on_round(behind(410.0, true), 0.1));
    }
}
