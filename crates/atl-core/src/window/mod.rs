//! Window controllers: who decides how many packets may be in flight.

mod aimd;
pub mod atl;
mod event;
#[cfg(feature = "hosted")]
pub mod hosted;
mod registry;
pub mod reno;
pub mod westwood;

pub use aimd::{Counting, Halving};
pub use event::{Ack, Detection, Handoff, Loss, Sent, Timeout};
pub use registry::{Controller, ControllerConfig, Start};

use core::fmt::Debug;

use crate::model::Adaptation;
use crate::path::LinkReport;
use crate::time::Time;

/// AIMD parameters in force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aimd {
    /// alpha: packets that a window gains in an RTT without loss.
    pub alpha: f64,
    /// beta: share of the window that stays after a loss.
    pub beta: f64,
}

impl Aimd {
    /// TCP's own parameters (RFC 5681): one packet more per RTT, half the window after a loss.
    pub const TCP: Aimd = Aimd { alpha: 1.0, beta: 0.5 };
}

/// A congestion controller that keeps a window.
///
/// It is told events and asked for its decision; it never sends. The host repairs losses in the flavour
/// that it wants (Reno, NewReno, SACK): a controller decides only what remains of the window.
pub trait WindowController: Debug + Send {
    /// A packet was sent.
    fn on_sent(&mut self, _sent: &Sent) {}
    /// An ACK arrived.
    fn on_ack(&mut self, ack: &Ack);
    /// Transmissions were found lost.
    fn on_loss(&mut self, loss: &Loss);
    /// The retransmission timer expired.
    fn on_timeout(&mut self, timeout: &Timeout);
    /// Every packet outstanding at the last loss episode's start is acknowledged.
    fn on_recovered(&mut self, _now: Time) {}
    /// The wireless link at the sender's own end reports (ATL paper, sec. IV-A, case 1).
    fn on_link_report(&mut self, _now: Time, _report: &LinkReport) {}
    /// The receiver tells, in its ACKs, what its wireless link reports (ATL paper, sec. IV-A, cases 2
    /// and 3). It is a claim of the other side, which a controller bounds by what it measures itself.
    fn on_peer_report(&mut self, _now: Time, _report: &LinkReport) {}
    /// The host changed networks.
    fn on_handoff(&mut self, _handoff: &Handoff) {}
    /// When [`on_tick`](Self::on_tick) wants to be called next.
    fn next_timeout(&self) -> Option<Time> {
        None
    }
    /// The time that [`next_timeout`](Self::next_timeout) named has come.
    fn on_tick(&mut self, _now: Time) {}
    /// cwnd in packets: finite and at least 1.
    fn window(&self) -> f64;
    /// Slow-start threshold in packets, positive; infinite before the first loss.
    fn ssthresh(&self) -> f64;
    /// The earliest time for the next packet, of a controller that paces; `None`: at once.
    fn release_at(&self) -> Option<Time> {
        None
    }
    /// The AIMD parameters in force, of a controller that has them.
    fn aimd(&self) -> Option<Aimd> {
        None
    }
    /// What the AIMD parameters in force were computed from (p, R, p_w, d_w, p_c, R_c, T_hat), of a
    /// controller that adapts them; `None` while it runs with TCP's own.
    fn adaptation(&self) -> Option<Adaptation> {
        None
    }
}
