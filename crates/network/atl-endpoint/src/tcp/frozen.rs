//! The state of a frozen sender: which end froze it, and the remaining time of its timers.

use atl_core::time::Span;

use super::persist::Persist;

/// The end that froze a sender. Each end speaks only for its own link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrozenBy {
    /// The host of the sender.
    Host,
    /// The receiver, with a zero window.
    Peer,
}

/// A frozen sender. It thaws when neither end keeps it frozen.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frozen {
    pub(super) by_host: bool,
    pub(super) by_peer: bool,
    /// Remaining time of the retransmission timer.
    pub(super) timer_left: Span,
    /// Runs while the receiver keeps it frozen.
    pub(super) persist: Persist,
}

impl Frozen {
    pub(super) fn set(&mut self, by: FrozenBy, frozen: bool) {
        match by {
            FrozenBy::Host => self.by_host = frozen,
            FrozenBy::Peer => self.by_peer = frozen,
        }
    }
}
