//! Jain's fairness index, and quantiles.

/// Jain's fairness index `(sum x)^2 / (n sum x^2)`: 1 if all shares are equal, 1/n if one flow has
/// everything (Jain, Chiu and Hawe 1984). `None` if there are no shares, or if all are zero.
pub fn jain(shares: &[f64]) -> Option<f64> {
    let sum: f64 = shares.iter().sum();
    let squares: f64 = shares.iter().map(|x| x * x).sum();
    (squares > 0.0).then(|| sum * sum / (shares.len() as f64 * squares))
}

/// The `q`-quantile, `q` from 0 to 1, interpolated between the two nearest observations (type 7 of
/// Hyndman and Fan). `None` for an empty slice. NaN sorts last.
pub fn quantile(values: &[f64], q: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = q.clamp(0.0, 1.0) * (sorted.len().checked_sub(1)?) as f64;
    let below = sorted[at.floor() as usize];
    let above = sorted[at.ceil() as usize];
    Some(below + (above - below) * at.fract())
}
