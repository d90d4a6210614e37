//! What is counted of a flow.

use atl_core::time::{Span, Time};
use atl_core::window::Aimd;

/// What happened to a flow's data packets in the network.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fate {
    /// Dropped by full queues.
    pub dropped: u64,
    /// Lost on links.
    pub lost: u64,
    /// Copies that agents put onto the network, dropped and lost ones included.
    pub copies: u64,
}

/// What a run measures beyond what costs nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Keep a histogram of each flow's RTT samples.
    pub rtt: bool,
    /// Measure the jitter of each flow's data packets.
    pub jitter: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { rtt: true, jitter: true }
    }
}

/// What the ends of a flow have counted since it started.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Progress {
    pub sent: u64,
    pub arrived: u64,
    /// Packets delivered to the application.
    pub delivered: u64,
    pub delivered_bytes: u64,
    pub retransmissions: u64,
    pub timeouts: u64,
    pub quench_reactions: u64,
    pub recoveries: u64,
    pub probe_bytes: u64,
    /// Duplicates and packets out of order at the receiver; `None` if it does not count them.
    pub order: Option<(u64, u64)>,
    pub spurious_losses: u64,
    pub handoffs: u64,
}

/// The state of the ends of a flow at one time.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub cwnd: Option<f64>,
    pub ssthresh: Option<f64>,
    pub rate_bps: Option<f64>,
    pub encoder_bps: Option<f64>,
    pub in_flight: u32,
    pub srtt: Option<Span>,
    pub aimd: Option<Aimd>,
}

/// A flow's totals when measurement began.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Baseline {
    pub at: Time,
    pub fate: Fate,
    pub wire_bytes: u64,
    /// Data packets under way.
    pub under_way: u64,
    pub progress: Progress,
}

impl Baseline {
    /// Nothing counted up to this time.
    pub(super) fn at(at: Time) -> Self {
        Baseline { at, ..Baseline::default() }
    }
}
