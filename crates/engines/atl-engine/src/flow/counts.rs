//! Counters of a flow.

use atl_core::time::Span;
use atl_core::window::Aimd;

/// Counts of a flow's data packets in the network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fate {
    /// Dropped by queues, on any link.
    pub dropped: u64,
    /// Lost on links, after the queue.
    pub lost: u64,
    /// Copies that agents and links put onto the network, including those dropped or lost.
    pub copies: u64,
}

/// Counts by the ends of a flow since it started.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// Data packets sent, retransmissions and probes that carry data included.
    pub sent: u64,
    /// Data packets that arrived, duplicates included.
    pub arrived: u64,
    /// Packets delivered to the application, each once.
    pub delivered: u64,
    /// Bytes delivered to the application, each once.
    pub delivered_bytes: u64,
    /// Number of retransmitted packets.
    pub retransmissions: u64,
    /// Number of expired retransmission timers.
    pub timeouts: u64,
    /// Source quenches that made the sender slow down.
    pub quench_reactions: u64,
    /// Episodes of loss: repaired by fast retransmit (TCP), answered by a lower rate (paced).
    pub recoveries: u64,
    /// Bytes of probes sent, headers included.
    pub probe_bytes: u64,
    /// Duplicates and packets out of order at the receiver; `None` if it does not count them.
    pub order: Option<(u64, u64)>,
    /// Packets declared lost that were acknowledged later.
    pub spurious_losses: u64,
    /// Changes of path by the sender.
    pub handoffs: u64,
    /// Data packets that arrived marked (CE); `None` without ECN.
    pub marked: Option<u64>,
    /// Application bytes, each once, that came over a cell that was not the mobile's current one;
    /// `None` if it is not known.
    pub elsewhere_bytes: Option<u64>,
}

/// The state of the ends of a flow at one time.
#[derive(Clone, Copy, Debug)]
pub struct State {
    /// Congestion window of the current path in packets.
    pub cwnd: Option<f64>,
    /// Congestion window in packets of a path used besides the current one.
    pub cwnd_beside: Option<f64>,
    /// Slow-start threshold in packets.
    pub ssthresh: Option<f64>,
    /// Sending rate in bits per second.
    pub rate_bps: Option<f64>,
    /// Rate of a live encoder in bits per second.
    pub encoder_bps: Option<f64>,
    /// The flow's packets in flight.
    pub in_flight: u32,
    /// Smoothed round-trip time.
    pub srtt: Option<Span>,
    /// Current parameters of an AIMD controller.
    pub aimd: Option<Aimd>,
}

/// A flow's totals at one time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Totals {
    /// Counts of its data packets in the network.
    pub fate: Fate,
    /// Bytes of its data packets that have left its source's own interface.
    pub wire_bytes: u64,
    /// Data packets neither arrived nor gone.
    pub under_way: u64,
    /// Counts by its ends.
    pub progress: Progress,
}
