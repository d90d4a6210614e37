//! The bottleneck's rate from pairs of probe packets that leave back to back.

use crate::time::{Span, Time};
use crate::window::ProbeAck;

/// Reports that an estimate outlives.
const KEPT: usize = 8;

/// Packet pairs: the bottleneck serves two packets that reach it together one after the other, and the time that
/// it needs for one then separates them.
///
/// What else is in the queue can only part them further, so the largest estimate of the last [`KEPT`] reports
/// counts. ACKs that close up on their way back make one too large; for LDA+ that is the harmless side.
#[derive(Clone, Debug)]
pub(super) struct PacketPairs {
    /// Probes that have left; an even one is the first of its pair.
    sent: u64,
    /// Probes of the pair that is due.
    due: u8,
    /// When the first of a pair was acknowledged, and its number.
    first: Option<(u64, Time)>,
    /// The largest estimate since the last report, in packets per second.
    fresh: Option<f64>,
    /// Those of the last reports.
    kept: [Option<f64>; KEPT],
    at: usize,
}

impl PacketPairs {
    pub fn new() -> Self {
        PacketPairs { sent: 0, due: 0, first: None, fresh: None, kept: [None; KEPT], at: 0 }
    }

    /// A pair is to leave.
    pub fn send(&mut self) {
        self.due = 2 + self.due % 2;
    }

    /// True if a probe is to leave now.
    pub fn poll(&mut self) -> bool {
        if self.due == 0 {
            return false;
        }
        self.due -= 1;
        self.sent += 1;
        true
    }

    /// A probe was acknowledged. Half a pair, and numbers that never left, tell nothing.
    pub fn on_ack(&mut self, ack: &ProbeAck) {
        if ack.number >= self.sent {
            return;
        }
        if ack.number.is_multiple_of(2) {
            self.first = Some((ack.number, ack.now));
        } else if let Some((number, then)) = self.first.take()
            && number + 1 == ack.number
        {
            let apart: Span = ack.now.since(then);
            if !apart.is_zero() {
                let estimate = 1.0 / apart.secs();
                self.fresh = Some(self.fresh.map_or(estimate, |e| e.max(estimate)));
            }
        }
    }

    /// A report came: what was found since the one before is kept for the next [`KEPT`].
    pub fn on_report(&mut self) {
        self.kept[self.at] = self.fresh.take();
        self.at = (self.at + 1) % KEPT;
    }

    /// The path is another one.
    pub fn forget(&mut self) {
        (self.first, self.fresh, self.kept) = (None, None, [None; KEPT]);
    }

    /// The bottleneck's rate in packets per second.
    pub fn estimate(&self) -> Option<f64> {
        self.kept.iter().copied().chain([self.fresh]).flatten().reduce(f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ack(number: u64, ms: u64) -> ProbeAck {
        ProbeAck { now: Time::from_millis(ms), number, rtt: Span::from_millis(100) }
    }

    fn pair(pairs: &mut PacketPairs) {
        pairs.send();
        assert!(pairs.poll() && pairs.poll() && !pairs.poll());
    }

    #[test]
    fn the_spacing_of_a_pair_is_the_bottlenecks_time_for_a_packet() {
        let mut pairs = PacketPairs::new();
        pair(&mut pairs);
        pairs.on_ack(&ack(0, 100));
        pairs.on_ack(&ack(1, 104));
        assert_eq!(pairs.estimate(), Some(250.0));
        // Cross traffic parted the next one; the first still counts.
        pair(&mut pairs);
        pairs.on_ack(&ack(2, 200));
        pairs.on_ack(&ack(3, 210));
        assert_eq!(pairs.estimate(), Some(250.0));
    }

    #[test]
    fn half_a_pair_and_two_halves_tell_nothing() {
        let mut pairs = PacketPairs::new();
        pair(&mut pairs);
        pair(&mut pairs);
        pairs.on_ack(&ack(1, 100));
        pairs.on_ack(&ack(2, 101));
        assert_eq!(pairs.estimate(), None);
        pairs.on_ack(&ack(0, 102));
        pairs.on_ack(&ack(3, 103));
        pairs.on_ack(&ack(9, 104));
        assert_eq!(pairs.estimate(), None);
        // Both at once: no time to divide by.
        pairs.on_ack(&ack(2, 105));
        pairs.on_ack(&ack(3, 105));
        assert_eq!(pairs.estimate(), None);
    }

    #[test]
    fn an_estimate_is_forgotten_after_eight_reports() {
        let mut pairs = PacketPairs::new();
        pair(&mut pairs);
        pairs.on_ack(&ack(0, 100));
        pairs.on_ack(&ack(1, 101));
        for _ in 0..KEPT {
            pairs.on_report();
            assert_eq!(pairs.estimate(), Some(1000.0));
        }
        pairs.on_report();
        assert_eq!(pairs.estimate(), None);
    }
}
