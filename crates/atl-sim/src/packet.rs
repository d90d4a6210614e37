//! What travels over the links.

use atl_core::time::Time;

/// What a packet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A data segment.
    Data,
    /// An acknowledgment.
    Ack,
    /// A connection request.
    Syn,
    /// The answer to a connection request.
    SynAck,
}

/// A range of segments above the cumulative ACK: offset of the first from it, and their number (0: none).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SackBlock {
    /// Distance of the first segment from the cumulative ACK.
    pub offset: u32,
    /// Number of segments; 0 for a block that is not there.
    pub len: u32,
}

/// SACK blocks that fit into a header together with timestamps (RFC 2018, sec. 3).
pub const SACK_BLOCKS: usize = 3;

/// A packet: one cache line, carried by value.
#[derive(Clone, Copy, Debug)]
pub struct Packet {
    /// Data: when it was sent. ACK: when the packet that it answers was sent (RFC 7323).
    pub sent_at: Time,
    /// Data: number of the transmission. ACK: that of the packet that it answers.
    pub tx: u64,
    /// Data: number of the segment. ACK: next segment expected.
    pub seq: u64,
    /// Index of the flow.
    pub flow: u32,
    /// Place in the routing table: which link of its path it is on.
    pub hop: u32,
    /// Bytes on the wire.
    pub bytes: u32,
    /// What it is.
    pub kind: Kind,
    /// ACK: what arrived out of order, most recent first.
    pub sack: [SackBlock; SACK_BLOCKS],
}

impl atl_link::Packet for Packet {
    #[inline]
    fn wire_bytes(&self) -> u32 {
        self.bytes
    }
}
