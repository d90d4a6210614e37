//! Measurement of the round trip: how long the sender waits for a missing PDU.
//!
//! m is the round trip counted in control packets. Their rate is not constant: every CPCS-PDU
//! delivered triggers one, so many arrive while all goes well, and few while a gap blocks delivery.
//! An m measured in one phase would be far too large for the other. So once the round trip is known
//! in time, the sender waits for that time instead. There is no timer: the elapsed time is checked
//! when a control packet arrives.
//!
//! The paper smooths the round trip (eq. 1) and says no more. The mean alone is too short for half
//! of the PDUs: those that take slightly longer are retransmitted needlessly, count as lost, and
//! shorten the payload. So the deviation is smoothed too, and four times the deviation is added, as
//! in RFC 6298 for TCP. Every PDU gives a sample, hundreds per round trip. Both gains are therefore
//! divided by the number of PDUs in flight (as in RFC 7323, appendix G); otherwise their memory
//! would span a few cells, and the first growing queue would cause the whole window to be
//! retransmitted. Retransmitted PDUs give no sample (Karn's algorithm). If all PDUs are
//! retransmitted because the round trip has grown, the wait is doubled once per round trip until a
//! PDU sent only once is acknowledged.

use atl_core::time::Span;
use libm::{ceil, fabs};

/// The largest m: it fits the counters of the pieces and is far above the control packets in any
/// round trip.
const MAX_M: f64 = 30_000.0;
/// Weight of a new deviation (RFC 6298, beta).
const DEVIATION_GAIN: f64 = 0.25;
/// Deviations added to the mean (RFC 6298, K).
const DEVIATIONS: f64 = 4.0;
/// Limit on the doublings of the wait.
const MAX_DOUBLINGS: u32 = 4;

/// A smoothed mean and mean deviation.
#[derive(Debug, Clone, Copy)]
struct Smoothed {
    mean: f64,
    deviation: f64,
}

impl Smoothed {
    /// Adds a sample; the gains are its weights in the mean and in the deviation.
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
    /// Control packets received when the wait was last doubled.
    doubled_at: u64,
}

impl RoundTrip {
    /// Without measurements. `keep` is alpha of eq. 1; `initial` is m until the first measurement.
    pub(super) fn new(keep: f64, initial: u16) -> Self {
        RoundTrip { keep, initial, time: None, count: None, doublings: 0, doubled_at: 0 }
    }

    /// A PDU sent once is acknowledged `time` and `count` control packets later. `in_flight` PDUs
    /// are in flight, each of which gives a sample.
    pub(super) fn measure(&mut self, time: Span, count: u64, in_flight: usize) {
        let samples = in_flight.max(1) as f64;
        let (gain, deviation_gain) = ((1.0 - self.keep) / samples, DEVIATION_GAIN / samples);
        self.time = Some(Smoothed::with(self.time, gain, deviation_gain, time.secs()));
        self.count = Some(Smoothed::with(self.count, gain, deviation_gain, count as f64));
        self.doublings = 0;
    }

    /// A retransmitted PDU is still missing. `statuses` control packets have been received.
    pub(super) fn on_missing_again(&mut self, statuses: u64) {
        if statuses - self.doubled_at > u64::from(self.m()) {
            self.doublings = (self.doublings + 1).min(MAX_DOUBLINGS);
            self.doubled_at = statuses;
        }
    }

    /// Control packets per round trip, from 1 to [`MAX_M`].
    pub(super) fn m(&self) -> u16 {
        let once = self.count.map_or(f64::from(self.initial), |count| ceil(count.bound()) + 1.0);
        // Between 1 and MAX_M.
        (once * f64::from(1 << self.doublings)).min(MAX_M) as u16
    }

    /// The time after which a missing PDU is retransmitted; `None` before the first measurement.
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
    fn the_wait_is_the_mean_plus_four_deviations() {
        let mut trip = RoundTrip::new(0.9, 8);
        assert_eq!((trip.m(), trip.wait(), trip.smoothed()), (8, None, None));
        trip.measure(Span::from_millis(10), 4, 1);
        // 10 + 4 * 5 ms; 4 + 4 * 2, plus one.
        assert_eq!((trip.m(), trip.wait()), (13, Some(Span::from_millis(30))));
        trip.measure(Span::from_millis(20), 4, 1);
        // 11 + 4 * (.75 * 5 + .25 * 10) ms; 4 + 4 * 1.5, plus one.
        assert_eq!((trip.m(), trip.wait()), (11, Some(Span::from_millis(36))));
        assert_eq!(trip.smoothed(), Some(Span::from_millis(11)));
        for _ in 0..200 {
            trip.measure(Span::from_millis(20), 4, 1);
        }
        assert_eq!((trip.m(), trip.smoothed()), (5, Some(Span::from_millis(20))));
    }

    /// In each round trip a burst meets a queue that grows by 3 ms. The quiet time after it must
    /// not erase that, or the whole next burst would be retransmitted.
    #[test]
    fn a_varying_round_trip_is_remembered_over_many_samples() {
        let wait_before_a_burst = |in_flight: usize| {
            let mut trip = RoundTrip::new(0.9, 8);
            for _ in 0..60 {
                (0..100).for_each(|_| trip.measure(Span::from_millis(23), 4, in_flight));
                (0..400).for_each(|_| trip.measure(Span::from_millis(20), 4, in_flight));
            }
            trip.wait()
        };
        assert!(wait_before_a_burst(500) > Some(Span::from_millis(23)));
        assert!(wait_before_a_burst(500) < Some(Span::from_millis(26)));
        // A memory of ten samples has forgotten it.
        assert!(wait_before_a_burst(1) < Some(Span::from_micros(20_100)));
    }

    #[test]
    fn if_all_pdus_are_retransmitted_the_wait_doubles_once_per_round_trip() {
        let mut trip = RoundTrip::new(0.9, 8);
        for _ in 0..200 {
            trip.measure(Span::from_millis(20), 4, 1);
        }
        (0..100).for_each(|_| trip.on_missing_again(10));
        assert_eq!(trip.m(), 10);
        (10..100).for_each(|statuses| trip.on_missing_again(statuses));
        assert!(trip.m() <= 5 << MAX_DOUBLINGS && trip.m() > 10);
        trip.measure(Span::from_millis(20), 4, 1);
        assert_eq!(trip.m(), 5);
    }
}
