//! Optional fields of ACKs: SACK blocks, and the receiver's reports to the sender.

pub use atl_wire::{PeerInfo, PeerLinkReport};

/// A range of segments above the cumulative ACK.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SackBlock {
    /// Distance of the first segment from the cumulative ACK.
    pub offset: u32,
    /// Number of segments; 0 marks an unused block.
    pub len: u32,
}

/// Number of SACK blocks that fit into a header together with timestamps (RFC 2018, sec. 3).
pub const SACK_BLOCKS: usize = 3;

/// The SACK blocks of an ACK.
pub type SackBlocks = [SackBlock; SACK_BLOCKS];
