//! What some ACKs carry beyond a number: SACK blocks, and what the receiver has to say.

use atl_core::path::LinkReport;

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

/// What a wireless receiver says of its own link (ATL paper, sec. IV-A, cases 2 and 3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WirelessOption {
    /// Its handoffs so far. Each report repeats it, so that the event survives the loss of the ACK that told of
    /// it first.
    pub epoch: u32,
    /// p_w and d_w.
    pub link: LinkReport,
}

/// What the receiver says beyond what it has got.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Extras {
    /// Its wireless link.
    pub wireless: Option<WirelessOption>,
    /// The rate that it asks for, in packets per second.
    pub rate: Option<f64>,
    /// Its window, where that has just changed: closed (zero) or open.
    pub open: Option<bool>,
}

impl Extras {
    /// Nothing to say.
    pub const NONE: Extras = Extras { wireless: None, rate: None, open: None };

    /// True if it says nothing.
    pub fn is_none(&self) -> bool {
        self.wireless.is_none() && self.rate.is_none() && self.open.is_none()
    }
}
