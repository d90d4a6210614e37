//! Counters of a link.

/// Packets and bytes since the link was created.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Packets offered.
    pub offered: u64,
    /// Packets delivered at the far end.
    pub delivered: u64,
    /// Packets that were delivered twice, each counted once in `delivered` and `delivered_bytes`.
    pub duplicated: u64,
    /// Packets lost ahead of the queue ([`Conditions::ingress`](crate::Conditions::ingress)),
    /// included in `dropped`.
    pub lost_on_entry: u64,
    /// Packets dropped by the queue and reported: by [`Link::offer`](crate::Link::offer), or as an
    /// [`Exit::Dropped`](crate::Exit::Dropped).
    pub dropped: u64,
    /// Packets lost after the queue, by any [`Cause`](crate::Cause).
    pub lost: u64,
    /// Packets lost to [`Cause::Congestion`](crate::Cause::Congestion), included in `lost`; link
    /// reports ignore them.
    pub congested: u64,
    /// Packets delivered with bit errors, included in `delivered`.
    pub damaged: u64,
    /// Packets marked: on entry, including those that the queue then dropped, or by the queue's
    /// discipline.
    pub marked: u64,
    /// Bytes delivered at the far end.
    pub delivered_bytes: u64,
    /// Packets whose transmission has begun, including lost ones. Counted at the start of
    /// transmission, so the packet in transmission is included.
    pub transmitted: u64,
    /// Bytes of those packets.
    pub transmitted_bytes: u64,
}

impl Counters {
    /// Packets that the link's MAC took for delivered: it does not see congestion further on.
    pub fn mac_passed(&self) -> u64 {
        self.delivered + self.congested
    }

    /// Packets that the link's MAC took for lost.
    pub fn mac_lost(&self) -> u64 {
        self.lost - self.congested
    }

    /// Packets still in the link: waiting, in transmission or on the wire.
    pub fn held(&self) -> u64 {
        self.offered - self.delivered - self.dropped - self.lost
    }
}
