//! Any window controller, with a fast path for the most common ones.

use core::any::Any;

use super::{Ack, Aimd, Loss, Probe, Sent, Start, Timeout, WindowController};
use super::{atl, reno, westwood};
use crate::time::Time;

/// Any window controller. The most common ones are variants, so that their `on_ack` is inlined;
/// every other one is in [`Boxed`](Self::Boxed).
#[derive(Clone, Debug)]
pub enum Controller {
    /// Reno, by RFC 5681.
    Reno(reno::Reno),
    /// Westwood, by its authors' filter.
    Westwood(westwood::Westwood),
    /// TCP-ATL, whose windows of outcomes would make every other controller as large as it is.
    TcpAtl(Box<atl::TcpAtl>),
    /// Any other controller.
    Boxed(Box<dyn WindowController>),
}

impl Controller {
    /// The controller for these parameters, if it has a variant of its own.
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

/// Calls the same method of every variant.
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

// Those that a host calls for each packet are inlined; the others take the way of any wrapper.
impl WindowController for Controller {
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
    #[inline]
    fn window(&self) -> f64 {
        each!(self, c => c.window())
    }
    fn inner(&self) -> Option<&dyn WindowController> {
        Some(match self {
            Controller::Reno(c) => c,
            Controller::Westwood(c) => c,
            Controller::TcpAtl(c) => &**c,
            Controller::Boxed(c) => &**c,
        })
    }
    fn inner_mut(&mut self) -> Option<&mut dyn WindowController> {
        Some(match self {
            Controller::Reno(c) => c,
            Controller::Westwood(c) => c,
            Controller::TcpAtl(c) => &mut **c,
            Controller::Boxed(c) => &mut **c,
        })
    }
    #[inline]
    fn on_sent(&mut self, sent: &Sent) {
        each!(self, c => c.on_sent(sent));
    }
    #[inline]
    fn poll_probe(&mut self, now: Time) -> Option<Probe> {
        each!(self, c => c.poll_probe(now))
    }
    #[inline]
    fn listens(&self) -> bool {
        each!(self, c => c.listens())
    }
    #[inline]
    fn next_timeout(&self) -> Option<Time> {
        each!(self, c => c.next_timeout())
    }
    #[inline]
    fn rounds_up(&self) -> bool {
        each!(self, c => c.rounds_up())
    }
    #[inline]
    fn ssthresh(&self) -> f64 {
        each!(self, c => c.ssthresh())
    }
    #[inline]
    fn release_at(&self) -> Option<Time> {
        each!(self, c => c.release_at())
    }
    #[inline]
    fn aimd(&self) -> Option<Aimd> {
        each!(self, c => c.aimd())
    }
}
