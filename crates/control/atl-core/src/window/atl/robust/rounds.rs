//! Measurements of a round trip: its RTTs and its delivery rate.

use crate::time::{Span, Time};

/// Slices of half a round-trip time that the largest rate is taken over.
const RATES: usize = 8;
/// Least packets of a slice: the rate of fewer is that of a burst.
const LEAST_SLICE: u32 = 16;

/// A finished round trip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Round {
    /// Least round-trip time of its packets: the standing queue, without bursts and jitter.
    pub(super) least: Span,
    /// Largest round-trip time of its packets.
    pub(super) largest: Span,
    /// Packets that the path delivered per second, and those that the own wireless link lost after
    /// sending.
    pub(super) rate: f64,
    /// The number of round-trip times measured.
    pub(super) samples: u32,
    /// Its packets left before the window last changed, so that it shows nothing of the window's
    /// effect on the queue.
    pub(super) stale: bool,
}

/// Samples in a row that show a queue before a round trip is over (RFC 9406, N_RTT_SAMPLE).
const BLOCK: u32 = 8;

/// Cuts the acknowledgments into round trips: one ends with the ACK of the first packet sent after
/// the previous one ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rounds {
    until: u64,
    began: Option<Time>,
    carried: u32,
    least: Span,
    largest: Span,
    samples: u32,
    /// The round began before the window or the path changed, and is not judged.
    stale: bool,
    rates: [f64; RATES],
    /// Start of the current slice, and the packets delivered in it.
    slice: (Option<Time>, u32),
    /// Least round-trip time of the current block of samples, and their number.
    block: (Span, u32),
}

impl Rounds {
    pub(super) const fn new() -> Self {
        Rounds {
            until: 0,
            began: None,
            carried: 0,
            least: Span::MAX,
            largest: Span::ZERO,
            samples: 0,
            stale: true,
            rates: [0.0; RATES],
            slice: (None, 0),
            block: (Span::MAX, 0),
        }
    }

    /// The least round-trip time of eight samples in a row, at the last of them.
    pub(super) fn block(&mut self, rtt: Span) -> Option<Span> {
        let (least, samples) = self.block;
        self.block = (least.min(rtt), samples + 1);
        if self.block.1 < BLOCK {
            return None;
        }
        Some(core::mem::replace(&mut self.block, (Span::MAX, 0)).0)
    }

    /// The largest rate of the last rounds, over half a round-trip time, in packets per second;
    /// zero before the first.
    pub(super) fn rate(&self) -> f64 {
        self.rates.iter().copied().fold(0.0, f64::max)
    }

    /// Counts `packets` that the path delivered; `rtt` is the present RTT.
    #[inline]
    fn carry(&mut self, now: Time, packets: u32, rtt: Span) {
        let (began, carried) = self.slice;
        let took = began.map_or(Span::MAX, |began| now.since(began));
        if took < rtt / 2 || carried < LEAST_SLICE && took < rtt {
            self.slice.1 = carried.saturating_add(packets);
            return;
        }
        if began.is_some() && !took.is_zero() {
            self.rates.rotate_right(1);
            self.rates[0] = f64::from(carried.saturating_add(packets)) / took.secs();
        }
        self.slice = (Some(now), 0);
    }

    /// Largest round-trip time of the current round.
    pub(super) fn largest(&self) -> Span {
        self.largest
    }

    /// Notes a change of the window: packets sent so far show nothing of its effect on the queue.
    /// `next` is the next packet.
    pub(super) fn discard(&mut self, now: Time, next: u64) {
        self.begin(now, next);
        self.stale = true;
    }

    fn begin(&mut self, now: Time, next: u64) {
        self.until = next;
        self.began = Some(now);
        self.carried = 0;
        self.least = Span::MAX;
        self.largest = Span::ZERO;
        self.samples = 0;
    }

    /// Forgets all measurements after a change of the path.
    pub(super) fn forget(&mut self, next: u64) {
        *self = Rounds::new();
        self.until = next;
    }

    /// Counts packets that the own link lost after it had sent them.
    pub(super) fn on_link_failures(&mut self, packets: u32) {
        self.carried = self.carried.saturating_add(packets);
        self.slice.1 = self.slice.1.saturating_add(packets);
    }

    /// An ACK for `delivered` packets, the newest of them `newest`, arrived; `next` is the next
    /// packet to send. Returns the round that ended with it.
    #[inline]
    pub(super) fn on_ack(
        &mut self,
        now: Time,
        delivered: u32,
        newest: Option<u64>,
        rtt: Option<Span>,
        srtt: Span,
        next: u64,
    ) -> Option<Round> {
        let ended = newest.is_some_and(|tx| tx >= self.until).then(|| self.end(now, next));
        self.carried = self.carried.saturating_add(delivered);
        if delivered > 0 {
            self.carry(now, delivered, srtt);
        }
        if let Some(rtt) = rtt {
            self.least = self.least.min(rtt);
            self.largest = self.largest.max(rtt);
            self.samples += 1;
        }
        ended.flatten()
    }

    fn end(&mut self, now: Time, next: u64) -> Option<Round> {
        let took = self.began.map(|began| now.since(began)).filter(|took| !took.is_zero());
        let stale = core::mem::take(&mut self.stale);
        let round = took.map(|took| Round {
            stale,
            least: self.least,
            largest: self.largest,
            rate: f64::from(self.carried) / took.secs(),
            samples: self.samples,
        });
        self.begin(now, next);
        round.filter(|round| round.samples > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An ACK of packet `tx` at `at` ms, with 50 packets in flight and 100 ms round trips.
    fn ack(rounds: &mut Rounds, at: u64, tx: u64, rtt: u64) -> Option<Round> {
        let (now, rtt) = (Time::from_millis(at), Span::from_millis(rtt));
        rounds.on_ack(now, 1, Some(tx), Some(rtt), Span::from_millis(100), tx + 50)
    }

    #[test]
    fn a_round_ends_with_the_first_packet_sent_after_the_one_before() {
        let mut rounds = Rounds::new();
        // Two milliseconds a packet: 500 packets/s. The first ACK only begins the count.
        let ended: Vec<_> = (0..200)
            .filter_map(|tx| {
                ack(&mut rounds, 100 + 2 * tx, tx, 100 + tx % 7).map(|round| (tx, round))
            })
            .collect();
        let numbers: Vec<u64> = ended.iter().map(|(tx, _)| *tx).collect();
        assert_eq!(numbers, [50, 100, 150]);
        let round = ended[1].1;
        assert_eq!((round.samples, round.rate), (50, 500.0));
        assert_eq!((round.least, round.largest), (Span::from_millis(100), Span::from_millis(106)));
        assert!(!round.stale);
        assert!((rounds.rate() - 500.0).abs() < 25.0, "{}", rounds.rate());
    }

    #[test]
    fn what_the_own_link_lost_was_carried() {
        let mut rounds = Rounds::new();
        let mut last = None;
        for tx in 0..151 {
            if tx % 10 == 9 {
                rounds.on_link_failures(1);
            } else {
                last = ack(&mut rounds, 100 + 2 * tx, tx, 100).or(last);
            }
        }
        assert_eq!(last.map(|round| round.rate), Some(500.0));
    }

    #[test]
    fn a_discarded_round_is_stale() {
        let mut rounds = Rounds::new();
        for tx in 0..120 {
            ack(&mut rounds, 100 + 2 * tx, tx, 100);
        }
        rounds.discard(Time::from_millis(340), 170);
        let ended = (120..230).find_map(|tx| ack(&mut rounds, 100 + 2 * tx, tx, 100));
        assert!(ended.is_some_and(|round| round.stale));
    }

    #[test]
    fn eight_samples_make_a_block() {
        let mut rounds = Rounds::new();
        let samples = [9, 8, 7, 9, 9, 9, 9, 9];
        let blocks: Vec<_> =
            samples.iter().filter_map(|ms| rounds.block(Span::from_millis(*ms))).collect();
        assert_eq!(blocks, [Span::from_millis(7)]);
    }
}
