//! The capacity of a path in a round trip: RFC 9959, sec. 3.1 and 4.1.

use super::Saved;
use crate::time::{Span, Time};
use crate::window::Ack;

/// Round trips of which the best counts. Within this many, a Reno window swings between half and
/// all of the path's capacity only on short paths. On longer ones the saved window is a part of it,
/// the smaller the longer the path, which errs on the careful side.
const ROUNDS: usize = 8;

/// Measures the packets acknowledged in each of the last round trips in which the window limited
/// the sender. The RFC leaves the measure open and names this one; the window itself may exceed the
/// path's capacity, as after slow start.
#[derive(Clone, Debug, Default)]
pub(super) struct Observer {
    /// The round trip ends when this transmission, or a later one, is acknowledged.
    until: u64,
    next_tx: u64,
    delivered: u32,
    limited: bool,
    rounds: [u32; ROUNDS],
    /// Index of the next round trip.
    at: usize,
    rtt_min: Span,
    /// Time at which the last round trip that counts was over.
    last: Time,
}

impl Observer {
    pub(super) fn on_sent(&mut self, tx: u64) {
        self.next_tx = tx.saturating_add(1);
    }

    pub(super) fn on_ack(&mut self, ack: &Ack) {
        self.rtt_min = ack.rtt_min;
        self.delivered = self.delivered.saturating_add(ack.delivered);
        if ack.newest.is_none_or(|(tx, _)| tx < self.until) {
            self.limited |= ack.window_limited;
            return;
        }
        // A sender that its application limits uses less than the path's capacity.
        if self.limited {
            self.rounds[self.at] = self.delivered;
            self.at = (self.at + 1) % ROUNDS;
            self.last = ack.now;
        }
        self.until = self.next_tx;
        self.delivered = 0;
        // This ACK answers a packet of the round trip that begins.
        self.limited = ack.window_limited;
    }

    /// The state to save. None for windows below four initial ones, which would not be worth it
    /// (sec. 3.1).
    pub(super) fn saved(&self, packet_bytes: u32, initial_window: f64) -> Option<Saved> {
        let most = self.rounds.iter().copied().max().unwrap_or(0);
        if f64::from(most) < 4.0 * initial_window || self.rtt_min.is_zero() {
            return None;
        }
        let cwnd_bytes = u64::from(most) * u64::from(packet_bytes);
        Some(Saved { cwnd_bytes, rtt: self.rtt_min, at: self.last })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A round trip: `packets` leave, then each is acknowledged.
    fn round(observer: &mut Observer, packets: u64, limited: bool) {
        let first = observer.next_tx;
        (first..first + packets).for_each(|tx| observer.on_sent(tx));
        for tx in first..first + packets {
            let ack = Ack::new(Time::ZERO)
                .delivered(1)
                .newest(Some((tx, Time::ZERO)))
                .rtt_min(Span::from_millis(30))
                .window_limited(limited);
            observer.on_ack(&ack);
        }
    }

    fn packets(observer: &Observer) -> Option<u64> {
        observer.saved(1000, 10.0).map(|saved| saved.cwnd_bytes / 1000)
    }

    #[test]
    fn the_best_of_the_last_round_trips_counts() {
        let mut observer = Observer::default();
        assert_eq!(packets(&observer), None);
        // The ACK of a round's first packet ends the round before, and belongs to it.
        [20, 60, 50].into_iter().for_each(|n| round(&mut observer, n, true));
        assert_eq!(packets(&observer), Some(60), "the last one is not over");
        (0..8).for_each(|_| round(&mut observer, 45, true));
        assert_eq!(packets(&observer), Some(50));
        round(&mut observer, 45, true);
        assert_eq!(packets(&observer), Some(45));
        assert_eq!(observer.saved(1000, 10.0).map(|saved| saved.rtt), Some(Span::from_millis(30)));
    }

    #[test]
    fn small_windows_and_what_the_application_limits_are_not_saved() {
        let mut observer = Observer::default();
        (0..5).for_each(|_| round(&mut observer, 39, true));
        assert_eq!(packets(&observer), None);
        (0..5).for_each(|_| round(&mut observer, 80, false));
        assert_eq!(packets(&observer), None);
        (0..3).for_each(|_| round(&mut observer, 40, true));
        assert_eq!(packets(&observer), Some(40));
    }
}
