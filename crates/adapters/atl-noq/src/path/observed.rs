//! A controller's state, as a host can read it.

use atl_core::model::{Adaptation, Aimd};
use atl_core::time::Span;
use atl_core::window::resume::Saved;

/// A controller's state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Observed {
    /// cwnd in packets.
    pub window: f64,
    /// ssthresh in packets; infinite before the first loss.
    pub ssthresh: f64,
    /// alpha and beta in force, of a controller that has them.
    pub aimd: Option<Aimd>,
    /// The inputs of the AIMD parameters; `None` for a controller that does not adapt them.
    pub adaptation: Option<Adaptation>,
    /// Smoothed and least RTT, from this adapter's own samples; `None` before the first.
    pub srtt: Option<Span>,
    /// Least RTT.
    pub rtt_min: Option<Span>,
    /// Packets in flight that elicit acknowledgments, probes included.
    pub in_flight: u32,
    /// Their bytes, without UDP and IP headers.
    pub bytes_in_flight: u64,
    /// The path's MTU: bytes of the largest datagram, without UDP and IP headers.
    pub mtu: u16,
    /// State from which a later connection over the same path may resume (RFC 9959); `None` for a
    /// controller that keeps none.
    pub saved: Option<Saved>,
    /// Event counts since the start.
    pub counts: Counts,
}

/// Events that a controller has been told of. Only packets that elicit acknowledgments count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Packets sent, without probes.
    pub sent: u64,
    /// Packets acknowledged, without probes.
    pub acked: u64,
    /// Packets lost, without probes.
    pub lost: u64,
    /// Packets that the link said it had lost ([`Marks`](crate::Marks)) while they were in flight.
    pub marked: u64,
    /// Packets that the link said it had lost after they had left the flight.
    pub marked_late: u64,
    /// Probes sent, acknowledged and lost.
    pub probes: [u64; 3],
    /// Packets that left the flight without a word: lost MTU probes, discarded packet-number
    /// spaces.
    pub settled: u64,
    /// Congestion events, those by ECN included.
    pub congestion_events: u64,
    /// CE marks among them.
    pub ecn: u64,
    /// Persistent congestion (RFC 9002, sec. 7.6).
    pub persistent: u64,
    /// Congestion events that were found spurious.
    pub spurious: u64,
    /// Those of them for which the window became again what it was.
    pub undone: u64,
}
