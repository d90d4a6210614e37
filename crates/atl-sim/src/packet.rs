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

/// The SACK blocks of an ACK.
pub type SackBlocks = [SackBlock; SACK_BLOCKS];

/// A packet, carried by value from link to link: half a cache line, as copying it is much of what a hop costs.
/// Sequence and transmission numbers are the low halves of the endpoints' numbers, as in TCP's own header;
/// `expand` restores them. SACK blocks, which few ACKs have, are kept aside.
#[derive(Clone, Copy, Debug)]
pub struct Packet {
    /// Data: when it was sent. ACK: when the packet that it answers was sent (RFC 7323).
    pub sent_at: Time,
    /// Data: number of the segment. ACK: next segment expected.
    pub seq: u32,
    /// Data: number of the transmission. ACK: that of the packet that it answers.
    pub tx: u32,
    /// Index of the flow.
    pub flow: u32,
    /// Place in the routing table: which link of its path it is on.
    pub hop: u32,
    /// ACK: where its SACK blocks are kept.
    pub sack: SackId,
    /// Bytes on the wire.
    pub bytes: u16,
    /// What it is.
    pub kind: Kind,
    /// Data on its way to leave its source's own interface.
    pub first_hop: bool,
}

const _: () = assert!(size_of::<Packet>() == 32);

impl atl_link::Packet for Packet {
    #[inline]
    fn wire_bytes(&self) -> u32 {
        u32::from(self.bytes)
    }
}

/// The number nearest to `near` whose low half is `low`.
#[inline]
pub fn expand(near: u64, low: u32) -> u64 {
    near.wrapping_add_signed(i64::from(low.wrapping_sub(near as u32).cast_signed()))
}

/// Where the SACK blocks of an ACK are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SackId(u32);

impl SackId {
    /// An ACK without blocks.
    pub const NONE: SackId = SackId(u32::MAX);
}

/// The SACK blocks of the ACKs that are on their way.
#[derive(Debug, Default)]
pub struct SackStore {
    blocks: Vec<SackBlocks>,
    free: Vec<u32>,
}

impl SackStore {
    /// Keeps the blocks of an ACK; an ACK without any needs no place.
    #[inline]
    pub fn put(&mut self, blocks: &SackBlocks) -> SackId {
        if blocks[0].len == 0 {
            return SackId::NONE;
        }
        match self.free.pop() {
            Some(at) => {
                self.blocks[at as usize] = *blocks;
                SackId(at)
            }
            None => {
                self.blocks.push(*blocks);
                SackId(self.blocks.len() as u32 - 1)
            }
        }
    }

    /// Gives the blocks back, and their place free. To be called once for each ACK, also a lost one.
    #[inline]
    pub fn take(&mut self, id: SackId) -> SackBlocks {
        if id == SackId::NONE {
            return SackBlocks::default();
        }
        self.free.push(id.0);
        self.blocks[id.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_low_half_expands_to_the_nearest_number() {
        let near = 5u64 << 32;
        assert_eq!(expand(near, 7), near + 7);
        assert_eq!(expand(near, u32::MAX), near - 1);
        assert_eq!(expand(near + 10, 3), near + 3);
        assert_eq!(expand(0, 12), 12);
    }

    #[test]
    fn blocks_come_back_and_their_place_is_used_again() {
        let mut store = SackStore::default();
        let blocks = [SackBlock { offset: 1, len: 2 }; SACK_BLOCKS];
        let id = store.put(&blocks);
        assert_eq!(store.take(id), blocks);
        assert_eq!(store.put(&blocks), id);
        let none = store.put(&SackBlocks::default());
        assert_eq!((none, store.take(none)), (SackId::NONE, SackBlocks::default()));
    }
}
