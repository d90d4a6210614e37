//! The round trip, measured: how long a PDU that is missing is waited for.
//!
//! m is a round trip counted in control packets. But they come at no constant rate: each CPCS-PDU that is delivered calls for
//! one, so that many come while all goes well and few while a gap holds everything up. An m learned in the one time
//! would wait for far too long in the other. So once a round trip is known in time, it is what has to pass; there is no timer:
//! it is looked at when a control packet comes.
//!
//! The paper smooths the round trip (eq. 1) and says no more. A mean alone is too early for half of the PDUs: those that take
//! a little longer are sent again for nothing, count as lost, and shorten the payload. So the deviation is smoothed too, and
//! four of it are added, as RFC 6298 does for TCP. Each PDU gives a sample, hundreds in a round trip: both gains are divided
//! by the PDUs under way (as RFC 7323, appendix G, has it), or their memory would be a few cells, and the first queue that
//! grows would have the whole window sent again. A PDU sent twice tells nothing (Karn): where all are, for the round
//! trip has grown, the wait is doubled once a round trip until one that was sent once is acknowledged.

use atl_core::time::Span;
use libm::{ceil, fabs};

/// The largest m: what the counts of pieces hold, and far more than there are control packets in a round trip.
const MAX_M: f64 = 30_000.0;
/// The share of the newest deviation (RFC 6298, beta).
const DEVIATION_GAIN: f64 = 0.25;
/// How many deviations are added (RFC 6298, K).
const DEVIATIONS: f64 = 4.0;
/// The wait is doubled so many times at most.
const MOST_DOUBLINGS: u32 = 4;

/// A mean and how far from it.
#[derive(Debug, Clone, Copy)]
struct Smoothed {
    mean: f64,
    deviation: f64,
}

impl Smoothed {
    /// With a sample more; the gains are the shares of the new one in the mean and in the deviation.
    fn with(before: Option<Self>, gain: f64, deviation_gain: f64, sample: f64) -> Self {
        let Some(Smoothed { mean, deviation }) = before else {
            return Smoothed { mean: sample, deviation: 0.5 * sample };
        };
        let off = fabs(sample - mean);
        Smoothed {
            mean: mean + gain * (sample - mean),
            deviation: deviation + deviation_gain * (off - deviation),
        }
    }

    fn bound(self) -> f64 {
        self.mean + DEVIATIONS * self.deviation
    }
}

/// The round trip of a connection, in time and in control packets.
#[derive(Debug, Clone)]
pub(super) struct RoundTrip {
    keep: f64,
    initial: u16,
    time: Option<Smoothed>,
    count: Option<Smoothed>,
    doublings: u32,
    /// Control packets that had come when the wait was doubled last.
    doubled_at: u64,
}

impl RoundTrip {
    /// Nothing measured; `keep` is alpha of eq. 1, `initial` is m until then.
    pub(super) fn new(keep: f64, initial: u16) -> Self {
        RoundTrip { keep, initial, time: None, count: None, doublings: 0, doubled_at: 0 }
    }

    /// A PDU sent once is acknowledged, so long and so many control packets later; so many PDUs are under way, each of which
    /// gives a sample.
    pub(super) fn measure(&mut self, time: Span, count: u64, under_way: usize) {
        let samples = under_way.max(1) as f64;
        let (gain, deviation_gain) = ((1.0 - self.keep) / samples, DEVIATION_GAIN / samples);
        self.time = Some(Smoothed::with(self.time, gain, deviation_gain, time.secs()));
        self.count = Some(Smoothed::with(self.count, gain, deviation_gain, count as f64));
        self.doublings = 0;
    }

    /// A PDU sent twice is missing still. `statuses` have come so far.
    pub(super) fn on_missing_again(&mut self, statuses: u64) {
        if statuses - self.doubled_at > u64::from(self.m()) {
            self.doublings = (self.doublings + 1).min(MOST_DOUBLINGS);
            self.doubled_at = statuses;
        }
    }

    /// m.
    pub(super) fn m(&self) -> u16 {
        let once = self.count.map_or(f64::from(self.initial), |count| ceil(count.bound()) + 1.0);
        // At least 1, at most what was just said.
        (once * f64::from(1 << self.doublings)).min(MAX_M) as u16
    }

    /// How long a PDU is waited for; `None` before the first measurement.
    pub(super) fn wait(&self) -> Option<Span> {
        let once = self.time?.bound();
        Some(Span::from_secs_f64(once * f64::from(1 << self.doublings)))
    }

    /// srt of eq. 1.
    pub(super) fn smoothed(&self) -> Option<Span> {
        self.time.map(|time| Span::from_secs_f64(time.mean))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_is_the_mean_and_four_deviations() {
        let mut trip = RoundTrip::new(0.9, 8);
        assert_eq!((trip.m(), trip.wait(), trip.smoothed()), (8, None, None));
        trip.measure(Span::from_millis(10), 4, 1);
        // 10 + 4 * 5 ms; 4 + 4 * 2, and one.
        assert_eq!((trip.m(), trip.wait()), (13, Some(Span::from_millis(30))));
        trip.measure(Span::from_millis(20), 4, 1);
        // 11 + 4 * (.75 * 5 + .25 * 10) ms; 4 + 4 * 1.5, and one.
        assert_eq!((trip.m(), trip.wait()), (11, Some(Span::from_millis(36))));
        assert_eq!(trip.smoothed(), Some(Span::from_millis(11)));
        for _ in 0..200 {
            trip.measure(Span::from_millis(20), 4, 1);
        }
        assert_eq!((trip.m(), trip.smoothed()), (5, Some(Span::from_millis(20))));
    }

    /// A burst in each round trip meets a queue that grows by 3 ms: the calm behind it is not to make one forget that, or all
    /// of the next burst is sent again.
    #[test]
    fn a_round_trip_that_goes_up_and_down_is_remembered_over_its_many_samples() {
        let wait_before_a_burst = |under_way: usize| {
            let mut trip = RoundTrip::new(0.9, 8);
            for _ in 0..60 {
                (0..100).for_each(|_| trip.measure(Span::from_millis(23), 4, under_way));
                (0..400).for_each(|_| trip.measure(Span::from_millis(20), 4, under_way));
            }
            trip.wait()
        };
        assert!(wait_before_a_burst(500) > Some(Span::from_millis(23)));
        assert!(wait_before_a_burst(500) < Some(Span::from_millis(26)));
        // A memory of ten samples has forgotten it.
        assert!(wait_before_a_burst(1) < Some(Span::from_micros(20_100)));
    }

    #[test]
    fn where_all_is_sent_twice_the_wait_is_doubled_once_a_round_trip() {
        let mut trip = RoundTrip::new(0.9, 8);
        for _ in 0..200 {
            trip.measure(Span::from_millis(20), 4, 1);
        }
        (0..100).for_each(|_| trip.on_missing_again(10));
        assert_eq!(trip.m(), 10);
        (10..100).for_each(|statuses| trip.on_missing_again(statuses));
        assert!(trip.m() <= 5 << MOST_DOUBLINGS && trip.m() > 10);
        trip.measure(Span::from_millis(20), 4, 1);
        assert_eq!(trip.m(), 5);
    }
}
