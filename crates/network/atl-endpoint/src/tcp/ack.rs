//! The contents of an ACK.

use atl_core::time::Time;

use crate::options::{SackBlock, SackBlocks};

/// The contents of an ACK.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AckInfo {
    /// Number of the next expected segment.
    pub ack: u64,
    /// Low half of the number of the transmission that the ACK answers.
    pub echo_tx: u32,
    /// Sending time of that transmission; [`Time::MAX`] if the ACK answers none.
    pub echo_sent_at: Time,
    /// Marks counted by the receiver: ECE in bit 0 (RFC 3168), or the ACE field (RFC 9768); 0
    /// without ECN.
    pub ecn_flags: u8,
    /// Segments that arrived out of order, most recent first (RFC 2018, sec. 4). With D-SACK, the
    /// first block may report a duplicate ([`AckInfo::duplicate`]).
    pub sack: SackBlocks,
}

impl AckInfo {
    /// The duplicate segment that the ACK reports, if any. RFC 2883, sec. 4: the first block
    /// reports a duplicate if it lies below the cumulative ACK or inside the second block.
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
