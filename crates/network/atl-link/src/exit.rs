//! Exits of a link: packets delivered, lost or dropped, and changes of network.

use atl_core::time::{Span, Time};

/// A packet that leaves the link, or a change of network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exit<P> {
    /// A packet arrived at the far end.
    Delivered(P),
    /// A packet arrived, and a copy of it right behind it ([`Conditions::duplicate`]). The caller,
    /// who owns packets, makes the copy.
    ///
    /// [`Conditions::duplicate`]: crate::Conditions::duplicate
    DeliveredTwice(P),
    /// The link lost a packet; reported at the time when it would have arrived. The sender's MAC
    /// layer learns of it, except for [`Cause::Congestion`], a loss further on.
    Lost(P, Cause),
    /// The queue dropped the packet instead of transmitting it, at this time, or had no room for it
    /// as it [took over](crate::Conditions::queue) from another. It is reported with the next exit:
    /// a link has no event of its own for the beginning of a transmission.
    Dropped(P, Time),
    /// The link has changed to another network.
    Changed(ChangeEvent),
}

/// The reason for which a link lost a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The loss process of the network, or bit errors in a packet that cannot carry them.
    Error,
    /// The transmission ended during a blackout.
    Blackout,
    /// The packet was on the wire at a change of network with
    /// [`AtChange::Lose`](crate::AtChange::Lose).
    Change,
    /// Congestion on the wired part of a modelled path ([`Loss::Path`](crate::Loss::Path)), after
    /// the MAC had transmitted the packet.
    Congestion,
}

/// A change of conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangeEvent {
    /// Index of the change in [`Config::schedule`](crate::Config::schedule).
    pub index: usize,
    /// One-way delay just before the change.
    pub old_delay: Span,
    /// One-way delay just after it.
    pub new_delay: Span,
}
