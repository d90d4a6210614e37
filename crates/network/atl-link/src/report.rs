//! The link's own loss measurement, as its MAC layer would report it (ATL paper, section IV-A).

use atl_core::time::{Span, Time};
use atl_core::units::Probability;

use crate::counters::Counters;

/// Buckets per window; the window advances by one bucket at a time.
const BUCKETS: usize = 16;

/// Loss over a sliding window, from snapshots of the counters: bounded memory, one comparison per
/// packet. The window covers between 15/16 and all of its nominal length.
#[derive(Clone, Debug)]
pub(crate) struct LossWindow {
    /// Length of a bucket in nanoseconds.
    bucket: u64,
    /// End of the current bucket.
    end: Time,
    /// Packets that the MAC had delivered and lost at the start of each recent bucket: a ring in
    /// time order, starting at `oldest`. `None` until the first bucket has ended: all are 0.
    at_begin: Option<Box<[(u64, u64); BUCKETS]>>,
    oldest: usize,
}

/// Packets that the MAC delivered and lost.
fn mac(counters: &Counters) -> (u64, u64) {
    (counters.mac_passed(), counters.mac_lost())
}

impl LossWindow {
    /// A window of this length; zero means from the start of the run.
    pub(crate) fn new(window: Span) -> Self {
        let bucket = match window.nanos() / BUCKETS as u64 {
            0 if window.is_zero() => u64::MAX,
            0 => 1,
            n => n,
        };
        let end = Time::from_nanos(bucket);
        LossWindow { bucket, end, at_begin: None, oldest: 0 }
    }

    /// End of the current bucket.
    #[inline]
    pub(crate) fn end(&self) -> Time {
        self.end
    }

    /// To be called before each change of the counters.
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
        let at_begin = self.at_begin.get_or_insert_with(|| Box::new([(0, 0); BUCKETS]));
        // A silence longer than the window leaves the same snapshot in every bucket.
        for _ in 0..buckets.min(BUCKETS as u64) {
            at_begin[self.oldest] = now;
            self.oldest = (self.oldest + 1) % BUCKETS;
        }
        let ahead = Span::from_nanos(self.bucket.saturating_mul(buckets));
        self.end = self.end.saturating_add(ahead);
    }

    /// The fraction of packets in the window that the link lost; 0 without packets.
    pub(crate) fn loss(&mut self, now: Time, counters: &Counters) -> Probability {
        self.advance(now, counters);
        let (delivered, lost) = self.at_begin.as_ref().map_or((0, 0), |all| all[self.oldest]);
        let (now_delivered, now_lost) = mac(counters);
        let (delivered, lost) = (now_delivered - delivered, now_lost - lost);
        Probability::share(lost, delivered + lost)
    }
}
