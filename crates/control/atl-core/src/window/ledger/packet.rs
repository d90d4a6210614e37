//! Packets in a ledger.

use crate::setters::setters;
use crate::time::{Span, Time};

/// A packet-number space (RFC 9000, sec. 12.3). Numbers of different spaces may collide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NumberSpace {
    /// Initial packets of a QUIC handshake.
    Initial,
    /// Handshake packets of a QUIC handshake.
    Handshake,
    /// Application data, and the only space of protocols with one sequence of numbers.
    #[default]
    Data,
}

impl NumberSpace {
    pub(super) const ALL: [NumberSpace; 3] =
        [NumberSpace::Initial, NumberSpace::Handshake, NumberSpace::Data];
}

/// A packet number in its space. A plain number is one of [`NumberSpace::Data`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PacketId {
    /// The space, of which numbers are unique.
    pub space: NumberSpace,
    /// The number within the space.
    pub number: u64,
}

impl PacketId {
    /// Packet `number` of `space`.
    pub const fn new(space: NumberSpace, number: u64) -> Self {
        PacketId { space, number }
    }
}

impl From<u64> for PacketId {
    fn from(number: u64) -> Self {
        PacketId::new(NumberSpace::Data, number)
    }
}

/// A packet that a sender sends and that the peer is to acknowledge. Packets that elicit no
/// acknowledgment, such as bare ACKs, are not congestion controlled and are not passed to a ledger.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SentPacket {
    /// The time at which it left.
    pub now: Time,
    /// Its number, with its space.
    pub id: PacketId,
    /// Bytes on the wire, headers included.
    pub bytes: u32,
    /// True if it repeats data of an earlier packet. `false` by default.
    pub retransmission: bool,
    /// True if the application had no more data to send, so that the window did not limit the
    /// sender. `false` by default.
    pub app_limited: bool,
    /// True if it probes for a larger MTU: its loss is no sign of congestion (RFC 9000, sec. 14.4).
    /// `false` by default.
    pub mtu_probe: bool,
}

impl SentPacket {
    /// Packet `id` of `bytes` bytes leaves at `now`.
    #[inline]
    pub fn new(now: Time, id: impl Into<PacketId>, bytes: u32) -> Self {
        SentPacket {
            now,
            id: id.into(),
            bytes,
            retransmission: false,
            app_limited: false,
            mtu_probe: false,
        }
    }

    setters! { retransmission: bool, app_limited: bool, mtu_probe: bool }
}

/// The effect of an acknowledgment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Acknowledged {
    /// Packets that were in flight and have arrived.
    pub packets: u32,
    /// Their bytes on the wire.
    pub bytes: u64,
    /// The round-trip time that it measured, without the peer's delay.
    pub rtt: Option<Span>,
}
