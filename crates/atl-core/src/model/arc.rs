//! ARC's throughput equation.

use super::positive;
use crate::time::Span;
use crate::units::Probability;

/// Packets per second that ARC allows at a congestion loss of `p_c` and a round-trip time of `rtt`.
///
/// Source: Akan and Akyildiz, ARC (2004), eq. 21, where 1/p_c stands as (1 - omega)/(pi - omega). It is eq. 10
/// of the ATL paper with alpha = 1/R and beta = 1/2. `None` at p_c = 0 or R = 0, where it sets no limit.
pub fn arc_throughput(p_c: Probability, rtt: Span) -> Option<f64> {
    positive((3.0 + (25.0 + 24.0 / p_c.get()).sqrt()) / (4.0 * rtt.secs()))
}
