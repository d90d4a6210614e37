//! What a link counts.

/// Packets and bytes of a link since it began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Packets offered to it.
    pub offered: u64,
    /// Packets that came out at the other end.
    pub delivered: u64,
    /// Packets that its queue dropped.
    pub dropped: u64,
    /// Packets lost after the queue, by any [`Cause`](crate::Cause).
    pub lost: u64,
    /// How many of these were lost to [`Cause::Congestion`](crate::Cause::Congestion): the link's reports leave them
    /// out.
    pub congested: u64,
    /// Packets that came out with wrong bits; they are counted in `delivered` too.
    pub damaged: u64,
    /// Packets that were marked as they came in, those included that the queue dropped nevertheless.
    pub marked: u64,
    /// Bytes that came out at the other end.
    pub delivered_bytes: u64,
    /// Packets whose transmission began, those included that are lost; counted at the beginning of the
    /// transmission, so that it is ahead by the one packet in transmission.
    pub transmitted: u64,
    /// Bytes of the same.
    pub transmitted_bytes: u64,
}

impl Counters {
    /// Packets that are still in the link: waiting, in transmission, or on the wire.
    pub fn held(&self) -> u64 {
        self.offered - self.delivered - self.dropped - self.lost
    }
}
