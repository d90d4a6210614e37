//! Counters of a TCP sender.

/// Counters of a TCP sender since its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SenderCounts {
    /// Data packets sent, retransmissions included.
    pub sent: u64,
    /// Data packets among these that repeat a segment.
    pub retransmissions: u64,
    /// Expiries of the retransmission timer.
    pub timeouts: u64,
    /// Loss episodes repaired by fast retransmit.
    pub recoveries: u64,
    /// Low-priority probe packets sent.
    pub probes: u64,
    /// Those among them that carry a copy of a segment (NIL segments of TCP-Peach+).
    pub copies: u64,
    /// Their bytes on the wire, headers included.
    pub probe_bytes: u64,
    /// Transmissions declared lost whose ACK came after all. Counted only of senders with several
    /// paths.
    pub spurious_losses: u64,
    /// Moves of a mobile host to another path that the sender has learned of.
    pub handoffs: u64,
    /// Source quenches to which the sender reacted.
    pub quenches: u64,
}
