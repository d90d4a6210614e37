//! TCP-ATL.

use super::aimd::Window;
use super::{Ack, Aimd, Counting, Detection, Halving, Loss, Start, Timeout, WindowController};

/// Parameters of [`TcpAtl`].
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(deny_unknown_fields, default, rename_all = "kebab-case")
)]
pub struct Config {
    /// What makes the window grow.
    pub counting: Counting,
}

/// A window under AIMD whose parameters follow the wireless link.
#[derive(Clone, Debug)]
pub struct TcpAtl {
    window: Window,
    counting: Counting,
}

impl TcpAtl {
    /// A window at the start of a connection.
    pub fn new(config: &Config, start: &Start) -> Self {
        TcpAtl {
            window: Window::new(start),
            counting: config.counting,
        }
    }
}

impl WindowController for TcpAtl {
    fn on_ack(&mut self, ack: &Ack) {
        self.window.grow(ack, self.counting, 1.0);
    }

    fn on_loss(&mut self, loss: &Loss) {
        if loss.new_episode && loss.detection == Detection::Acks {
            self.window.reduce(Aimd::TCP.beta, Halving::Window, loss);
        }
    }

    fn on_timeout(&mut self, timeout: &Timeout) {
        self.window
            .collapse(Aimd::TCP.beta, Halving::Window, timeout);
    }

    fn window(&self) -> f64 {
        self.window.cwnd
    }

    fn ssthresh(&self) -> f64 {
        self.window.ssthresh
    }
}
