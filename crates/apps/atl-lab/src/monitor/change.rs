//! Calls of a controller, as the monitor sees them.

use std::time::Instant;

/// A congestion event, as libraries report them.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// Time of the report.
    pub now: Instant,
    /// Time at which its newest packet was sent.
    pub sent: Instant,
    /// True for persistent congestion.
    pub persistent: bool,
    /// Bytes that are declared lost.
    pub lost: u64,
}

/// A window before and after a call.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// Bytes before the call.
    pub before: u64,
    /// Bytes after the call.
    pub after: u64,
}

impl Change {
    pub(super) fn growth(self) -> u64 {
        self.after.saturating_sub(self.before)
    }
}
