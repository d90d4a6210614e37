//! What a host knows of its path: reports from the wireless link, and the split of the end-to-end loss
//! and round-trip time into a wireless and a congestion part (ATL paper, eq. 2-6 and 14-17).

use crate::time::Span;
use crate::units::Probability;

/// What a wireless link's MAC layer tells the transport above it (ATL paper, sec. IV-A).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkReport {
    /// p_w: share of the link's transmissions that were lost on it, over the link's own sliding window.
    pub loss: Probability,
    /// d_w: one-way delay that the link adds.
    pub delay: Span,
}
