//! What an ACK says.

use atl_core::time::Time;

use crate::options::{SackBlock, SackBlocks};

/// What an ACK says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AckInfo {
    /// Next segment expected.
    pub ack: u64,
    /// Number of the transmission that it answers (its low half).
    pub echo_tx: u32,
    /// When that transmission was sent; [`Time::MAX`] of an ACK that answers none.
    pub echo_sent_at: Time,
    /// What arrived out of order, most recent first (RFC 2018, sec. 4). A receiver that was asked to reports a
    /// duplicate in the first block ([`AckInfo::duplicate`]).
    pub sack: SackBlocks,
}

impl AckInfo {
    /// The segment that arrived again (RFC 2883, sec. 4: the first block tells of a duplicate if it is below the
    /// cumulative ACK or inside the second block).
    pub fn duplicate(&self) -> Option<u64> {
        let [first, second, _] = self.sack;
        if first.len == 0 {
            return None;
        }
        let below = first.offset.cast_signed() < 0;
        let end = |block: SackBlock| u64::from(block.offset) + u64::from(block.len);
        let inside = first.offset >= second.offset && end(first) <= end(second);
        (below || inside)
            .then(|| self.ack.wrapping_add_signed(i64::from(first.offset.cast_signed())))
    }
}
