//! What comes out of a link.

use atl_core::time::Span;

/// What comes out of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exit<P> {
    /// A packet, at the other end.
    Delivered(P),
    /// A packet that the link lost, at the time at which it would have arrived: the sender's MAC layer
    /// learns of it, unless [`Cause::Congestion`] says that it was lost further on.
    Lost(P, Cause),
    /// The link is in another network from now on.
    Changed(ChangeEvent),
}

/// Why a link lost a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The loss process of the network; also bit errors, of a packet that cannot carry them.
    Error,
    /// Its transmission ended during a blackout.
    Blackout,
    /// It was on the wire at a change of networks, with [`AtChange::Lose`](crate::AtChange::Lose).
    Change,
    /// Congestion on the wired part of a modelled path ([`Loss::Path`](crate::Loss::Path)): the MAC had transmitted it.
    Congestion,
}

/// A change of conditions that has taken place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangeEvent {
    /// Its place in [`Config::schedule`](crate::Config::schedule).
    pub index: usize,
    /// One-way delay just before it.
    pub old_delay: Span,
    /// One-way delay from then on.
    pub new_delay: Span,
}
