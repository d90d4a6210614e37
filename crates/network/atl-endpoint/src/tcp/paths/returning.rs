//! Where a sender goes back to if the far end of the current path does not answer.

use atl_core::path::PathId;
use atl_core::time::{Span, Time};

/// See [the module](self).
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Return {
    /// The last path whose far end has answered.
    pub(in crate::tcp) to: PathId,
    /// Window and slow start threshold there, in packets.
    pub(in crate::tcp) window: (f64, f64),
    pub(in crate::tcp) rtt: Option<Span>,
    /// A notice without a tag says that it is gone.
    pub(in crate::tcp) gone: bool,
    /// The current path has failed by then; [`Time::MAX`] while the sender is frozen.
    pub(in crate::tcp) at: Time,
    /// Time left when the sender was frozen: it asks nothing meanwhile, so nobody can answer.
    left: Option<Span>,
}

impl Return {
    /// A return within `limit`, which does not run while the sender is frozen.
    pub(in crate::tcp) fn new(
        now: Time,
        to: PathId,
        (window, rtt): ((f64, f64), Option<Span>),
        (limit, frozen): (Span, bool),
    ) -> Self {
        let mut back =
            Return { to, window, rtt, gone: false, at: now.saturating_add(limit), left: None };
        if frozen {
            (back.at, back.left) = (Time::MAX, Some(limit));
        }
        back
    }

    /// The sender is frozen: time does not count.
    pub(in crate::tcp) fn hold(&mut self, now: Time) {
        if self.left.is_none() {
            self.left = Some(self.at.since(now));
            self.at = Time::MAX;
        }
    }

    /// The sender goes on.
    pub(in crate::tcp) fn resume(&mut self, now: Time) {
        if let Some(left) = self.left.take() {
            self.at = now.saturating_add(left);
        }
    }
}
