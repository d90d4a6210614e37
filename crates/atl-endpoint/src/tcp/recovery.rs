//! How a TCP sender repairs losses.

/// How a TCP sender repairs losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// Fast retransmit and fast recovery of RFC 5681: ends at the first new ACK.
    Reno,
    /// NewReno (RFC 6582): partial ACKs keep recovery going.
    NewReno,
    /// Selective acknowledgments (RFC 2018, RFC 6675).
    Sack,
    /// Selective acknowledgments, and losses judged by time: also lost retransmissions and lost tails are found
    /// without the timer (RFC 8985, RACK-TLP).
    Rack,
    /// Fast retransmit without fast recovery: slow start after each loss (Jacobson 1988).
    Tahoe,
    /// Go-back-N ARQ (AAL-T paper, eq. 3 and 4): the receiver keeps nothing that is out of order, and at the first sign
    /// of a loss everything from the hole on is sent again.
    GoBackN,
    /// No error control (AAL-T paper, sec. 5.1: an infinite retransmission timer): nothing is ever sent again. For a TCP
    /// above a layer that repairs everything.
    None,
}

impl Recovery {
    /// The receiver answers with selective acknowledgments.
    pub fn selective(self) -> bool {
        matches!(self, Recovery::Sack | Recovery::Rack)
    }
}
