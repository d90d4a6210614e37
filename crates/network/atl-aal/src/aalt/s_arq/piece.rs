//! The sender's record of a CP-ARQ PDU, and of the CPCS-PDU of which it is a piece.

use atl_core::time::Time;

/// The state of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Waiting to be retransmitted.
    Queued,
    /// Sent. After `left` more control packets without it, it is retransmitted.
    InFlight { left: u16 },
    /// Received, as far as is known.
    Acknowledged,
}

/// A piece of a CPCS-PDU, cut when it is first sent. From then on its SN stands for these octets.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    /// Index of the CPCS-PDU, counted from the start of the connection.
    pub(super) whole: u64,
    /// Offset of the piece in the CPCS-PDU.
    pub(super) start: usize,
    /// Octets of the piece.
    pub(super) octets: usize,
    /// Cells of the PDU.
    pub(super) cells: u16,
    pub(super) state: State,
    /// To be sent regardless of the bit map.
    pub(super) forced: bool,
    /// Sent more than once.
    pub(super) again: bool,
    /// The outcome of the last transmission has been counted.
    pub(super) counted: bool,
    pub(super) sent_at: Time,
    /// Control packets received before it was sent.
    pub(super) sent_after: u64,
}

/// A CPCS-PDU held until it is delivered.
#[derive(Debug, Clone)]
pub(super) struct Whole {
    pub(super) octets: Vec<u8>,
    /// Octets cut into pieces.
    pub(super) cut: usize,
    /// The number of pieces that those octets were cut into.
    pub(super) pieces: usize,
}

impl Whole {
    /// True once pieces cover all of its octets.
    pub(super) fn is_cut(&self) -> bool {
        self.cut == self.octets.len()
    }
}
