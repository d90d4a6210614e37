//! A window that never changes: the sender of a sliding-window ARQ.
//!
//! Source: the window N_w of Joe and Akyildiz, "A new ATM adaptation layer for TCP/IP over wireless
//! ATM networks" (AAL-T), sec. 4, eq. 3 and 4: go-back-N with a window of N_w packets. It has no
//! congestion control at all, and is meant for comparison with such equations, not for a network
//! that others share.
//!
//! Left open by the source, and chosen: nothing changes the window, neither a loss nor a timeout
//! nor a source quench. The initial window of a connection is ignored. ssthresh is infinite.

use super::{Ack, BuildController, Loss, Quench, Start, Timeout, WindowController};

/// Largest window in packets, more than any sender holds.
const MOST: u32 = 1_000_000_000;

/// Parameters of [`Fixed`]: its window.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default, rename_all = "kebab-case"))]
pub struct Config {
    /// The window in packets, 1 to 10^9. The receiver's window limits the sender in any case.
    pub window: u32,
}

impl Default for Config {
    /// The ten packets of the paper's comparison (sec. 4: "a window size of 10 packets").
    fn default() -> Self {
        Config { window: 10 }
    }
}

impl BuildController for Config {
    fn check(&self) -> Result<(), &'static str> {
        if (1..=MOST).contains(&self.window) {
            Ok(())
        } else {
            Err("window must be from 1 to 1000000000 packets")
        }
    }

    fn build(&self, _start: &Start) -> Box<dyn WindowController> {
        Box::new(Fixed::new(self))
    }
}

/// A window that nothing changes.
#[derive(Clone, Copy, Debug)]
pub struct Fixed {
    packets: f64,
}

impl Fixed {
    /// The configured window, clamped to its range.
    pub fn new(config: &Config) -> Self {
        Fixed { packets: f64::from(config.window.clamp(1, MOST)) }
    }
}

impl WindowController for Fixed {
    fn on_ack(&mut self, _ack: &Ack) {}

    fn on_loss(&mut self, _loss: &Loss) {}

    fn on_timeout(&mut self, _timeout: &Timeout) {}

    fn on_quench(&mut self, _quench: &Quench) {}

    fn window(&self) -> f64 {
        self.packets
    }

    fn ssthresh(&self) -> f64 {
        f64::INFINITY
    }
}
