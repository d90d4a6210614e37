//! The way from a small window beside others to one's share: the window doubles in a round, as that
//! of any sender that starts, up to what the others have.
//!
//! Packets more on a path that is full make its round-trip time longer, at the rate at which it is
//! served, whoever has how much of it. The rise that one's own packets have made thus tells how
//! many were there before, which the own rate does not: others may have come first.

/// Packets more in flight that show, as a share of those at the beginning.
const SHOWS: f64 = 0.5;

/// A climb under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Climb {
    /// Packets in flight and the round-trip time in seconds at its beginning.
    packets: f64,
    rtt: f64,
    /// Packets in flight at the end of the last round.
    last: f64,
    /// Packets that the others have in flight, as far as it has shown.
    pub(super) others: Option<f64>,
}

impl Climb {
    pub(super) const fn new(packets: f64, rtt: f64) -> Self {
        Climb { packets, rtt, last: packets, others: None }
    }

    /// A round is over, with `in_flight` packets left, whose last one took `rtt` seconds; `noise`
    /// of them say nothing. If others send more meanwhile, they seem to have less.
    pub(super) fn on_round(&mut self, in_flight: f64, rtt: f64, noise: f64) {
        // The packet that arrives now left when those of the last round's end were in flight.
        let more = core::mem::replace(&mut self.last, in_flight) - self.packets;
        if more >= SHOWS * self.packets {
            let served = more / (rtt - self.rtt).max(noise);
            self.others = Some((served * self.rtt - self.packets).max(0.0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path of 100 ms that serves 1000 packets a second, on which others have 140 of 150.
    fn climb() -> Climb {
        let mut climb = Climb::new(10.0, 0.15);
        climb.on_round(20.0, 0.15, 0.001);
        assert!(climb.others.is_none(), "its packets have not arrived yet");
        climb
    }

    #[track_caller]
    fn others(climb: &Climb, packets: f64) {
        let found = climb.others.expect("it shows");
        assert!((found - packets).abs() < 1e-6, "{found}");
    }

    #[test]
    fn what_the_own_packets_add_tells_what_others_have() {
        let mut climb = climb();
        climb.on_round(40.0, 0.16, 0.001);
        others(&climb, 140.0);
        climb.on_round(80.0, 0.18, 0.001);
        others(&climb, 140.0);
    }

    #[test]
    fn others_that_grow_seem_to_have_less() {
        let mut climb = climb();
        climb.on_round(40.0, 0.165, 0.001);
        others(&climb, 90.0);
    }

    /// 20 packets more, at 1000 a second and at most 2000.
    #[test]
    fn a_rise_within_what_says_nothing_counts_as_that() {
        for (rtt, packets) in [(0.151, 290.0), (0.14, 290.0), (0.16, 290.0), (0.17, 140.0)] {
            let mut climb = Climb::new(10.0, 0.15);
            climb.on_round(30.0, 0.15, 0.001);
            climb.on_round(60.0, rtt, 0.01);
            others(&climb, packets);
        }
    }

    #[test]
    fn few_packets_more_show_nothing() {
        let mut climb = Climb::new(10.0, 0.15);
        climb.on_round(14.9, 0.15, 0.001);
        climb.on_round(15.0, 0.154_9, 0.001);
        assert!(climb.others.is_none());
        climb.on_round(15.0, 0.155, 0.001);
        others(&climb, 140.0);
    }
}
