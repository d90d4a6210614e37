//! TCP Tahoe: every loss reduces the window to one packet.
//!
//! Source: Jacobson, "Congestion avoidance and control" (SIGCOMM 1988), sec. 2 and 3 and appendix
//! B: ssthresh becomes half the window, cwnd = 1, slow start up to ssthresh, one packet per RTT
//! above it. Fast retransmit at the third duplicate ACK came with the 4.3BSD release of 1988 that
//! Tahoe is named after; fast recovery came only with Reno (RFC 5681, sec. 3.2, keeps half the
//! window). The sender decides what is sent again after a loss: without SACK, everything from the
//! first hole on.
//!
//! Left open by the source, and chosen: [`Halving`] and [`Counting`] as for Reno; ssthresh is
//! infinite before the first loss.

use core::num::NonZeroU32;

use super::aimd::Window;
use super::{
    Ack, Aimd, BuildController, Counting, Detection, Halving, Loss, Start, Timeout,
    WindowController,
};

/// Parameters of [`Tahoe`], as for Reno.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default, rename_all = "kebab-case"))]
pub struct Config {
    /// The quantity of which ssthresh is half.
    pub halving: Halving,
    /// The events that make the window grow.
    pub counting: Counting,
}

impl BuildController for Config {
    fn build(&self, start: &Start) -> Box<dyn WindowController> {
        Box::new(Tahoe::new(self, start))
    }
}

/// A window that returns to slow start at each loss event.
#[derive(Clone, Debug)]
pub struct Tahoe {
    window: Window,
    config: Config,
}

impl Tahoe {
    /// A window at the start of a connection.
    pub fn new(config: &Config, start: &Start) -> Self {
        Tahoe { window: Window::new(start), config: config.clone() }
    }
}

impl WindowController for Tahoe {
    fn on_ack(&mut self, ack: &Ack) {
        self.window.grow(ack, self.config.counting, Aimd::TCP.alpha);
    }

    fn on_loss(&mut self, loss: &Loss) {
        if loss.new_episode && loss.detection == Detection::Acks {
            self.window.reduce(Aimd::TCP.beta, self.config.halving, loss);
            self.window.cwnd = 1.0;
        }
    }

    fn on_timeout(&mut self, timeout: &Timeout) {
        self.window.collapse(Aimd::TCP.beta, self.config.halving, timeout);
    }

    fn window(&self) -> f64 {
        self.window.cwnd
    }

    fn ssthresh(&self) -> f64 {
        self.window.ssthresh
    }

    fn ack_limit(&self) -> Option<NonZeroU32> {
        self.config.counting.limit()
    }

    fn aimd(&self) -> Option<Aimd> {
        Some(Aimd::TCP)
    }
}
