//! What is counted of a flow.

use atl_core::time::Span;
use atl_core::window::Aimd;

/// What happened to a flow's data packets in the network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fate {
    /// Dropped by full queues.
    pub dropped: u64,
    /// Lost on links.
    pub lost: u64,
    /// Copies that agents put onto the network, dropped and lost ones included.
    pub copies: u64,
}

/// What the ends of a flow have counted since it started.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// Data packets sent.
    pub sent: u64,
    /// Data packets that arrived.
    pub arrived: u64,
    /// Packets delivered to the application.
    pub delivered: u64,
    /// Bytes delivered to the application.
    pub delivered_bytes: u64,
    /// Packets sent again.
    pub retransmissions: u64,
    /// Expired retransmission timers.
    pub timeouts: u64,
    /// Source quenches that made the sender slow down.
    pub quench_reactions: u64,
    /// Episodes of loss: repaired by fast retransmit (TCP), answered by a lower rate (paced).
    pub recoveries: u64,
    /// Bytes of probes.
    pub probe_bytes: u64,
    /// Duplicates and packets out of order at the receiver; `None` if it does not count them.
    pub order: Option<(u64, u64)>,
    /// Packets declared lost whose acknowledgment came after all.
    pub spurious_losses: u64,
    /// Changes of path that the sender made.
    pub handoffs: u64,
}

/// The state of the ends of a flow at one time.
#[derive(Clone, Copy, Debug)]
pub struct State {
    /// Congestion window of the current path, in packets.
    pub cwnd: Option<f64>,
    /// Congestion window of a path that is used beside it, in packets.
    pub cwnd_beside: Option<f64>,
    /// Slow start threshold, in packets.
    pub ssthresh: Option<f64>,
    /// Sending rate, in bits per second.
    pub rate_bps: Option<f64>,
    /// Rate of a live encoder, in bits per second.
    pub encoder_bps: Option<f64>,
    /// Packets in flight.
    pub in_flight: u32,
    /// Smoothed RTT.
    pub srtt: Option<Span>,
    /// The present parameters of an AIMD controller.
    pub aimd: Option<Aimd>,
}

/// A flow's totals at one time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Totals {
    /// What became of its data packets.
    pub fate: Fate,
    /// Bytes of its data packets that have left its source's own interface.
    pub wire_bytes: u64,
    /// Data packets under way.
    pub under_way: u64,
    /// What its ends have counted.
    pub progress: Progress,
}
