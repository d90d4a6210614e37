//! The choice of the arrivals that are dropped early.

use crate::config::DropCurve;

/// A drop curve, and the count that spreads the drops (RED, section VII, method 2).
///
/// With independent drops, which follow each other closely at times, many flows would back off at
/// once. The probability therefore grows with the number of packets since the last drop: p_a = p_b
/// / (1 - count p_b). The paper's pseudocode adds the arrival itself to the count, its analysis
/// does not; the analysis is followed, which makes the distance from one drop to the next uniform
/// from 1 to 1/p_b.
#[derive(Clone, Debug)]
pub(super) struct EarlyDrop {
    curve: DropCurve,
    gentle: bool,
    /// Packets taken since the last drop, or since the average rose above `min`.
    count: u32,
}

impl EarlyDrop {
    pub(super) fn new(curve: DropCurve, gentle: bool) -> Self {
        EarlyDrop { curve, gentle, count: 0 }
    }

    pub(super) fn curve_mut(&mut self) -> &mut DropCurve {
        &mut self.curve
    }

    /// True if an arrival at this average is to be dropped, with `uniform` drawn from [0, 1).
    pub(super) fn strikes(&mut self, average: f64, uniform: f64) -> bool {
        let p = self.base(average);
        // uniform < p / (1 - count p), without dividing; always true once the right side is 1 or
        // more.
        let strikes = uniform * (1.0 - f64::from(self.count) * p) < p;
        self.count = if strikes || p <= 0.0 { 0 } else { self.count.saturating_add(1) };
        strikes
    }

    /// The queue was full.
    pub(super) fn overflow(&mut self) {
        self.count = 0;
    }

    /// p_b.
    fn base(&self, average: f64) -> f64 {
        let DropCurve { min, max, drop } = self.curve;
        let most = drop.get();
        if average <= min {
            0.0
        } else if average < max {
            most * (average - min) / (max - min)
        } else if self.gentle {
            // 1 from twice `max` on.
            (most + (1.0 - most) * (average - max) / max).min(1.0)
        } else {
            1.0
        }
    }
}

#[cfg(test)]
mod tests {
    use atl_core::units::Probability;

    use super::*;
    use crate::random::Stream;

    fn early(gentle: bool) -> EarlyDrop {
        let drop = Probability::clamped(0.1);
        EarlyDrop::new(DropCurve { min: 5.0, max: 15.0, drop }, gentle)
    }

    #[test]
    fn the_base_probability_is_the_paper_s() {
        for (average, hard, gentle) in [
            (0.0, 0.0, 0.0),
            (5.0, 0.0, 0.0),
            (10.0, 0.05, 0.05),
            (14.0, 0.09, 0.09),
            (15.0, 1.0, 0.1),
            (22.5, 1.0, 0.55),
            (30.0, 1.0, 1.0),
            (45.0, 1.0, 1.0),
            (1e9, 1.0, 1.0),
        ] {
            assert!((early(false).base(average) - hard).abs() < 1e-12, "{average}");
            assert!((early(true).base(average) - gentle).abs() < 1e-12, "{average}");
        }
    }

    /// At p_b = 0.05 one packet in 1 to 20 is dropped, each distance equally often.
    #[test]
    fn the_distance_between_drops_is_uniform() {
        let (mut early, mut stream) = (early(true), Stream::new(1, "red"));
        let (mut distance, mut counts, mut arrivals) = (0_usize, [0_u32; 21], 0_u32);
        for _ in 0..20_000 {
            loop {
                (distance, arrivals) = (distance + 1, arrivals + 1);
                if early.strikes(10.0, stream.uniform()) {
                    break;
                }
            }
            counts[distance] += 1;
            distance = 0;
        }
        // Each is binomial with mean 1000 and standard deviation 31; 4.5 of those. One seed in 7000
        // fails.
        assert!(counts[1..].iter().all(|count| count.abs_diff(1000) < 140), "{counts:?}");
        // The mean distance is (20 + 1) / 2, with a standard deviation of 5.77 / sqrt(20 000) =
        // 0.041.
        let mean = f64::from(arrivals) / 20_000.0;
        assert!((mean - 10.5).abs() < 0.17, "{mean}");
    }

    #[test]
    fn the_count_starts_anew_below_the_minimum_and_after_an_overflow() {
        let sure = |early: &mut EarlyDrop| (1..).find(|_| early.strikes(10.0, 0.999_999));
        let mut all = early(true);
        // The 20th arrival is dropped for sure: p_a = 0.05 / (1 - 19 * 0.05) = 1.
        assert_eq!(sure(&mut all), Some(20));
        (0..15).for_each(|_| assert!(!all.strikes(10.0, 0.999_999)));
        assert!(!all.strikes(4.0, 0.0));
        assert_eq!(sure(&mut all), Some(20));
        (0..15).for_each(|_| assert!(!all.strikes(10.0, 0.999_999)));
        all.overflow();
        assert_eq!(sure(&mut all), Some(20));
    }
}
