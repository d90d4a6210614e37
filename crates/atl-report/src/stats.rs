//! Statistics over seeds.
//!
//! Each run is one observation, and runs with different seeds are independent. Intervals are two-sided 95 % confidence
//! intervals by Student's t distribution with n - 1 degrees of freedom. With the same seed, different protocols meet the
//! same losses on the same links (named random streams). Differences and ratios are therefore taken seed by seed, so
//! that the effects of the links on both cancel out.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Confidence level of the intervals.
pub const CONFIDENCE: f64 = 0.95;

/// A mean with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Mean over the observations.
    pub mean: f64,
    /// Half the width of the 95 % interval; `None` for a single observation, which says nothing about the spread.
    pub half_width: Option<f64>,
    /// Number of observations.
    pub n: usize,
}

impl Estimate {
    /// The mean of independent observations with its interval; `None` if there are none, or if one is not finite.
    pub fn of(values: &[f64]) -> Option<Estimate> {
        if values.is_empty() || values.iter().any(|v| !v.is_finite()) {
            return None;
        }
        let n = values.len();
        let mean = mean(values);
        let squares: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
        Some(Estimate { mean, half_width: half_width(squares, n), n })
    }

    /// The same in another unit: mean and interval times `factor`.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Estimate {
        Estimate {
            mean: self.mean * factor,
            half_width: self.half_width.map(|h| h * factor.abs()),
            n: self.n,
        }
    }

    /// Lower bound of the interval, if there is one.
    pub fn low(&self) -> Option<f64> {
        self.half_width.map(|h| self.mean - h)
    }

    /// Upper bound of the interval, if there is one.
    pub fn high(&self) -> Option<f64> {
        self.half_width.map(|h| self.mean + h)
    }

    /// True if there is an interval and `value` lies outside it.
    pub fn excludes(&self, value: f64) -> bool {
        self.half_width.is_some_and(|h| (self.mean - value).abs() > h)
    }
}

/// Arithmetic mean; NaN for an empty slice.
fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Half the width of the mean's interval, from the sum of squared deviations of `n` observations.
fn half_width(squares: f64, n: usize) -> Option<f64> {
    let t = t_quantile(n.checked_sub(1)?)?;
    Some(t * (squares / ((n - 1) as f64 * n as f64)).sqrt())
}

/// The two-sided 95 % quantile of Student's t distribution; `None` for 0 degrees of freedom.
pub fn t_quantile(degrees: usize) -> Option<f64> {
    let t = StudentsT::new(0.0, 1.0, degrees as f64).ok()?;
    Some(t.inverse_cdf(0.5 + CONFIDENCE / 2.0))
}

/// Mean of `a - b` over pairs of observations with the same seed; `None` if there are none, or if one is not finite.
pub fn paired_difference(pairs: &[(f64, f64)]) -> Option<Estimate> {
    let differences: Vec<f64> = pairs.iter().map(|(a, b)| a - b).collect();
    Estimate::of(&differences)
}

/// Ratio of the mean of the first values to the mean of the second values, over pairs with the same seed.
///
/// The interval is that of the classical ratio estimator (Cochran, Sampling Techniques, ch. 6): the deviations are
/// `a - r b` seed by seed, and their standard error is divided by the mean of the second values. `None` if there are no
/// pairs, if a value is not finite, or if the mean of the second values is not positive.
pub fn paired_ratio(pairs: &[(f64, f64)]) -> Option<Estimate> {
    let n = pairs.len();
    if n == 0 || pairs.iter().any(|(a, b)| !a.is_finite() || !b.is_finite()) {
        return None;
    }
    let over: f64 = pairs.iter().map(|p| p.1).sum::<f64>() / n as f64;
    if over <= 0.0 {
        return None;
    }
    let ratio = pairs.iter().map(|p| p.0).sum::<f64>() / n as f64 / over;
    let squares: f64 = pairs.iter().map(|(a, b)| (a - ratio * b) * (a - ratio * b)).sum();
    Some(Estimate { mean: ratio, half_width: half_width(squares, n).map(|h| h / over), n })
}

/// Jain's fairness index `(sum x)^2 / (n sum x^2)`: 1 if all shares are equal, 1/n if one has everything (Jain, Chiu and
/// Hawe 1984). `None` if there are no shares, or if all are zero.
pub fn jain(shares: &[f64]) -> Option<f64> {
    let sum: f64 = shares.iter().sum();
    let squares: f64 = shares.iter().map(|x| x * x).sum();
    (squares > 0.0).then(|| sum * sum / (shares.len() as f64 * squares))
}

/// The `q`-quantile, `q` from 0 to 1, interpolated between the two nearest observations (type 7 of Hyndman and Fan).
/// `None` for an empty slice. NaN sorts last.
pub fn quantile(values: &[f64], q: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = q.clamp(0.0, 1.0) * (sorted.len().checked_sub(1)?) as f64;
    let below = sorted[at.floor() as usize];
    let above = sorted[at.ceil() as usize];
    Some(below + (above - below) * at.fract())
}
