//! What the threads of a run have written down when they end.

use atl_core::time::Time;
use atl_endpoint::media::Playout;
use atl_endpoint::meters::{Arrivals, Offered, Rtts};
use atl_endpoint::paced::PacedSender;
use atl_flow::{Fate, State};
use atl_net::lateness::Lateness;
use atl_scenario::result::LinkResult;

/// What a sender has counted.
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
    pub rtts: Rtts,
    pub offered: Option<Box<Offered>>,
    pub samples: Vec<State>,
    /// How late packets left.
    pub lateness: Lateness,
    /// Data packets that the host had not handed to its interface yet.
    pub held: u64,
}

/// What a receiver has counted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Received {
    pub arrived: u64,
    pub payload_bytes: u64,
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

/// A flow as the network saw it, at one time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OnLinks {
    pub fate: Fate,
    /// Bytes of data packets that have left the source's own interface.
    pub wire_bytes: u64,
    /// Network of its first wireless link.
    pub network: u32,
}

/// A flow as the network saw it.
#[derive(Clone, Debug, Default)]
pub(crate) struct FlowRecord {
    pub before: OnLinks,
    pub after: OnLinks,
    pub samples: Vec<OnLinks>,
    /// Data packets on the links at the end, and on their way to the first.
    pub under_way: u64,
}

/// The network at the end of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct NetworkRecord {
    pub flows: Vec<FlowRecord>,
    pub links: Vec<LinkResult>,
}

/// What happened on the sockets themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trouble {
    /// Datagrams that the system threw away.
    pub missing: u64,
    /// Datagrams that made no sense.
    pub refused: u64,
}

impl std::ops::AddAssign for Trouble {
    fn add_assign(&mut self, other: Trouble) {
        self.missing += other.missing;
        self.refused += other.refused;
    }
}
