//! Window controllers: who decides how many packets may be in flight.

mod aimd;
pub mod atl;
mod build;
mod config;
mod controller;
mod event;
pub mod fixed;
pub mod ledger;
pub mod pad;
pub mod peach;
pub mod peach_plus;
mod receiver;
pub mod reno;
pub mod resume;
mod start;
pub mod tahoe;
pub mod vegas;
pub mod westwood;
pub mod wtcp;

pub use aimd::{Counting, Halving};
pub use build::BuildController;
pub use config::ControllerConfig;
pub use controller::Controller;
pub use event::{Ack, Detection, Loss, Probe, Quench, Sent, Timeout};
pub use receiver::{Arrived, ReceiverHalf};
pub use start::Start;

pub use crate::model::Aimd;
pub use crate::path::{End, Handoff};
pub use crate::probe::ProbeAck;

use core::fmt::Debug;
use core::num::NonZeroU32;

use resume::Saved;

use crate::model::Adaptation;
use crate::path::LinkReport;
use crate::time::Time;
use crate::units::Rate;

/// A congestion controller that keeps a window.
///
/// It receives events and answers what it allows; it never sends. The host repairs losses as it likes (Reno, NewReno,
/// SACK, QUIC): a controller only decides what remains of the window. Controllers are `Send + Sync`, and every
/// implementation that is `Clone` can be cloned behind a box ([`CloneController`]).
pub trait WindowController: CloneController + Debug + Send + Sync {
    /// A packet was sent.
    fn on_sent(&mut self, _sent: &Sent) {}
    /// An ACK arrived.
    fn on_ack(&mut self, ack: &Ack);
    /// Transmissions were found lost.
    fn on_loss(&mut self, loss: &Loss);
    /// The retransmission timer expired.
    fn on_timeout(&mut self, timeout: &Timeout);
    /// A source quench arrived (RFC 1122, sec. 4.2.3.9: slow start, as if the retransmission timer had expired). A host
    /// tells of one at most a window of data, and of none while it repairs losses. No packet counts as lost, and
    /// nothing is sent again.
    fn on_quench(&mut self, quench: &Quench) {
        let Quench { now, in_flight } = *quench;
        self.on_timeout(&Timeout { now, in_flight, consecutive: 1 });
    }
    /// Every packet outstanding at the last loss episode's start is acknowledged.
    fn on_recovered(&mut self, _now: Time) {}
    /// The wireless link at the sender's own end reports (ATL paper, sec. IV-A, case 1).
    fn on_link_report(&mut self, _now: Time, _report: &LinkReport) {}
    /// The receiver tells, in its ACKs, what its wireless link reports (ATL paper, sec. IV-A, cases 2
    /// and 3). It is a claim of the other side, which a controller bounds by what it measures itself.
    fn on_peer_report(&mut self, _now: Time, _report: &LinkReport) {}
    /// A host changed networks: the sender's own, or the receiver as its ACKs tell.
    fn on_handoff(&mut self, _handoff: &Handoff) {}
    /// The receiver's half of the protocol tells, in an ACK, the rate at which it wants packets to come
    /// ([`ReceiverHalf::rate`]), in packets per second.
    fn on_peer_rate(&mut self, _now: Time, _packets_per_sec: f64) {}
    /// True of a controller that listens to wireless links: a host spares all others the reports, and does not
    /// ask the receiver for its own.
    fn listens(&self) -> bool {
        false
    }
    /// The kind of probe packet to send now, if one is to be sent. A host asks, until there is none, after each
    /// event and after the data that may be sent; [`next_timeout`](Self::next_timeout) is when it is due to ask
    /// again. Probes go at low priority, do not count in the window, and are not repeated.
    fn poll_probe(&mut self, _now: Time) -> Option<Probe> {
        None
    }
    /// A probe packet was acknowledged.
    fn on_probe_ack(&mut self, _ack: &ProbeAck) {}
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
    /// The rate at which a controller that paces spreads its packets, on the wire, headers included, for hosts that pace
    /// with a rate and a burst of their own; `None` if it does not pace, or has measured no rate yet.
    /// [`release_at`](Self::release_at) is the exact schedule.
    fn pacing_rate(&self) -> Option<Rate> {
        None
    }
    /// The most packets that one ACK lets the window grow for; `None` if an ACK may cover any number. A host whose
    /// ACKs cover more packets than TCP's splits them into events of at most this many.
    fn ack_limit(&self) -> Option<NonZeroU32> {
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
    /// What a sender that meets the same path again may resume from, of a controller that observes it
    /// ([`resume`]). Asked for when the path is left.
    fn observed(&self) -> Option<Saved> {
        None
    }
}

/// Clones a controller behind a box. Implemented for every [`WindowController`] that is `Clone`.
pub trait CloneController {
    /// A copy of this controller in its present state.
    fn clone_box(&self) -> Box<dyn WindowController>;
}

impl<T: WindowController + Clone + 'static> CloneController for T {
    fn clone_box(&self) -> Box<dyn WindowController> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn WindowController> {
    fn clone(&self) -> Self {
        (**self).clone_box()
    }
}
