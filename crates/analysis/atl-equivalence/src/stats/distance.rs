//! The distance of Kolmogorov and Smirnov between two samples, with a tolerance along the axis.

/// Mean of the Kolmogorov distribution, sqrt(pi/2) ln 2: the distance of a sample of n from its
/// population is on average this over sqrt(n).
pub const KOLMOGOROV_MEAN: f64 = 0.868_731_160_636_159_2;

/// The largest difference between the distribution functions of two sorted samples, where either
/// may be shifted by up to `tolerance`: the least e with F(x - tolerance) - e <= G(x) <= F(x +
/// tolerance) + e for all x. With a tolerance of 0 it is the two-sample Kolmogorov-Smirnov
/// statistic. 1 if only one sample is empty, 0 if both are.
pub fn distance(a: &[f64], b: &[f64], tolerance: f64) -> f64 {
    match (a.is_empty(), b.is_empty()) {
        (true, true) => 0.0,
        (false, false) => one_sided(a, b, tolerance).max(one_sided(b, a, tolerance)),
        _ => 1.0,
    }
}

/// The largest F_a(x) - F_b(x + tolerance): it is reached at an element of `a`.
fn one_sided(a: &[f64], b: &[f64], tolerance: f64) -> f64 {
    let (n, m) = (a.len() as f64, b.len() as f64);
    let mut below = 0;
    let mut largest: f64 = 0.0;
    for (i, x) in a.iter().enumerate() {
        while below < b.len() && b[below] <= x + tolerance {
            below += 1;
        }
        largest = largest.max((i + 1) as f64 / n - below as f64 / m);
    }
    largest
}

/// A bound on the distance of a sample's distribution function from its population's, at level 1 -
/// `alpha`, with `n` independent observations, which need not be whole (Dvoretzky, Kiefer,
/// Wolfowitz 1956, with the constant of Massart 1990).
pub fn distance_bound(n: f64, alpha: f64) -> f64 {
    ((2.0 / alpha).ln() / (2.0 * n)).sqrt().min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_worked_out_by_hand() {
        let a = [1.0, 2.0, 3.0, 4.0];
        assert!(distance(&a, &a, 0.0) <= 0.0);
        // F_a(2) = 1/2, F_b(2) = 0.
        let b = [2.5, 3.5, 4.5, 5.5];
        assert!((distance(&a, &b, 0.0) - 0.5).abs() < 1e-12);
        assert!((distance(&b, &a, 0.0) - 0.5).abs() < 1e-12);
        // Shifted by 1.5 they agree; by half a unit F_a(1) = 1/4 remains.
        assert!(distance(&a, &b, 1.5) <= 0.0);
        assert!((distance(&a, &b, 0.5) - 0.25).abs() < 1e-12);
        // Ties: F_a jumps by 3/4 at 1, F_b by 1/4.
        assert!((distance(&[1.0, 1.0, 1.0, 2.0], &[1.0, 2.0, 2.0, 2.0], 0.0) - 0.5).abs() < 1e-12);
        assert!((distance(&[], &a, 0.0) - 1.0).abs() < 1e-12);
        assert!(distance(&[], &[], 0.0) <= 0.0);
    }

    #[test]
    fn the_bound_is_massarts() {
        // 2 exp(-2 n e^2) = 0.05 at n = 100: e = 0.13581.
        assert!((distance_bound(100.0, 0.05) - 0.135_81).abs() < 1e-5);
        assert!((distance_bound(0.01, 0.05) - 1.0).abs() < 1e-12);
    }
}
