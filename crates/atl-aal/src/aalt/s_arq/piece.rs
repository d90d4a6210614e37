//! A CP-ARQ PDU as the sender remembers it, and the CPCS-PDU it is a piece of.

use atl_core::time::Time;

/// Where a piece stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// To be sent again.
    Queued,
    /// Sent; so many control packets without it and it is sent again.
    InFlight { left: u16 },
    /// It has come, as far as is known.
    Acknowledged,
}

/// A piece of a CPCS-PDU, cut when it was first sent: its SN stands for these octets for ever.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    /// Which CPCS-PDU, counted from the first of the connection.
    pub(super) whole: u64,
    /// Its first octet there.
    pub(super) start: usize,
    /// Its octets.
    pub(super) octets: usize,
    /// Cells of its PDU.
    pub(super) cells: u16,
    pub(super) state: State,
    /// To be sent whatever the bit map says.
    pub(super) forced: bool,
    /// Sent more than once.
    pub(super) again: bool,
    /// What became of its last transmission is counted.
    pub(super) counted: bool,
    pub(super) sent_at: Time,
    /// Control packets that had come when it was sent.
    pub(super) sent_after: u64,
}

/// A CPCS-PDU held until it is delivered.
#[derive(Debug, Clone)]
pub(super) struct Whole {
    pub(super) octets: Vec<u8>,
    /// Octets cut into pieces so far.
    pub(super) cut: usize,
    /// Pieces cut so far.
    pub(super) pieces: usize,
}

impl Whole {
    /// Whether all of it was sent once.
    pub(super) fn is_cut(&self) -> bool {
        self.cut == self.octets.len()
    }
}
