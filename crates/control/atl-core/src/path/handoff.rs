//! Vertical handoffs: moves between networks of different kinds.

use crate::setters::setters;
use crate::time::{Span, Time};

/// An end of the path, as the sender sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The end of the sender of the data.
    Own,
    /// The end of the receiver of the data.
    Peer,
}

/// A vertical handoff: an end of the path has moved to another network.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Handoff {
    /// The time at which the sender learned of it.
    pub now: Time,
    /// The end that changed networks. The sender knows of its own handoff at once and for certain.
    /// It learns of the receiver's from an ACK, about half a round trip late, and the delays are
    /// then the receiver's claims.
    pub end: End,
    /// One-way delay of the wireless link before the handoff.
    pub old_delay: Span,
    /// One-way delay of the wireless link from now on.
    pub new_delay: Span,
}

impl Handoff {
    /// At `now` the sender learned that `end` moved from a link of `old_delay` to one of
    /// `new_delay`, one way.
    #[inline]
    pub const fn new(now: Time, end: End, old_delay: Span, new_delay: Span) -> Self {
        Handoff { now, end, old_delay, new_delay }
    }

    setters! { now: Time }
}
