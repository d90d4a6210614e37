//! A test of whether two sets of counts come from the same distribution.

use statrs::distribution::{ChiSquared, ContinuousCDF};

/// The least count expected of a cell; neighbours are joined until they have it.
const LEAST: f64 = 5.0;

/// Pearson's statistic for the homogeneity of two rows of counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Homogeneity {
    /// The sum of (observed - expected)^2 / expected over all cells.
    pub statistic: f64,
    /// Degrees of freedom: one less than the cells that remain.
    pub degrees: f64,
}

impl Homogeneity {
    /// The probability of such a statistic, or a larger one, if the rows come from one
    /// distribution. `inflation` is the mean of statistic over degrees of freedom where that is so;
    /// with counts that are not independent it is above 1 (the correction of Rao and Scott 1981).
    pub fn p_value(&self, inflation: f64) -> f64 {
        let distribution = ChiSquared::new(self.degrees);
        distribution.map_or(1.0, |chi| chi.sf(self.statistic / inflation.max(1.0)))
    }
}

/// Compares two rows of counts. Cells in which a row would expect fewer than five are joined with
/// their neighbours. `None` if less than two remain.
pub fn homogeneity(a: &[u64], b: &[u64]) -> Option<Homogeneity> {
    let sum = |row: &[u64]| row.iter().sum::<u64>() as f64;
    let (n, m) = (sum(a), sum(b));
    if n <= 0.0 || m <= 0.0 {
        return None;
    }
    let expected = |(x, y): (f64, f64)| ((x + y) * n / (n + m), (x + y) * m / (n + m));
    let enough = |cell: &(f64, f64)| {
        let (e, f) = expected(*cell);
        e.min(f) >= LEAST
    };
    let mut cells: Vec<(f64, f64)> = Vec::new();
    let mut open = (0.0, 0.0);
    for (x, y) in a.iter().zip(b) {
        open = (open.0 + *x as f64, open.1 + *y as f64);
        if enough(&open) {
            cells.push(std::mem::take(&mut open));
        }
    }
    if let Some(last) = cells.last_mut() {
        *last = (last.0 + open.0, last.1 + open.1);
    }
    let square = |cell: &(f64, f64)| {
        let (e, f) = expected(*cell);
        (cell.0 - e).powi(2) / e + (cell.1 - f).powi(2) / f
    };
    let degrees = cells.len().checked_sub(1).filter(|degrees| *degrees > 0)? as f64;
    Some(Homogeneity { statistic: cells.iter().map(square).sum(), degrees })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_statistic_is_that_of_a_table_worked_out_by_hand() {
        // 2 x 2: 10 of 30 against 20 of 30: 60 (10*10 - 20*20)^2 / (30 * 30 * 30 * 30) = 6.6667, p
        // = 0.00982.
        let found = homogeneity(&[10, 20], &[20, 10]).expect("two cells");
        assert!((found.statistic - 6.666_667).abs() < 1e-5 && (found.degrees - 1.0).abs() < 1e-12);
        assert!((found.p_value(1.0) - 0.009_823).abs() < 1e-5, "{}", found.p_value(1.0));
        // With twice the variance: 3.3333, p = 0.0679.
        assert!((found.p_value(2.0) - 0.067_889).abs() < 1e-5);
        assert!((found.p_value(0.5) - found.p_value(1.0)).abs() < 1e-12, "never below 1");
    }

    #[test]
    fn sparse_cells_are_joined() {
        let found = homogeneity(&[100, 50, 3, 1, 0], &[1000, 500, 30, 10, 4]).expect("cells");
        // The last three would expect 3, 1 and 0.4 of the first row: they join the second.
        assert!((found.degrees - 1.0).abs() < 1e-12, "{found:?}");
        assert_eq!(homogeneity(&[3, 1], &[10, 10]), None);
        assert_eq!(homogeneity(&[0, 0], &[10, 10]), None);
    }
}
