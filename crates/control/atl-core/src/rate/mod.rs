//! Rate controllers: who decides how many packets per second a flow paces, for media that neither
//! wait for a window nor repeat what is lost.
//!
//! A paced flow is a controller behind a [`Ledger`], which turns what comes back (an ACK of each
//! packet, or reports) into [`Feedback`], and a host that sends at [`RateController::rate`] and
//! low-priority probes between.

pub mod aimd;
pub mod arc;
mod build;
mod cluster;
mod config;
mod counting;
mod event;
pub mod lda;
mod ledger;
pub mod nada;
pub mod rap;
pub mod rcp_atl;
pub mod rcs;
mod report;
mod silence;
mod start;
mod statistics;
pub mod tfrc;

pub use build::{BuildRateController, FeedbackMode};
pub use cluster::Clusters;
pub use config::RateConfig;
pub use counting::Counting;
pub use event::{Feedback, Lost, Sent};
pub use ledger::Ledger;
pub use report::{Arrived, Report, ReportingReceiver};
pub use silence::Silence;
pub use start::RateStart;
pub use statistics::{PeriodicReports, Statistics};

pub use crate::model::Aimd;
pub use crate::path::{End, Handoff};
pub use crate::probe::ProbeAck;

use core::fmt::Debug;

use crate::model::Adaptation;
use crate::path::LinkReport;
use crate::time::{Span, Time};

/// Least rate unless the caller sets another: a packet in 64 s (RFC 5348, `t_mbi`).
pub const MIN_RATE: f64 = 1.0 / 64.0;

/// A controller that decides a rate.
///
/// It receives events and answers what it allows; it never sends.
/// [`on_feedback`](Self::on_feedback),
/// [`rate`](Self::rate) and [`decreases`](Self::decreases) are all that a law has to have.
///
/// # Contract
///
/// **Units.** Rates are in packets of [`RateStart::packet_bytes`] per second, headers included.
///
/// **What a transport promises.**
/// - Time does not go back from one event to the next.
/// - Data packets are numbered from 0 without gaps, apart from probes, and none is sent twice.
/// - Each packet is counted once, as delivered or as lost; a [`Ledger`] sees to that.
/// - A data packet leaves [`gap`](Self::gap) after the one before it, at whatever that is by then,
///   while [`sends_data`](Self::sends_data).
/// - At the start and after each event it asks for [`poll_probe`](Self::poll_probe) and
///   [`next_timeout`](Self::next_timeout) anew.
///
/// **What a controller promises**, even to a transport that breaks all this:
/// - no panic; a rate that is finite, and between [`RateStart::minimum`] and [`RateStart::target`];
/// - it rises again from any depth once feedback comes: even at the minimum rate a packet is
///   acknowledged now and then;
/// - memory that is bounded, whatever is sent;
/// - the same events and the same seed give the same answers, and a clone gives those of its
///   original;
/// - a due [`on_tick`](Self::on_tick) moves [`next_timeout`](Self::next_timeout), and probes come
///   singly.
///
/// [`conformance::rate`](crate::conformance::rate) checks what a controller promises.
///
/// Controllers are `Send + Sync`, and every implementation that is `Clone` can be cloned behind a
/// box ([`CloneRateController`]).
pub trait RateController: CloneRateController + Debug + Send + Sync {
    /// A data packet was sent.
    fn on_sent(&mut self, _sent: &Sent) {}
    /// The receiver acknowledged a packet, or sent a report. Packets that queues have marked (ECN)
    /// are among the losses, as [`Lost::marked`].
    fn on_feedback(&mut self, feedback: &Feedback<'_>);
    /// The wireless link at the sender's own end gave a report (ATL paper, sec. IV-A, case 1).
    fn on_link_report(&mut self, _now: Time, _report: &LinkReport) {}
    /// The receiver tells what its wireless link reports (cases 2 and 3). It is a claim of the
    /// other side.
    fn on_peer_report(&mut self, _now: Time, _report: &LinkReport) {}
    /// An end of the path changed networks.
    fn on_handoff(&mut self, _handoff: &Handoff) {}
    /// True for a controller that uses link reports: a sender does not pass them to any other.
    fn listens(&self) -> bool {
        false
    }
    /// True if a probe packet is to be sent now. A host asks, until it is not, after each event;
    /// [`next_timeout`](Self::next_timeout) is when it is due to ask again. Probes have a data
    /// packet's nominal size, carry nothing, go at low priority, and are numbered apart from data,
    /// from 0.
    fn poll_probe(&mut self, _now: Time) -> bool {
        false
    }
    /// A probe packet was acknowledged.
    fn on_probe_ack(&mut self, _ack: &ProbeAck) {}
    /// The time for the next call of [`on_tick`](Self::on_tick) or
    /// [`poll_probe`](Self::poll_probe).
    fn next_timeout(&self) -> Option<Time> {
        None
    }
    /// The time that [`next_timeout`](Self::next_timeout) named has come.
    fn on_tick(&mut self, _now: Time) {}
    /// The rate of data, in packets per second.
    fn rate(&self) -> f64;
    /// Time from the last data packet to the next: 1/[`rate`](Self::rate), unless a protocol sends
    /// packets in pairs.
    fn gap(&self) -> Span {
        Span::from_secs_f64(1.0 / self.rate())
    }
    /// False while no data may leave whatever the rate is: a protocol that probes first. Never for
    /// ever.
    fn sends_data(&self) -> bool {
        true
    }
    /// The AIMD parameters in force, of a controller that has them; alpha in packets per second per
    /// round-trip time.
    fn aimd(&self) -> Option<Aimd> {
        None
    }
    /// The inputs of the AIMD parameters in force, of a controller that adapts them.
    fn adaptation(&self) -> Option<Adaptation> {
        None
    }
    /// Number of times that the rate was cut for a loss.
    fn decreases(&self) -> u64;
}

/// Clones a controller behind a box. Implemented for every [`RateController`] that is `Clone`.
pub trait CloneRateController {
    /// A copy of this controller in its present state.
    fn clone_box(&self) -> Box<dyn RateController>;
}

impl<T: RateController + Clone + 'static> CloneRateController for T {
    fn clone_box(&self) -> Box<dyn RateController> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn RateController> {
    fn clone(&self) -> Self {
        (**self).clone_box()
    }
}
