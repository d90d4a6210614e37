//! Estimates: means with confidence intervals.

use std::ops::RangeInclusive;

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Confidence level of the intervals.
pub const CONFIDENCE: f64 = 0.95;

/// Number of observations from which there is an interval, and with it a verdict.
pub const MIN_SEEDS: usize = 5;

/// Bounds of a quantity that can be any number.
pub const UNBOUNDED: RangeInclusive<f64> = f64::NEG_INFINITY..=f64::INFINITY;

/// A mean with its confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(into = "Written")]
pub struct Estimate {
    /// Mean over the observations.
    pub mean: f64,
    /// Uncertainty of the mean.
    pub spread: Spread,
    /// Number of observations: seeds with a value.
    pub n: usize,
    /// Number of seeds that could have had one; more than `n` if the mean leaves some out.
    pub of: usize,
}

/// Uncertainty of a mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spread {
    /// Unknown, with fewer than [`MIN_SEEDS`] observations.
    TooFew,
    /// All observations are the same number.
    Same,
    /// Two-sided 95 % confidence interval.
    Interval {
        /// Lower end of the interval.
        low: f64,
        /// Upper end of the interval.
        high: f64,
    },
}

/// The JSON form of an estimate.
#[derive(Serialize)]
struct Written {
    mean: f64,
    /// Ends of the 95 % interval; null without one.
    low: Option<f64>,
    high: Option<f64>,
    /// `interval`, or the reason why there is none: `same` or `too-few-seeds`.
    spread: &'static str,
    n: usize,
    of: usize,
}

impl From<Estimate> for Written {
    fn from(estimate: Estimate) -> Written {
        let spread = match estimate.spread {
            Spread::TooFew => "too-few-seeds",
            Spread::Same => "same",
            Spread::Interval { .. } => "interval",
        };
        let Estimate { mean, n, of, .. } = estimate;
        Written { mean, low: estimate.low(), high: estimate.high(), spread, n, of }
    }
}

impl Estimate {
    /// Mean of independent observations without bounds, with its interval; `None` as for
    /// [`within`](Self::within).
    pub fn of(values: &[f64]) -> Option<Estimate> {
        Estimate::within(values, UNBOUNDED)
    }

    /// Mean of independent observations that cannot lie outside `bounds`, with an interval within
    /// them. `None` if there are no observations, or if one, their mean or its interval is not
    /// finite.
    ///
    /// If observations lie outside the bounds, which only a mistake elsewhere can cause, the
    /// interval is that of unbounded ones.
    pub fn within(values: &[f64], bounds: RangeInclusive<f64>) -> Option<Estimate> {
        let (&first, n) = (values.first()?, values.len());
        if values.iter().any(|v| !v.is_finite()) {
            return None;
        }
        let same = values.iter().all(|v| (v - first).abs() <= 0.0);
        // Summing and dividing equal numbers may change the last digit, so take the first.
        let mean = if same { first } else { values.iter().sum::<f64>() / n as f64 };
        let spread = if n < MIN_SEEDS {
            Spread::TooFew
        } else if same {
            Spread::Same
        } else {
            let squares = values.iter().map(|v| (v - mean) * (v - mean)).sum();
            let inside = values.iter().all(|v| bounds.contains(v));
            interval(mean, half_width(squares, n), if inside { bounds } else { UNBOUNDED })
        };
        Estimate { mean, spread, n, of: n }.finite()
    }

    /// The same estimate, if all its numbers are finite: sums of huge ones are not.
    pub(super) fn finite(self) -> Option<Estimate> {
        let ends = [self.low().unwrap_or_default(), self.high().unwrap_or_default()];
        (self.mean.is_finite() && ends.iter().all(|end| end.is_finite())).then_some(self)
    }

    /// The same estimate, which may leave out some of this many seeds.
    #[must_use]
    pub fn among(self, seeds: usize) -> Estimate {
        Estimate { of: seeds.max(self.n), ..self }
    }

    /// True if some seeds have no value.
    pub fn is_partial(&self) -> bool {
        self.n < self.of
    }

    /// The estimate in another unit; `factor` must be positive.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Estimate {
        let spread = match self.spread {
            Spread::Interval { low, high } => {
                Spread::Interval { low: low * factor, high: high * factor }
            }
            other => other,
        };
        Estimate { mean: self.mean * factor, spread, ..self }
    }

    /// Lower end of the interval, if there is one.
    pub fn low(&self) -> Option<f64> {
        match self.spread {
            Spread::Interval { low, .. } => Some(low),
            _ => None,
        }
    }

    /// Upper end of the interval, if there is one.
    pub fn high(&self) -> Option<f64> {
        match self.spread {
            Spread::Interval { high, .. } => Some(high),
            _ => None,
        }
    }

    /// Half of the interval's width; 0 if nothing varied, `None` with too few observations.
    pub fn half_width(&self) -> Option<f64> {
        match self.spread {
            Spread::TooFew => None,
            Spread::Same => Some(0.0),
            Spread::Interval { low, high } => Some((high - low) / 2.0),
        }
    }

    /// True if the observations rule out that the mean is `value`: it lies outside the interval, or
    /// all observations are the same other number.
    pub fn excludes(&self, value: f64) -> bool {
        match self.spread {
            Spread::TooFew => false,
            Spread::Same => (self.mean - value).abs() > 0.0,
            Spread::Interval { low, high } => value < low || value > high,
        }
    }
}

/// Half-width of the mean's interval, from the sum of squared deviations of `n` observations.
pub(super) fn half_width(squares: f64, n: usize) -> f64 {
    let degrees = n.saturating_sub(1);
    let t = t_quantile(degrees).unwrap_or(f64::INFINITY);
    t * (squares / (degrees as f64 * n as f64)).sqrt()
}

/// Interval of a mean within `bounds`, from its half-width without bounds.
pub(super) fn interval(mean: f64, half: f64, bounds: RangeInclusive<f64>) -> Spread {
    let (lower, upper) = (*bounds.start(), *bounds.end());
    let (above, below) = (mean - lower, upper - mean);
    let (low, high) = if above.is_infinite() && below.is_infinite() {
        (mean - half, mean + half)
    } else if below.is_infinite() {
        let factor = libm::exp(half / above);
        (lower + above / factor, lower + above * factor)
    } else if above.is_infinite() {
        let factor = libm::exp(half / below);
        (upper - below * factor, upper - below / factor)
    } else {
        let width = upper - lower;
        let factor = libm::exp(half * width / (above * below));
        // Inverse of the logit, in a form in which rounding cannot exceed the bounds.
        let odds = |odds: f64| lower + width / (1.0 + 1.0 / odds);
        (odds(above / below / factor), odds(above / below * factor))
    };
    Spread::Interval { low, high }
}

/// Two-sided 95 % quantile of Student's t distribution; `None` for 0 degrees of freedom.
pub fn t_quantile(degrees: usize) -> Option<f64> {
    let t = StudentsT::new(0.0, 1.0, degrees as f64).ok()?;
    Some(t.inverse_cdf(0.5 + CONFIDENCE / 2.0))
}
