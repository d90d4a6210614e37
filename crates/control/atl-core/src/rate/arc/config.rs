//! Parameters of ARC, with their ranges.

use crate::path::{WirelessLoss, check_claims};
use crate::rate::Counting;

/// Parameters of [`Arc`](super::Arc), where the paper leaves a choice.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default, rename_all = "kebab-case"))]
pub struct Config {
    /// The losses that P(I1) counts.
    pub count: Counting,
    /// Round-trip times without a loss event after which the rate is evaluated anyway; greater than
    /// zero.
    pub quiet_rtts: f64,
    /// Rate of the probes in packets per second, greater than zero; `None`: the target.
    pub probe_rate: Option<f64>,
    /// Source of the loss of the sender's own wireless link.
    pub wireless_loss: WirelessLoss,
    /// A receiver's claims about its wireless link raise the rate by this factor at most; at least
    /// 1.
    pub claim_gain: f64,
    /// Seconds for which a receiver's claim is valid, at least 8 RTT; `None`: until the next claim.
    pub claim_age: Option<f64>,
}

impl Default for Config {
    /// The paper's protocol, with its parameters.
    fn default() -> Self {
        Config {
            count: Counting::default(),
            quiet_rtts: 10.0,
            probe_rate: None,
            wireless_loss: WirelessLoss::default(),
            claim_gain: 4.0,
            claim_age: Some(10.0),
        }
    }
}

impl Config {
    /// Checks that the parameters are in their ranges.
    ///
    /// # Errors
    /// The allowed range of the first parameter that is out of its range.
    pub fn check(&self) -> Result<(), &'static str> {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        if !positive(self.quiet_rtts) {
            return Err("quiet-rtts must be a number of round-trip times greater than zero");
        }
        if !self.probe_rate.is_none_or(positive) {
            return Err("probe-rate must be a rate in packets per second greater than zero");
        }
        check_claims(self.claim_gain, self.claim_age)
    }
}
