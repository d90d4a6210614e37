//! Bandwidth from the rate of ACKs: TCP Westwood's low-pass filter.
//!
//! Source: Casetti, Gerla, Mascolo, Sanadidi, Wang: "TCP Westwood: bandwidth estimation for
//! enhanced transport over wireless links" (MobiCom 2001), sec. 2: a first-order filter discretised
//! by Tustin's bilinear rule, whose weight follows the time between ACKs, and virtual samples of
//! rate zero while no ACK arrives.
//!
//! Left open by the source, and chosen: tau = 1 s and m = 2, as in the authors' ns-2 module. ACKs
//! closer together than 0.1 ms are taken as one sample: a sample is divided by its interval, and
//! enters the next step with that step's length, so that one compressed ACK would otherwise
//! outweigh the whole history.

use crate::time::{Span, Time};

/// ACKs closer together than this are one sample.
const LEAST_INTERVAL: Span = Span::from_micros(100);

/// Consecutive virtual samples after which nothing of the estimate is left (0.6^64 < 1e-14).
const FORGOTTEN: u64 = 64;

/// Filtered rate of delivered packets.
#[derive(Clone, Debug)]
pub struct AckRate {
    tau: f64,
    gap: Span,
    last: Option<Time>,
    pending: f64,
    sample: f64,
    rate: f64,
}

impl AckRate {
    /// A filter with time constant `tau` (its cut-off frequency is 1/tau) that adds a virtual
    /// sample of zero for each `tau / m` without an ACK. A `tau` below 1 ms counts as 1 ms; `m` is
    /// clamped to 1 to 10.
    pub fn new(tau: Span, m: u32) -> Self {
        let tau = tau.max(Span::from_millis(1));
        AckRate {
            tau: tau.secs(),
            gap: tau / u64::from(m.clamp(1, 10)),
            last: None,
            pending: 0.0,
            sample: 0.0,
            rate: 0.0,
        }
    }

    /// `packets` were shown to have arrived at `now`. The first call starts the clock.
    pub fn on_delivered(&mut self, now: Time, packets: f64) {
        let Some(last) = self.last else {
            self.last = Some(now);
            return;
        };
        self.pending += packets;
        let mut interval = now.since(last);
        if interval < LEAST_INTERVAL {
            return;
        }
        let mut silent = interval.nanos() / self.gap.nanos();
        interval = interval.saturating_sub(self.gap * silent);
        if silent > 0 && interval < LEAST_INTERVAL {
            // No time is left over for this ACK: it takes the last of the silent intervals.
            silent -= 1;
            interval += self.gap;
        }
        if silent > FORGOTTEN {
            self.rate = 0.0;
            self.sample = 0.0;
        } else {
            for _ in 0..silent {
                self.step(self.gap, 0.0);
            }
        }
        let rate = self.pending / interval.secs();
        self.step(interval, rate);
        self.pending = 0.0;
        self.last = Some(now);
    }

    /// One step of the filter: b_k from b_{k-1} and two samples.
    fn step(&mut self, interval: Span, sample: f64) {
        let ratio = 2.0 * self.tau / interval.secs();
        self.rate = ((ratio - 1.0) * self.rate + sample + self.sample) / (ratio + 1.0);
        self.sample = sample;
    }

    /// The estimate in packets per second: finite, not negative.
    pub fn packets_per_sec(&self) -> f64 {
        self.rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter() -> AckRate {
        AckRate::new(Span::from_secs(1), 2)
    }

    #[test]
    fn one_step_is_tustins() {
        let mut f = filter();
        f.on_delivered(Time::ZERO, 1.0);
        f.on_delivered(Time::from_millis(100), 5.0);
        // Samples 0, then 5 / 0.1 s = 50; 2 tau / interval = 20; rate = (19 * 0 + 50 + 0) / 21.
        assert!((f.packets_per_sec() - 50.0 / 21.0).abs() < 1e-12);
        f.on_delivered(Time::from_millis(150), 5.0);
        // Sample 100, ratio 40: (39 * 50/21 + 100 + 50) / 41.
        assert!((f.packets_per_sec() - (39.0 * 50.0 / 21.0 + 150.0) / 41.0).abs() < 1e-12);
    }

    #[test]
    fn converges_to_a_steady_rate() {
        let mut f = filter();
        for k in 0..4000 {
            f.on_delivered(Time::from_millis(4 * k), 1.0);
        }
        assert!((f.packets_per_sec() - 250.0).abs() < 0.01, "{}", f.packets_per_sec());
    }

    #[test]
    fn silence_feeds_zeros() {
        let mut f = filter();
        for k in 0..4000 {
            f.on_delivered(Time::from_millis(4 * k), 1.0);
        }
        let before = f.packets_per_sec();
        // 1.2 s: two virtual samples (rate (3 b + 250) / 5, then 3 b / 5) and one of 1 packet in
        // 0.2 s.
        f.on_delivered(Time::from_millis(4 * 3999 + 1200), 1.0);
        let after_zeros = (3.0 * before + 250.0) / 5.0 * 0.6;
        let expected = (9.0 * after_zeros + 5.0) / 11.0;
        assert!((f.packets_per_sec() - expected).abs() < 1e-9);
        f.on_delivered(Time::from_millis(10_000_000), 1.0);
        assert!(f.packets_per_sec() < 2.0);
    }

    #[test]
    fn acks_at_the_same_instant_are_one_sample() {
        let mut f = filter();
        f.on_delivered(Time::ZERO, 1.0);
        f.on_delivered(Time::from_nanos(1), 3.0);
        f.on_delivered(Time::from_millis(100), 2.0);
        assert!((f.packets_per_sec() - 50.0 / 21.0).abs() < 1e-9);
    }
}
