//! What a sender counts.

/// What a sender counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SenderCounts {
    /// Data packets sent, retransmissions included.
    pub sent: u64,
    /// Retransmissions.
    pub retransmissions: u64,
    /// Expired retransmission timers.
    pub timeouts: u64,
    /// Loss episodes repaired by fast retransmit.
    pub recoveries: u64,
    /// Probe packets sent.
    pub probes: u64,
    /// Source quenches that it slowed down for.
    pub quenches: u64,
}
