//! The one place where window controllers are registered: a variant of [`ControllerConfig`], an arm of
//! its `build`, and a variant of [`Controller`] (or a box in [`Controller::Boxed`]).

use core::num::NonZeroU32;

#[cfg(feature = "hosted")]
use super::hosted;
use super::{
    Ack, Aimd, Handoff, Loss, Probe, ProbeAck, Quench, ReceiverHalf, Sent, Start, Timeout,
    WindowController,
};
use super::{atl, fixed, peach, peach_plus, reno, tahoe, vegas, westwood, wtcp};
use crate::model::Adaptation;
use crate::path::LinkReport;
use crate::time::Time;
use crate::units::Rate;

/// Every window controller with its parameters.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum ControllerConfig {
    /// Additive increase, multiplicative decrease of TCP (RFC 5681).
    Reno(reno::Config),
    /// TCP Westwood of 2001: the window after a loss follows the measured rate of ACKs.
    Westwood(westwood::Config),
    /// TCP-ATL: AIMD whose parameters follow the wireless link.
    TcpAtl(atl::Config),
    /// TCP Tahoe: every loss sends the window back to slow start.
    Tahoe(tahoe::Config),
    /// A window that never changes.
    FixedWindow(fixed::Config),
    /// TCP Vegas: a few packets of its own in the queue, judged by the RTT.
    Vegas(vegas::Config),
    /// TCP-Peach: ACKs of low-priority dummies open the window. Reconstructed.
    Peach(peach::Config),
    /// TCP-Peach+: the same with probes that repeat unacknowledged data. Reconstructed.
    PeachPlus(peach::Config),
    /// WTCP (reconstructed): the receiver sets the rate.
    Wtcp(wtcp::Config),
    /// CUBIC, hosted from a QUIC library.
    #[cfg(feature = "hosted")]
    Cubic(hosted::cubic::Config),
    /// BBR version 2, hosted from a QUIC library.
    #[cfg(feature = "hosted")]
    Bbr(hosted::bbr::Config),
}

impl ControllerConfig {
    /// Checks that the parameters are in their ranges.
    ///
    /// # Errors
    /// What is allowed for the first one that is not.
    pub fn check(&self) -> Result<(), &'static str> {
        match self {
            ControllerConfig::Reno(c) => c.check(),
            ControllerConfig::Westwood(c) => c.check(),
            ControllerConfig::TcpAtl(c) => c.check(),
            ControllerConfig::Tahoe(_) => Ok(()),
            ControllerConfig::FixedWindow(c) => c.check(),
            ControllerConfig::Vegas(c) => c.check(),
            ControllerConfig::Peach(c) | ControllerConfig::PeachPlus(c) => c.check(),
            ControllerConfig::Wtcp(c) => c.check(),
            #[cfg(feature = "hosted")]
            ControllerConfig::Cubic(_) | ControllerConfig::Bbr(_) => Ok(()),
        }
    }

    /// A controller for a connection that begins as `start` says.
    pub fn build(&self, start: &Start) -> Controller {
        match self {
            ControllerConfig::Reno(c) => Controller::Reno(reno::Reno::new(c, start)),
            ControllerConfig::Westwood(c) => {
                Controller::Westwood(westwood::Westwood::new(c, start))
            }
            ControllerConfig::TcpAtl(c) => Controller::TcpAtl(Box::new(atl::TcpAtl::new(c, start))),
            ControllerConfig::Tahoe(c) => Controller::Boxed(Box::new(tahoe::Tahoe::new(c, start))),
            ControllerConfig::FixedWindow(c) => Controller::Boxed(Box::new(fixed::Fixed::new(c))),
            ControllerConfig::Vegas(c) => Controller::Boxed(Box::new(vegas::Vegas::new(c, start))),
            ControllerConfig::Peach(c) => Controller::Boxed(Box::new(peach::Peach::new(c, start))),
            ControllerConfig::PeachPlus(c) => {
                Controller::Boxed(Box::new(peach_plus::new(c, start)))
            }
            ControllerConfig::Wtcp(c) => Controller::Boxed(Box::new(wtcp::Sender::new(c, start))),
            #[cfg(feature = "hosted")]
            ControllerConfig::Cubic(c) => Controller::Boxed(c.build(start)),
            #[cfg(feature = "hosted")]
            ControllerConfig::Bbr(c) => Controller::Boxed(c.build(start)),
        }
    }

    /// The receiver's half, of a protocol that has one.
    pub fn build_receiver(&self, start: &Start) -> Option<Box<dyn ReceiverHalf>> {
        match self {
            ControllerConfig::Reno(_)
            | ControllerConfig::Westwood(_)
            | ControllerConfig::TcpAtl(_)
            | ControllerConfig::Tahoe(_)
            | ControllerConfig::FixedWindow(_)
            | ControllerConfig::Vegas(_)
            | ControllerConfig::Peach(_)
            | ControllerConfig::PeachPlus(_) => None,
            ControllerConfig::Wtcp(c) => Some(Box::new(wtcp::Receiver::new(c, start))),
            #[cfg(feature = "hosted")]
            ControllerConfig::Cubic(_) | ControllerConfig::Bbr(_) => None,
        }
    }
}

/// Any window controller. The ones that the simulator's hot loop runs are variants, so that their
/// `on_ack` is inlined; others sit behind a box.
#[derive(Clone, Debug)]
pub enum Controller {
    /// TCP (RFC 5681).
    Reno(reno::Reno),
    /// TCP Westwood.
    Westwood(westwood::Westwood),
    /// TCP-ATL, whose windows of outcomes would make every other controller as large as it is.
    TcpAtl(Box<atl::TcpAtl>),
    /// Any other: hosted from elsewhere, or too seldom run in numbers for a variant of its own.
    Boxed(Box<dyn WindowController>),
}

/// Calls the same method of whichever controller it is.
macro_rules! each {
    ($controller:expr, $c:ident => $call:expr) => {
        match $controller {
            Controller::Reno($c) => $call,
            Controller::Westwood($c) => $call,
            Controller::TcpAtl($c) => $call,
            Controller::Boxed($c) => $call,
        }
    };
}

impl WindowController for Controller {
    #[inline]
    fn on_sent(&mut self, sent: &Sent) {
        each!(self, c => c.on_sent(sent));
    }
    #[inline]
    fn on_ack(&mut self, ack: &Ack) {
        each!(self, c => c.on_ack(ack));
    }
    #[inline]
    fn on_loss(&mut self, loss: &Loss) {
        each!(self, c => c.on_loss(loss));
    }
    #[inline]
    fn on_timeout(&mut self, timeout: &Timeout) {
        each!(self, c => c.on_timeout(timeout));
    }
    fn on_quench(&mut self, quench: &Quench) {
        each!(self, c => c.on_quench(quench));
    }
    #[inline]
    fn on_recovered(&mut self, now: Time) {
        each!(self, c => c.on_recovered(now));
    }
    #[inline]
    fn on_link_report(&mut self, now: Time, report: &LinkReport) {
        each!(self, c => c.on_link_report(now, report));
    }
    #[inline]
    fn on_peer_report(&mut self, now: Time, report: &LinkReport) {
        each!(self, c => c.on_peer_report(now, report));
    }
    #[inline]
    fn on_handoff(&mut self, handoff: &Handoff) {
        each!(self, c => c.on_handoff(handoff));
    }
    #[inline]
    fn on_peer_rate(&mut self, now: Time, packets_per_sec: f64) {
        each!(self, c => c.on_peer_rate(now, packets_per_sec));
    }
    #[inline]
    fn listens(&self) -> bool {
        each!(self, c => c.listens())
    }
    #[inline]
    fn poll_probe(&mut self, now: Time) -> Option<Probe> {
        each!(self, c => c.poll_probe(now))
    }
    #[inline]
    fn on_probe_ack(&mut self, ack: &ProbeAck) {
        each!(self, c => c.on_probe_ack(ack));
    }
    #[inline]
    fn next_timeout(&self) -> Option<Time> {
        each!(self, c => c.next_timeout())
    }
    #[inline]
    fn on_tick(&mut self, now: Time) {
        each!(self, c => c.on_tick(now));
    }
    #[inline]
    fn window(&self) -> f64 {
        each!(self, c => c.window())
    }
    #[inline]
    fn ssthresh(&self) -> f64 {
        each!(self, c => c.ssthresh())
    }
    #[inline]
    fn release_at(&self) -> Option<Time> {
        each!(self, c => c.release_at())
    }
    fn pacing_rate(&self) -> Option<Rate> {
        each!(self, c => c.pacing_rate())
    }
    fn ack_limit(&self) -> Option<NonZeroU32> {
        each!(self, c => c.ack_limit())
    }
    #[inline]
    fn aimd(&self) -> Option<Aimd> {
        each!(self, c => c.aimd())
    }
    fn adaptation(&self) -> Option<Adaptation> {
        each!(self, c => c.adaptation())
    }
}
