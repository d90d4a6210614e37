//! The records of a run's threads.

use atl_core::time::Time;
use atl_endpoint::media::Playout;
use atl_endpoint::meters::{Arrivals, Offered};
use atl_endpoint::paced::PacedSender;
use atl_engine::flow::State;
use atl_engine::flow::record::NetworkRtts;
use atl_net::lateness::Lateness;

/// Counts of a sender.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sent {
    pub sent: u64,
    pub decreases: u64,
    pub probe_bytes: u64,
}

/// A sender at the end of a run.
#[derive(Debug)]
pub(crate) struct SenderRecord {
    pub sender: PacedSender,
    pub start: Time,
    pub before: Sent,
    pub after: Sent,
    pub rtts: NetworkRtts,
    pub offered: Option<Box<Offered>>,
    pub samples: Vec<State>,
    /// Lateness of the packets that left.
    pub lateness: Lateness,
    /// Data packets that the host had not handed to its interface yet.
    pub held: u64,
}

/// Counts of a receiver.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Received {
    pub arrived: u64,
    pub payload_bytes: u64,
    /// When the last data packet arrived.
    pub last_arrival: Time,
    /// Data packets that arrived marked; `None` without ECN.
    pub marked: Option<u64>,
}

/// A receiver at the end of a run.
#[derive(Debug)]
pub(crate) struct ReceiverRecord {
    pub playout: Option<Box<Playout>>,
    pub before: Received,
    pub after: Received,
    pub arrivals: Arrivals,
    /// Bytes that had arrived, and jitter since the sample before, at each sample.
    pub samples: Vec<(u64, Option<f64>)>,
    /// Data packets that reached its socket after the end.
    pub under_way: u64,
}
