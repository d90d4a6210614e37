//! A pause of a sender: who asked for it, and what is left of its timers.

use atl_core::time::{Span, Time};

/// Who froze a sender. Each end says only what it knows of its own link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrozenBy {
    /// Its own host.
    Host,
    /// The receiver, by a window of zero.
    Peer,
}

/// A sender's pause: over when neither end wants it any more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frozen {
    pub(super) by_host: bool,
    pub(super) by_peer: bool,
    /// What was left of the retransmission timer.
    pub(super) timer_left: Span,
    /// When it asks whether the window is open again.
    pub(super) persist_due: Time,
    pub(super) interval: Span,
    /// The packet that asks is to go out.
    pub(super) asking: bool,
}

impl Frozen {
    pub(super) fn set(&mut self, by: FrozenBy, frozen: bool) {
        match by {
            FrozenBy::Host => self.by_host = frozen,
            FrozenBy::Peer => self.by_peer = frozen,
        }
    }
}
