//! Adaptive RED: the highest drop probability follows the load (Floyd, Gummadi, Shenker, "Adaptive
//! RED: An Algorithm for Increasing the Robustness of RED's Active Queue Management", 2001, section
//! 4).

use atl_core::time::{Span, Time};
use atl_core::units::Probability;

use crate::config::DropCurve;

const INTERVAL: Span = Span::from_millis(500);
/// The probability is multiplied by this while the average is too low.
const DECREASE: f64 = 0.9;
/// It grows by this at most, and by a quarter at most, while the average is too high.
const INCREASE: f64 = 0.01;
/// Below and above these the probability is left alone.
const BOUNDS: (f64, f64) = (0.01, 0.5);
/// The average is to stay between these shares of the way from `min` to `max`.
const TARGET: (f64, f64) = (0.4, 0.6);

/// The time at which the probability is moved next. Arrivals drive it, so a silence counts as one
/// interval, as in ns-2.
#[derive(Clone, Debug)]
pub(super) struct Adapt {
    due: Time,
}

impl Adapt {
    pub(super) fn new() -> Self {
        Adapt { due: Time::ZERO + INTERVAL }
    }

    /// Moves the curve's probability if it is time.
    pub(super) fn follow(&mut self, now: Time, average: f64, curve: &mut DropCurve) {
        if now < self.due {
            return;
        }
        self.due = now.saturating_add(INTERVAL);
        let DropCurve { min, max, drop } = *curve;
        let most = drop.get();
        let at = |share: f64| min + share * (max - min);
        if average > at(TARGET.1) && most <= BOUNDS.1 {
            curve.drop = Probability::clamped(most + INCREASE.min(most / 4.0));
        } else if average < at(TARGET.0) && most >= BOUNDS.0 {
            curve.drop = Probability::clamped(most * DECREASE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drop_after(start: f64, averages: &[f64]) -> f64 {
        let mut curve = DropCurve { min: 5.0, max: 15.0, drop: Probability::clamped(start) };
        let mut adapt = Adapt::new();
        for (n, average) in (1..).zip(averages) {
            adapt.follow(Time::from_millis(500 * n - 1), *average, &mut curve);
            adapt.follow(Time::from_millis(500 * n), *average, &mut curve);
        }
        curve.drop.get()
    }

    #[test]
    fn the_probability_grows_by_a_step_and_shrinks_by_a_factor() {
        // The target is an average from 9 to 11.
        for (start, averages, expected) in [
            (0.1, &[11.5][..], 0.11),
            (0.02, &[12.0], 0.025),
            (0.1, &[8.5, 8.5], 0.081),
            (0.1, &[9.5, 10.5], 0.1),
            (0.1, &[12.0, 8.0], 0.099),
        ] {
            let drop = drop_after(start, averages);
            assert!((drop - expected).abs() < 1e-12, "{start} {averages:?}: {drop}");
        }
    }

    #[test]
    fn the_probability_stays_within_its_bounds() {
        let high = drop_after(0.1, &[30.0; 200]);
        assert!((0.5..=0.51).contains(&high), "{high}");
        let low = drop_after(0.1, &[0.0; 200]);
        assert!((0.009..=0.01).contains(&low), "{low}");
    }
}
