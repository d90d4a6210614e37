//! Parameters of RCP-ATL, with their units and ranges.

use crate::model::{RateForm, TimeoutTerm};
use crate::path::{MIN_CONGESTION_RTT, ViewRules, WirelessLoss, check_claims};
use crate::rate::Counting;

/// Parameters of [`RcpAtl`](super::RcpAtl), with the paper's defaults.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default, rename_all = "kebab-case"))]
pub struct Config {
    /// beta between 0 and 1 while there is a wireless link; `None`: 0.75, 0.80 or 0.85 by d_w.
    pub beta: Option<f64>,
    /// Form of the ATL paper's eq. 10 from which alpha is computed.
    pub form: RateForm,
    /// The unit in which p and p_w count losses. A link's own report counts packets in any case.
    pub count: Counting,
    /// tau: length of the loss window in round-trip times, greater than zero.
    pub window_rtts: f64,
    /// The loss window holds at least this many packets.
    pub window_packets: u32,
    /// p_c is at least 1/max(n, this), n the packets in the window; at least 1.
    pub floor_packets: u32,
    /// Packets after a handoff until the new window's own p_c is used.
    pub restart_packets: u32,
    /// Source of the p_w of the sender's own link.
    pub wireless_loss: WirelessLoss,
    /// Form of the timeout term of the ATL paper's eq. 7.
    pub timeouts: TimeoutTerm,
    /// T_hat is at most the target rate. The rate itself always is, so that its mean stays below
    /// such a T_hat.
    pub cap_at_target: bool,
    /// Floor of R_c in seconds.
    pub rtt_floor: f64,
    /// A receiver's report is bounded by the sender's own measurements, and so is the gain from it.
    pub check_claims: bool,
    /// The claimed p_w raises alpha by this factor at most, and the claimed d_w by the same factor
    /// again; at least 1.
    pub claim_gain: f64,
    /// Claims are compared with the queue lengths at which losses come. p_w is at most the share of
    /// the loss that comes at any queue length, and the gain from d_w shrinks where losses come
    /// with long queues.
    pub claim_evidence: bool,
    /// Seconds for which a receiver's report is valid, at least 8 SRTT; `None`: until the next
    /// report.
    pub claim_age: Option<f64>,
    /// Rate at the start in packets per second, greater than zero; `None`: one packet per RTT.
    pub initial: Option<f64>,
}

impl Default for Config {
    /// The paper's protocol, with its parameters.
    fn default() -> Self {
        Config {
            beta: None,
            form: RateForm::default(),
            count: Counting::default(),
            window_rtts: 10.0,
            window_packets: 50,
            floor_packets: 20,
            restart_packets: 20,
            wireless_loss: WirelessLoss::default(),
            timeouts: TimeoutTerm::default(),
            cap_at_target: false,
            rtt_floor: MIN_CONGESTION_RTT.secs(),
            check_claims: true,
            claim_gain: 4.0,
            claim_evidence: true,
            claim_age: Some(10.0),
            initial: None,
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
        if !self.beta.is_none_or(|beta| beta > 0.0 && beta < 1.0) {
            return Err("beta must be greater than 0 and less than 1");
        }
        if !positive(self.window_rtts) {
            return Err("window-rtts must be greater than zero");
        }
        if self.floor_packets == 0 {
            return Err("floor-packets must be at least 1");
        }
        if !positive(self.rtt_floor) {
            return Err("rtt-floor must be a time in seconds greater than zero");
        }
        check_claims(self.claim_gain, self.claim_age)?;
        if !self.initial.is_none_or(positive) {
            return Err("initial must be a rate in packets per second greater than zero");
        }
        Ok(())
    }

    pub(super) fn view(&self) -> ViewRules {
        ViewRules {
            window_packets: self.window_packets,
            restart_packets: self.restart_packets,
            floor_packets: Some(self.floor_packets),
            wireless_loss: self.wireless_loss,
            spare_marked: false,
            rtt_floor: self.rtt_floor,
            check_claims: self.check_claims,
            claim_gain: self.claim_gain,
            claim_evidence: self.claim_evidence,
            claim_age: self.claim_age,
        }
    }
}
