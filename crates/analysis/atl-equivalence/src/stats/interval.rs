//! Intervals of a mean, of a share, of a difference.

use serde::Serialize;
use statrs::distribution::{Beta, ContinuousCDF, StudentsT};

/// From `low` to `high`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The lower end, which is included.
    pub low: f64,
    /// The upper end, which is included.
    pub high: f64,
}

impl Interval {
    /// `middle` and as much on either side.
    pub fn around(middle: f64, half: f64) -> Interval {
        Interval { low: middle - half, high: middle + half }
    }

    /// True if nothing of it is farther from 0 than `margin`.
    pub fn within(&self, margin: f64) -> bool {
        self.low >= -margin && self.high <= margin
    }

    /// True if all of it is farther from 0 than `margin`.
    pub fn beyond(&self, margin: f64) -> bool {
        self.low > margin || self.high < -margin
    }
}

/// Mean and standard deviation of independent runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Mean over the runs.
    pub mean: f64,
    /// Standard deviation of one run.
    pub deviation: f64,
    /// Number of independent runs.
    pub runs: usize,
}

impl Spread {
    /// Mean and deviation of these values; zeros without any.
    pub fn of(values: &[f64]) -> Spread {
        let n = values.len();
        let mean = values.iter().sum::<f64>() / n.max(1) as f64;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        let deviation = (squares / n.saturating_sub(1).max(1) as f64).sqrt();
        // The mean of equal numbers may differ from them in the last digit.
        let deviation = if deviation <= 1e-12 * mean.abs() { 0.0 } else { deviation };
        Spread { mean, deviation, runs: n }
    }

    /// A bound on the difference between one more run and the mean of these, at level 1 - `alpha`:
    /// the prediction interval of a normal population, with Student's t.
    pub fn prediction(&self, alpha: f64) -> f64 {
        if self.deviation <= 0.0 {
            return 0.0;
        }
        let n = self.runs as f64;
        t_quantile(1.0 - alpha / 2.0, n - 1.0) * self.deviation * (1.0 + 1.0 / n).sqrt()
    }
}

/// The quantile of Student's t; infinite with less than one degree of freedom.
fn t_quantile(q: f64, degrees: f64) -> f64 {
    if degrees < 1.0 {
        return f64::INFINITY;
    }
    StudentsT::new(0.0, 1.0, degrees).map_or(f64::INFINITY, |t| t.inverse_cdf(q))
}

/// The exact interval of a probability from `successes` of `trials`, at level 1 - `alpha` (Clopper
/// and Pearson 1934).
pub fn clopper_pearson(successes: u64, trials: u64, alpha: f64) -> Interval {
    let (k, n) = (successes as f64, trials as f64);
    let quantile =
        |a: f64, b: f64, q: f64| Beta::new(a, b).map_or(f64::NAN, |beta| beta.inverse_cdf(q));
    let low = if successes == 0 { 0.0 } else { quantile(k, n - k + 1.0, alpha / 2.0) };
    let high = match successes >= trials {
        true => 1.0,
        // Without a success the quantile has a closed form, and the general one loses digits.
        false if successes == 0 => 1.0 - (alpha / 2.0).powf(1.0 / n),
        false => quantile(k + 1.0, n - k, 1.0 - alpha / 2.0),
    };
    Interval { low, high }
}

/// The interval of the difference of two means, at level 1 - `alpha`, where the populations'
/// variances may differ (Welch 1947). `None` with fewer than two observations on a side.
pub fn welch(a: &[f64], b: &[f64], alpha: f64) -> Option<Interval> {
    if a.len() < 2 || b.len() < 2 {
        return None;
    }
    let (first, second) = (Spread::of(a), Spread::of(b));
    let error = |s: &Spread| s.deviation * s.deviation / s.runs as f64;
    let (e, f) = (error(&first), error(&second));
    let middle = first.mean - second.mean;
    if e + f <= 0.0 {
        return Some(Interval::around(middle, 0.0));
    }
    let part = |e: f64, s: &Spread| e * e / (s.runs as f64 - 1.0);
    let degrees = (e + f) * (e + f) / (part(e, &first) + part(f, &second));
    Some(Interval::around(middle, t_quantile(1.0 - alpha / 2.0, degrees) * (e + f).sqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-4
    }

    #[test]
    fn a_share_has_its_exact_interval() {
        // 10 of 100 at 95 %: the tables' 0.0490 to 0.1762.
        let interval = clopper_pearson(10, 100, 0.05);
        assert!(close(interval.low, 0.04900) && close(interval.high, 0.17622), "{interval:?}");
        // None of n: 1 - (alpha/2)^(1/n).
        let none = clopper_pearson(0, 100, 0.05);
        assert!(close(none.low, 0.0) && close(none.high, 0.036_217), "{none:?}");
        assert!(close(clopper_pearson(5, 5, 0.05).high, 1.0));
    }

    #[test]
    fn one_more_run_is_predicted() {
        let spread = Spread::of(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        assert!(close(spread.mean, 3.0) && close(spread.deviation, 2.5_f64.sqrt()));
        // t with 4 degrees of freedom: 2.7764.
        assert!(close(spread.prediction(0.05), 2.776_45 * 2.5_f64.sqrt() * 1.2_f64.sqrt()));
        assert!(Spread::of(&[0.1; 7]).prediction(0.05) <= 0.0, "no spread, no width");
        assert!(Spread::of(&[1.0]).prediction(0.05) <= 0.0);
    }

    /// Two samples with variances 2.5 and 10, worked out by hand.
    #[test]
    fn two_means_may_have_unequal_variances() {
        let a = [1.0, 2.0, 3.0, 4.0, 5.0];
        let b = [2.0, 4.0, 6.0, 8.0, 10.0];
        let interval = welch(&a, &b, 0.05).expect("five each");
        // Standard error sqrt(0.5 + 2); 6.25 / (0.25 / 4 + 4 / 4) = 5.8824 degrees of freedom: t =
        // 2.4588.
        let half = 2.458_8 * 2.5_f64.sqrt();
        assert!((interval.low - (-3.0 - half)).abs() < 2e-3, "{interval:?}");
        assert!((interval.high - (-3.0 + half)).abs() < 2e-3, "{interval:?}");
        assert_eq!(welch(&a, &[1.0], 0.05), None);
    }

    #[test]
    fn an_interval_lies_within_beyond_or_across() {
        let across = Interval { low: 0.5, high: 1.5 };
        assert!(!across.within(1.0) && !across.beyond(1.0));
        assert!(across.within(1.5) && across.beyond(0.4));
        assert!(Interval { low: -3.0, high: -2.0 }.beyond(1.0));
    }
}
