//! Quantiles and their intervals by order statistics.

use statrs::distribution::{Binomial, DiscreteCDF};

use super::Interval;

/// The `q`-quantile of a sorted sample, interpolated between neighbours (type 7 of Hyndman and
/// Fan); NaN of none.
pub fn quantile(sorted: &[f64], q: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let at = q.clamp(0.0, 1.0) * last as f64;
    let (below, above) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
    below + (above - below) * at.fract()
}

/// The interval of the population's `q`-quantile at level 1 - `alpha` between two order statistics
/// of a sorted sample, whatever the distribution: the number of observations below the quantile is
/// binomial. The sample's extremes where it is too small; `None` of an empty one.
pub fn order_statistics(sorted: &[f64], q: f64, alpha: f64) -> Option<Interval> {
    let n = sorted.len();
    let binomial = Binomial::new(q, n as u64).ok().filter(|_| n > 0)?;
    let low = binomial.inverse_cdf(alpha / 2.0) as usize;
    let high = binomial.inverse_cdf(1.0 - alpha / 2.0) as usize;
    // Ranks from 1: the lower one is at most `low`, the upper one at least `high` + 1.
    Some(Interval { low: sorted[low.saturating_sub(1)], high: sorted[high.min(n - 1)] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_interpolated() {
        let sorted = [1.0, 2.0, 4.0];
        assert!((quantile(&sorted, 0.5) - 2.0).abs() < 1e-12);
        assert!((quantile(&sorted, 0.75) - 3.0).abs() < 1e-12);
        assert!(quantile(&[], 0.5).is_nan());
    }

    #[test]
    fn the_median_of_a_hundred_lies_between_known_ranks() {
        let sorted: Vec<f64> = (1..=100).map(f64::from).collect();
        // Tables for n = 100 at 95 %: ranks 40 and 61.
        let interval = order_statistics(&sorted, 0.5, 0.05).expect("a sample");
        assert!(
            (interval.low - 40.0).abs() < 1e-12 && (interval.high - 61.0).abs() < 1e-12,
            "{interval:?}"
        );
        // Five are too few for an upper end of the 95 % quantile: the greatest stands in.
        let few = order_statistics(&sorted[..5], 0.95, 0.05).expect("a sample");
        assert!((few.high - 5.0).abs() < 1e-12);
        assert_eq!(order_statistics(&[], 0.5, 0.05), None);
    }
}
