//! TCP's congestion window, with any AIMD parameters.
//!
//! Source: RFC 5681, sec. 3.1 and 3.2; RFC 3465 for counting packets. General (alpha, beta): Yang
//! and Lam, "General AIMD congestion control", 2000. The sender chooses how losses are repaired
//! (Reno, NewReno, SACK).
//!
//! Left open by the source, and chosen:
//! - what beta is a share of, cwnd or the data in flight: [`Halving`], cwnd by default;
//! - whether ACKs or acknowledged packets make the window grow: [`Counting`], packets by default;
//! - the initial ssthresh: infinite ("arbitrarily high", sec. 3.1).

use core::num::NonZeroU32;

use super::aimd::Window;
use super::{
    Ack, Aimd, BuildController, Counting, Detection, Halving, Loss, Marked, Start, Timeout,
    WindowController,
};

/// Parameters of [`Reno`]. The defaults are TCP's (1, 0.5).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default, rename_all = "kebab-case"))]
pub struct Config {
    /// alpha: packets gained per RTT, not negative. An unusable pair counts as (1, 0.5).
    pub alpha: f64,
    /// beta: share of the window that is kept after a loss, between 0 and 1.
    pub beta: f64,
    /// Share kept after a mark (ECN), between 0 and 1; at least beta counts. 0.5 (RFC 3168); 0.8 is
    /// RFC 8511's.
    pub ecn_beta: f64,
    /// The quantity of which beta is a share.
    pub halving: Halving,
    /// The events that make the window grow.
    pub counting: Counting,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            alpha: Aimd::TCP.alpha,
            beta: Aimd::TCP.beta,
            ecn_beta: Aimd::TCP.beta,
            halving: Halving::default(),
            counting: Counting::default(),
        }
    }
}

impl BuildController for Config {
    fn check(&self) -> Result<(), &'static str> {
        if !(self.alpha >= 0.0 && self.alpha.is_finite()) {
            return Err("alpha must not be negative");
        }
        if !(self.beta > 0.0 && self.beta < 1.0) {
            return Err("beta must be greater than 0 and less than 1");
        }
        if !(self.ecn_beta > 0.0 && self.ecn_beta < 1.0) {
            return Err("ecn-beta must be greater than 0 and less than 1");
        }
        Ok(())
    }

    fn build(&self, start: &Start) -> Box<dyn WindowController> {
        Box::new(Reno::new(self, start))
    }
}

/// A window under AIMD with fixed parameters.
#[derive(Clone, Debug)]
pub struct Reno {
    window: Window,
    aimd: Aimd,
    ecn_beta: f64,
    halving: Halving,
    counting: Counting,
}

impl Reno {
    /// A window at the start of a connection.
    pub fn new(config: &Config, start: &Start) -> Self {
        let aimd = Aimd { alpha: config.alpha, beta: config.beta };
        Reno {
            window: Window::new(start),
            aimd: if aimd.is_usable() { aimd } else { Aimd::TCP },
            ecn_beta: if config.ecn_beta < 1.0 { config.ecn_beta } else { 0.0 },
            halving: config.halving,
            counting: config.counting,
        }
    }
}

impl WindowController for Reno {
    #[inline]
    fn on_ack(&mut self, ack: &Ack) {
        self.window.grow(ack, self.counting, self.aimd.alpha);
    }

    fn on_loss(&mut self, loss: &Loss) {
        if loss.new_episode && loss.detection == Detection::Acks {
            self.window.reduce(self.aimd.beta, self.halving, loss);
        }
    }

    fn on_marked(&mut self, marked: &Marked) {
        if marked.new_episode {
            // A mark is no worse than a loss.
            let kept = self.aimd.beta.max(self.ecn_beta);
            self.window.reduce(kept, self.halving, &marked.as_loss());
        }
    }

    fn on_timeout(&mut self, timeout: &Timeout) {
        self.window.collapse(self.aimd.beta, self.halving, timeout);
    }

    #[inline]
    fn window(&self) -> f64 {
        self.window.cwnd
    }

    #[inline]
    fn ssthresh(&self) -> f64 {
        self.window.ssthresh
    }

    fn ack_limit(&self) -> Option<NonZeroU32> {
        self.counting.limit()
    }

    fn aimd(&self) -> Option<Aimd> {
        Some(self.aimd)
    }
}
