//! The network's record of a run.

use atl_engine::flow::Fate;
use atl_engine::flow::record::{NetworkCounts, OnLinks};
use atl_engine::result::{self, LinkResult};
use atl_net::lateness::Lateness;

/// The network at the end of a run.
#[derive(Clone, Debug)]
pub struct NetworkRecord {
    /// Data packets by their fate on the links.
    pub counts: NetworkCounts,
    /// All flows at the end.
    pub after: Vec<OnLinks>,
    /// All flows at each sample, and the network of each one's first wireless link.
    pub samples: Vec<Vec<(OnLinks, u32)>>,
    /// Totals of each link.
    pub links: Vec<LinkResult>,
}

impl NetworkRecord {
    /// A record that only these counts go into yet.
    pub(crate) fn new(counts: NetworkCounts) -> Self {
        NetworkRecord { counts, after: Vec::new(), samples: Vec::new(), links: Vec::new() }
    }
}

/// Datagrams that the sockets, and not the links, failed to carry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trouble {
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

impl Trouble {
    /// Completes the fate of a flow's packets, of which `sent` left, `arrived` arrived and
    /// `under_way` still are: those that the system threw away count as dropped by a full buffer.
    pub fn add_to(self, fate: Fate, sent: u64, arrived: u64, under_way: u64) -> Fate {
        let known = arrived + fate.dropped + fate.lost + under_way;
        let unknown = sent.saturating_sub(known).min(self.missing);
        Fate { dropped: fate.dropped + unknown, ..fate }
    }
}

/// Lateness as results have it. A datagram that the system threw away never left: it counts as
/// late.
pub fn lateness(lateness: &Lateness, missing: u64) -> result::Lateness {
    let frames = lateness.frames() as f64;
    let late = lateness.late_share() * frames + missing as f64;
    let quantile = |share| lateness.quantile(share).secs();
    result::Lateness {
        p50_s: quantile(0.5),
        p90_s: quantile(0.9),
        p99_s: quantile(0.99),
        late_share: late / (frames + missing as f64).max(1.0),
    }
}
