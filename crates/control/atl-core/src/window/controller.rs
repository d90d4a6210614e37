//! Any window controller, with a fast path for those that hosts run most.

use super::resume::Saved;
use super::{
    Ack, Aimd, Handoff, Loss, Probe, ProbeAck, Quench, Sent, Start, Timeout, WindowController,
};
use super::{atl, reno, westwood};
use crate::model::Adaptation;
use crate::path::LinkReport;
use crate::time::Time;
use crate::units::Rate;
use core::any::Any;
use core::num::NonZeroU32;

/// Any window controller. Those that hosts run most are variants, so that their `on_ack` is inlined; every other one is
/// in [`Boxed`](Self::Boxed).
#[derive(Clone, Debug)]
pub enum Controller {
    /// TCP (RFC 5681).
    Reno(reno::Reno),
    /// TCP Westwood.
    Westwood(westwood::Westwood),
    /// TCP-ATL, whose windows of outcomes would make every other controller as large as it is.
    TcpAtl(Box<atl::TcpAtl>),
    /// Any other controller.
    Boxed(Box<dyn WindowController>),
}

impl Controller {
    /// The controller of these parameters, if it has a variant of its own.
    pub(super) fn with_variant(config: &dyn Any, start: &Start) -> Option<Self> {
        if let Some(config) = config.downcast_ref() {
            Some(Controller::Reno(reno::Reno::new(config, start)))
        } else if let Some(config) = config.downcast_ref() {
            Some(Controller::Westwood(westwood::Westwood::new(config, start)))
        } else {
            let config = config.downcast_ref()?;
            Some(Controller::TcpAtl(Box::new(atl::TcpAtl::new(config, start))))
        }
    }
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
    fn observed(&self) -> Option<Saved> {
        each!(self, c => c.observed())
    }
}
