//! Differences and ratios, taken seed by seed.

use super::estimate::{Estimate, MIN_SEEDS, Spread, half_width, interval};

/// Mean of `a - b` over pairs of observations with the same seed; `None` if there are none, or if
/// one is not finite.
pub fn paired_difference(pairs: &[(f64, f64)]) -> Option<Estimate> {
    let differences: Vec<f64> = pairs.iter().map(|(a, b)| a - b).collect();
    Estimate::of(&differences)
}

/// Ratio of the mean of the first values to the mean of the second values, over pairs with the same
/// seed; the values are not negative.
///
/// The standard error is that of the classical ratio estimator (Cochran, Sampling Techniques, ch.
/// 6): the deviations are `a - r b` seed by seed, and their standard error is divided by the mean
/// of the second values. The interval is taken on the logarithmic scale, as for any ratio. `None`
/// if there are no pairs, if a value, the ratio or its interval is not finite, or if the mean of
/// the second values is not positive.
pub fn paired_ratio(pairs: &[(f64, f64)]) -> Option<Estimate> {
    let (&first, n) = (pairs.first()?, pairs.len());
    if pairs.iter().any(|(a, b)| !a.is_finite() || !b.is_finite()) {
        return None;
    }
    let over: f64 = pairs.iter().map(|p| p.1).sum::<f64>() / n as f64;
    if over <= 0.0 {
        return None;
    }
    let mean = pairs.iter().map(|p| p.0).sum::<f64>() / n as f64 / over;
    // Nothing varied: all pairs are equal, or the numerator is 0 with every seed.
    let same = pairs.iter().all(|pair| *pair == first) || pairs.iter().all(|pair| pair.0 == 0.0);
    let spread = if n < MIN_SEEDS {
        Spread::TooFew
    } else if same {
        Spread::Same
    } else {
        let squares = pairs.iter().map(|(a, b)| (a - mean * b) * (a - mean * b)).sum();
        interval(mean, half_width(squares, n) / over, 0.0..=f64::INFINITY)
    };
    Estimate { mean, spread, n, of: n }.finite()
}
