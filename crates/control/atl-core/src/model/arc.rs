//! ARC's throughput equation and its inverse.

use super::positive;
use crate::time::Span;
use crate::units::Probability;

/// Packets per second that ARC allows at a congestion loss of `p_c` and a round-trip time of `rtt`.
///
/// Source: Akan and Akyildiz, ARC (2004), eq. 21, where 1/p_c stands as (1 - omega)/(pi - omega).
/// It is eq. 10 of the ATL paper with alpha = 1/R and beta = 1/2. `None` at p_c = 0 or R = 0, where
/// it sets no limit.
pub fn arc_throughput(p_c: Probability, rtt: Span) -> Option<f64> {
    positive((3.0 + (25.0 + 24.0 / p_c.get()).sqrt()) / (4.0 * rtt.secs()))
}

/// The congestion loss at which the ARC paper's eq. 21 allows `rate` packets per second.
///
/// At most 1, which allows 2.5 packets per round-trip time: eq. 21 has no lower rate. `None` for a
/// rate that is not positive and finite, and at R = 0.
pub fn arc_loss(rate: f64, rtt: Span) -> Option<Probability> {
    let packets = positive(positive(rate)? * rtt.secs())?;
    // 24 / p_c = (4 S R - 3)^2 - 25 = 8 (2 S R - 4) (S R + 0.5): this form does not lose digits
    // where p_c is near 1.
    let inverse = 8.0 * (2.0 * packets - 4.0) * (packets + 0.5) / 24.0;
    Some(Probability::clamped(1.0 / inverse.max(1.0)))
}
