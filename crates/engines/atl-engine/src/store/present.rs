//! Measurements that a sweep has, whichever of its runs has them.

use crate::result::RunResult;

/// Tells of each kind of measurement whether any run has it. Noted as results arrive: to find out
/// afterwards, all of them would have to be read again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Present {
    /// Samples over time.
    pub samples: bool,
    /// Lateness of packets in real time.
    pub lateness: bool,
    /// Datagrams that no link carried.
    pub datagrams: bool,
    /// Counts of packets that a link marked.
    pub marked: bool,
    /// Counts of packets that a link delivered twice.
    pub duplicated: bool,
    /// Delays of a flow in each network.
    pub delays: bool,
    /// A 95th percentile of a flow's round-trip time.
    pub rtt_p95: bool,
    /// A 95th percentile of a flow's queueing delay.
    pub queueing_p95: bool,
}

impl Present {
    pub(crate) fn note(&mut self, run: &RunResult) {
        let flows = || run.flows.iter();
        self.samples |= !run.samples.is_empty();
        self.lateness |= run.lateness.is_some();
        self.datagrams |= run.datagrams.is_some();
        self.marked = self.marked || run.links.iter().any(|link| link.marked.is_some());
        self.duplicated = self.duplicated || run.links.iter().any(|link| link.duplicated.is_some());
        self.delays = self.delays || flows().any(|flow| !flow.delays.is_empty());
        self.rtt_p95 = self.rtt_p95 || flows().any(|flow| flow.rtt_p95_s.is_some());
        self.queueing_p95 =
            self.queueing_p95 || flows().any(|flow| flow.queueing_p95_s().is_some());
    }
}
