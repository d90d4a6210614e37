//! A receive window that the receiver announces anew in each ACK, and the probing of one that is
//! closed (RFC 9293, sec. 3.8.6.1).
//!
//! Most receivers here have as much room as the parameters say, always. One that passes data on,
//! such as a proxy, has less while what it got has not left.

use atl_core::time::{Span, Time};

/// The window that a receiver has announced.
#[derive(Clone, Copy, Debug)]
pub(super) struct Credit {
    /// One past the last segment for which it has room. It never falls.
    pub(super) edge: u64,
    /// When to ask whether there is room again; [`Time::MAX`] unless the window is closed and
    /// nothing is outstanding whose ACK would tell.
    pub(super) persist_due: Time,
    pub(super) interval: Span,
    pub(super) asking: bool,
}

impl Credit {
    pub(super) fn due(&self) -> Time {
        self.persist_due
    }
}
