//! The link's own measurement of its loss, as its MAC layer would report it (ATL paper, sec. IV-A).

use atl_core::time::{Span, Time};
use atl_core::units::Probability;

use crate::counters::Counters;

/// The window moves on in steps of this share of its length.
const BUCKETS: usize = 16;

/// Loss over a sliding window, from snapshots of the counters: bounded memory, and one comparison a
/// packet. The window is between 15/16 and the whole of its nominal length.
#[derive(Clone, Debug)]
pub(crate) struct LossWindow {
    /// Length of a bucket in nanoseconds.
    bucket: u64,
    /// When the present bucket ends.
    end: Time,
    /// What the MAC delivered and lost at the beginning of each of the last buckets; a ring, in the order of time
    /// from `oldest` on.
    at_begin: Box<[(u64, u64); BUCKETS]>,
    oldest: usize,
}

/// Packets that the MAC got across, and packets that it lost: congestion further on is none of its business.
fn mac(counters: &Counters) -> (u64, u64) {
    (counters.delivered + counters.congested, counters.lost - counters.congested)
}

impl LossWindow {
    /// A window of this length; one of zero reaches back to the start of the run.
    pub(crate) fn new(window: Span) -> Self {
        let bucket = match window.nanos() / BUCKETS as u64 {
            0 if window.is_zero() => u64::MAX,
            0 => 1,
            n => n,
        };
        let end = Time::from_nanos(bucket);
        LossWindow { bucket, end, at_begin: Box::new([(0, 0); BUCKETS]), oldest: 0 }
    }

    /// When the bucket under way ends.
    #[inline]
    pub(crate) fn end(&self) -> Time {
        self.end
    }

    /// To be told the time ahead of each change of the counters.
    #[inline]
    pub(crate) fn advance(&mut self, now: Time, counters: &Counters) {
        if now >= self.end {
            self.roll(now, counters);
        }
    }

    #[cold]
    fn roll(&mut self, now: Time, counters: &Counters) {
        let buckets = now.since(self.end).nanos() / self.bucket + 1;
        let now = mac(counters);
        // A longer silence than the window leaves the same snapshot in each place.
        for _ in 0..buckets.min(BUCKETS as u64) {
            self.at_begin[self.oldest] = now;
            self.oldest = (self.oldest + 1) % BUCKETS;
        }
        let ahead = Span::from_nanos(self.bucket.saturating_mul(buckets));
        self.end = self.end.saturating_add(ahead);
    }

    /// Share of the packets in the window that the link lost; 0 where there were none.
    pub(crate) fn loss(&mut self, now: Time, counters: &Counters) -> Probability {
        self.advance(now, counters);
        let (delivered, lost) = self.at_begin[self.oldest];
        let (now_delivered, now_lost) = mac(counters);
        let (delivered, lost) = (now_delivered - delivered, now_lost - lost);
        Probability::share(lost, delivered + lost)
    }
}
