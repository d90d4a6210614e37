//! Probes and their answers.

use std::time::Instant;

use atl_core::time::Span;

/// The most acknowledged probes that are kept for a host.
pub(super) const MAX_KEPT: usize = 1 << 14;

/// A full-sized probe was acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbeAcked {
    /// When the acknowledgment arrived.
    pub at: Instant,
    /// Its round-trip time, the peer's delay included.
    pub rtt: Span,
}
