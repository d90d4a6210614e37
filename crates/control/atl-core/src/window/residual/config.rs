//! Parameters of the sender, with their units, ranges and sources.

use super::Residual;
use super::link::Trust;
use crate::window::{BuildController, Start, WindowController};

/// Parameters of [`Residual`], each with its default and source.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default, rename_all = "kebab-case"))]
pub struct Config {
    /// Packets that the sender keeps queued, per root of its rate in packets per second; at least
    /// zero. 0.2: eight packets at 20 Mb/s.
    pub backlog: f64,
    /// The least of these packets, at least 0.5. 2 (Copa's default mode keeps as many).
    pub least_backlog: f64,
    /// C of the mode beside others, in packets per second cubed; greater than zero. 0.4 (RFC 9438,
    /// sec. 5).
    pub cubic: f64,
    /// Share of the window kept after congestion beside others, 0.5 to less than 1. 0.7 (RFC 9438,
    /// sec. 4.6).
    pub beta: f64,
    /// Residual loss above this share is congestion, and no more is inferred while jitter hides the
    /// queue, 0 to 1. 2 % (BBR's loss threshold).
    pub loss_threshold: f64,
    /// Standard errors that a residual must exceed; at least zero. 3.
    pub sigmas: f64,
    /// Seconds without a round trip at the path's least until the queue is drained on purpose;
    /// greater than zero. 2, since dips are cheap (BBR's filter of the least RTT has 10).
    pub drain_every: f64,
    /// Uses reports of p_w.
    pub use_loss: bool,
    /// Uses marks of lost packets by the own MAC, which then count for its p_w.
    pub use_marks: bool,
    /// Uses what is told of delays.
    pub use_delay: bool,
    /// Uses the rate of the access link where it is known.
    pub use_rate: bool,
    /// Infers from losses without a queue what the link loses.
    pub infer: bool,
    /// A peer's p_w is believed up to this multiple of the inferred one; at least 1. 1.5.
    pub claim_factor: f64,
    /// And to this much more, 0 to 1. 0.5 %.
    pub claim_margin: f64,
    /// A peer's p_w is believed up to this while nothing can be inferred, 0 to 1. 10 %.
    pub claim_limit: f64,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            backlog: 0.2,
            least_backlog: 2.0,
            cubic: 0.4,
            beta: 0.7,
            loss_threshold: 0.02,
            sigmas: 3.0,
            drain_every: 2.0,
            use_loss: true,
            use_marks: true,
            use_delay: true,
            use_rate: true,
            infer: true,
            claim_factor: 1.5,
            claim_margin: 0.005,
            claim_limit: 0.1,
        }
    }
}

impl Config {
    pub(super) fn trust(&self) -> Trust {
        Trust {
            loss: self.use_loss,
            delay: self.use_delay,
            infer: self.infer,
            factor: self.claim_factor,
            margin: self.claim_margin,
            limit: self.claim_limit,
            unseen: self.loss_threshold,
        }
    }
}

impl BuildController for Config {
    fn check(&self) -> Result<(), &'static str> {
        let at_least = |x: f64, least: f64| x >= least && x.is_finite();
        let share = |x: f64| (0.0..=1.0).contains(&x);
        let positive = |x: f64| x > 0.0 && x.is_finite();
        let rules = [
            (at_least(self.backlog, 0.0), "backlog must be a number, not negative"),
            (at_least(self.least_backlog, 0.5), "least-backlog must be at least 0.5 packets"),
            (positive(self.cubic), "cubic must be greater than zero"),
            ((0.5..1.0).contains(&self.beta), "beta must be at least 0.5 and less than 1"),
            (share(self.loss_threshold), "loss-threshold must be a share from 0 to 1"),
            (at_least(self.sigmas, 0.0), "sigmas must be a number, not negative"),
            (positive(self.drain_every), "drain-every must be a time in seconds, above zero"),
            (at_least(self.claim_factor, 1.0), "claim-factor must be at least 1"),
            (share(self.claim_margin), "claim-margin must be a share from 0 to 1"),
            (share(self.claim_limit), "claim-limit must be a share from 0 to 1"),
        ];
        rules.iter().find(|(holds, _)| !holds).map_or(Ok(()), |(_, range)| Err(range))
    }

    fn build(&self, start: &Start) -> Box<dyn WindowController> {
        Box::new(Residual::new(self, start))
    }
}
