//! The longest queue that packets have come through, and losses that no full queue explains.
//!
//! A FIFO queue drops what arrives while it is full. A packet that is lost while its neighbours
//! find less than half of the longest queue that packets have come through met no full queue: a
//! link lost it. This holds whoever fills the queue. Where the longest queue is itself within what
//! delay can tell, no loss can be told from another, and none is the link's.

use crate::time::Time;

/// Packets in a row that have to find a queue: a single late one says nothing.
const ROW: usize = 4;
/// Packets that arrive from before a loss until it is found.
const RECENT: usize = 8;
/// Seconds, and round trips, after which what was seen before the last epoch is forgotten.
const EPOCH: f64 = 20.0;
const EPOCH_ROUNDS: f64 = 100.0;
/// Rounds of an epoch of the shortest queue.
const LOW_ROUNDS: u32 = 32;
/// Share of the way from the shortest to the longest queue up to which a queue is short.
const SHORT: f64 = 0.5;
/// Packets of a queue that are many.
const MANY: f64 = 32.0;
/// Differences that say nothing, which the longest queue has to exceed this many times.
const VISIBLE: f64 = 2.0;

/// The longest queue of two epochs, in seconds, and the highest rate, in packets per second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    last: [f64; RECENT],
    now: f64,
    before: f64,
    low: f64,
    low_before: f64,
    low_rounds: u32,
    rate: f64,
    rate_before: f64,
    since: Time,
}

impl Reach {
    pub(super) const fn new() -> Self {
        let last = [0.0; RECENT];
        Reach {
            last,
            now: 0.0,
            before: 0.0,
            low: f64::INFINITY,
            low_before: f64::INFINITY,
            low_rounds: 0,
            rate: 0.0,
            rate_before: 0.0,
            since: Time::ZERO,
        }
    }

    /// A packet arrived that was queued for `queue` seconds; the round-trip time is about `rtt`.
    pub(super) fn on_queue(&mut self, now: Time, queue: f64, rtt: f64) {
        self.last.rotate_left(1);
        self.last[RECENT - 1] = queue;
        let found = self.last[RECENT - ROW..].iter().copied().fold(f64::INFINITY, f64::min);
        if now.since(self.since).secs() > EPOCH.max(EPOCH_ROUNDS * rtt) {
            (self.before, self.now, self.since) = (self.now, 0.0, now);
            (self.rate_before, self.rate) = (self.rate, 0.0);
        }
        self.now = self.now.max(found);
    }

    /// A round came through at `rate` packets per second.
    pub(super) fn on_rate(&mut self, rate: f64) {
        self.rate = self.rate.max(rate);
    }

    /// The highest rate: of all senders' that the bottleneck serves this is a lower bound.
    pub(super) fn rate(&self) -> f64 {
        self.rate.max(self.rate_before)
    }

    /// The longest queue that one of the last packets found, in seconds.
    pub(super) fn recent(&self) -> f64 {
        self.last.iter().copied().fold(0.0, f64::max)
    }

    /// The longest queue, in seconds.
    pub(super) fn longest(&self) -> f64 {
        self.now.max(self.before)
    }

    /// A round is over whose shortest queue was this, in seconds, while the sender left none of its
    /// own out.
    pub(super) fn on_low(&mut self, queue: f64) {
        if self.low_rounds >= LOW_ROUNDS {
            (self.low_before, self.low, self.low_rounds) = (self.low, f64::INFINITY, 0);
        }
        self.low = self.low.min(queue);
        self.low_rounds += 1;
    }

    /// The shortest queue of the last rounds, in seconds: others may hold it.
    fn shortest(&self) -> f64 {
        let low = self.low.min(self.low_before);
        if low.is_finite() { low.min(self.longest()) } else { 0.0 }
    }

    /// True if the longest queue can be told from none, where `noise` seconds say nothing.
    pub(super) fn is_visible(&self, noise: f64) -> bool {
        self.longest() - self.shortest() > VISIBLE * noise
    }

    /// True if the queue is long enough to hold a claim against it: one of a few packets is full as
    /// often as not.
    pub(super) fn is_witness(&self, noise: f64) -> bool {
        self.is_visible(noise) && self.longest() * self.rate() >= MANY
    }

    /// True if a queue of `queue` seconds is far from full, as far as delay can tell.
    pub(super) fn is_short(&self, queue: f64, noise: f64) -> bool {
        self.is_visible(noise)
            && queue <= self.shortest() + SHORT * (self.longest() - self.shortest())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(queues: &[f64]) -> Reach {
        let mut reach = Reach::new();
        for (i, queue) in queues.iter().enumerate() {
            reach.on_queue(Time::from_millis(i as u64), *queue, 0.1);
        }
        reach
    }

    #[test]
    fn a_queue_is_as_long_as_four_packets_in_a_row_found_it() {
        let reach = after(&[0.001, 0.08, 0.001, 0.02, 0.03, 0.025, 0.04, 0.01]);
        assert!((reach.longest() - 0.02).abs() < 1e-12, "{reach:?}");
        assert!(reach.is_short(0.01, 0.002) && !reach.is_short(0.011, 0.002));
    }

    #[test]
    fn a_queue_within_the_noise_explains_no_loss() {
        let reach = after(&[0.003; 8]);
        assert!(!reach.is_visible(0.002) && !reach.is_short(0.0, 0.002));
        assert!(reach.is_visible(0.001) && reach.is_short(0.0, 0.001));
        assert!(!after(&[0.004; 8]).is_visible(0.002), "twice the noise is within it");
    }

    #[test]
    fn behind_others_queue_the_lower_half_of_its_swing_is_short() {
        let mut reach = after(&[0.08; 8]);
        reach.on_low(0.04);
        assert!(reach.is_short(0.059, 0.002) && !reach.is_short(0.061, 0.002));
        assert!(!reach.is_short(0.05, 0.021), "its swing is within the noise");
        // 32 packets at 400 a second.
        reach.on_rate(399.0);
        assert!(!reach.is_witness(0.002));
        reach.on_rate(401.0);
        assert!(reach.is_witness(0.002) && !reach.is_witness(0.021));
        for _ in 0..2 * LOW_ROUNDS {
            reach.on_low(0.06);
        }
        assert!(reach.is_short(0.069, 0.002) && !reach.is_short(0.071, 0.002));
    }

    #[test]
    fn a_rate_of_less_than_a_packet_is_remembered_for_two_epochs() {
        let mut reach = after(&[0.05; 8]);
        reach.on_rate(0.5);
        for (second, rate) in [(21, 0.5), (42, 0.0)] {
            reach.on_queue(Time::from_millis(1000 * second), 0.01, 0.1);
            assert!((reach.rate() - rate).abs() < 1e-12, "{reach:?}");
        }
    }

    #[test]
    fn what_was_seen_two_epochs_ago_is_forgotten() {
        let mut reach = after(&[0.05; 8]);
        reach.on_queue(Time::from_millis(20_000), 0.01, 0.1);
        assert!(reach.before.abs() < 1e-12, "20 s are of the same");
        for second in [21, 42] {
            assert!((reach.longest() - 0.05).abs() < 1e-12, "{second} s");
            for _ in 0..4 {
                reach.on_queue(Time::from_millis(1000 * second), 0.01, 0.1);
            }
        }
        assert!((reach.longest() - 0.01).abs() < 1e-12, "{reach:?}");
    }
}
