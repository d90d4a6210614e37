//! Parameters of TCP-ATL: the paper's protocol, and one that is spared its own link's losses.

use crate::model::TimeoutTerm;
use crate::path::{MIN_CONGESTION_RTT, ViewRules, WirelessLoss, check_claims};
use crate::window::{Counting, Halving};

/// Parameters of [`TcpAtl`](super::TcpAtl), with the paper's defaults.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default, rename_all = "kebab-case"))]
pub struct Config {
    /// beta between 0 and 1 while there is a wireless link; `None`: 0.75, 0.80 or 0.85 by d_w.
    pub beta: Option<f64>,
    /// tau: length of the loss window in SRTT, greater than zero.
    pub window_srtts: f64,
    /// The loss window holds at least this many packets.
    pub window_packets: u32,
    /// Packets after a handoff until the new window's own p_c is used.
    pub restart_packets: u32,
    /// Source of the p_w of the sender's own link.
    pub wireless_loss: WirelessLoss,
    /// Form of the timeout term of the ATL paper's eq. 7.
    pub timeouts: TimeoutTerm,
    /// T_hat is at most the access link's rate.
    pub cap_at_access_rate: bool,
    /// Floor of R_c in seconds.
    pub rtt_floor: f64,
    /// Losses that the sender's own MAC marked neither shrink the window nor count in p: the model
    /// gets the losses that the window reacts to.
    pub spare_marked: bool,
    /// beta between 0 and 1 if no wireless loss is left to which the window reacts: a gentle beta
    /// would then only keep queues full. `None`: [`beta`](Self::beta).
    pub spared_beta: Option<f64>,
    /// A receiver's report is bounded by what the sender itself measures, and so is the gain from
    /// it ([`claim_gain`](Self::claim_gain), [`claim_evidence`](Self::claim_evidence)).
    pub check_claims: bool,
    /// The claimed p_w raises alpha by this factor at most, and the claimed d_w by the same factor
    /// again; at least 1. If all flows lose packets at the same time (a full DropTail queue),
    /// goodput is proportional to alpha; if losses are independent, to its root.
    pub claim_gain: f64,
    /// Claims are compared with the queue lengths at which losses come. p_w is at most the share of
    /// the loss that comes at any queue length, and the gain from d_w shrinks where losses come
    /// with long queues.
    pub claim_evidence: bool,
    /// Seconds for which a receiver's report is valid, at least 8 SRTT; `None`: until the next
    /// report.
    pub claim_age: Option<f64>,
    /// The quantity of which beta is a share.
    pub halving: Halving,
    /// The events that make the window grow; b of the ATL paper's eq. 7 follows from it.
    pub counting: Counting,
}

impl Config {
    /// Checks that the parameters are in their ranges.
    ///
    /// # Errors
    /// The allowed range of the first parameter that is out of its range.
    pub fn check(&self) -> Result<(), &'static str> {
        let is_share = |beta: Option<f64>| beta.is_none_or(|beta| beta > 0.0 && beta < 1.0);
        if !is_share(self.beta) {
            return Err("beta must be greater than 0 and less than 1");
        }
        if !is_share(self.spared_beta) {
            return Err("spared-beta must be greater than 0 and less than 1");
        }
        if !(self.window_srtts > 0.0 && self.window_srtts.is_finite()) {
            return Err("window-srtts must be greater than zero");
        }
        if !(self.rtt_floor > 0.0 && self.rtt_floor.is_finite()) {
            return Err("rtt-floor must be a time in seconds greater than zero");
        }
        check_claims(self.claim_gain, self.claim_age)
    }

    pub(super) fn view(&self) -> ViewRules {
        ViewRules {
            window_packets: self.window_packets,
            restart_packets: self.restart_packets,
            floor_packets: None,
            wireless_loss: self.wireless_loss,
            spare_marked: self.spare_marked,
            rtt_floor: self.rtt_floor,
            check_claims: self.check_claims,
            claim_gain: self.claim_gain,
            claim_evidence: self.claim_evidence,
            claim_age: self.claim_age,
        }
    }

    /// The paper's law without reactions to losses that the sender's own MAC marked; the module's
    /// documentation has the differences. It shows the effect of that alone. The recommended
    /// variant is [`robust`](super::robust).
    pub fn sparing() -> Self {
        Config { spare_marked: true, spared_beta: Some(0.6), ..Config::default() }
    }
}

impl Default for Config {
    /// The paper's protocol, with its parameters.
    fn default() -> Self {
        Config {
            beta: None,
            window_srtts: 10.0,
            window_packets: 50,
            restart_packets: 20,
            wireless_loss: WirelessLoss::default(),
            timeouts: TimeoutTerm::default(),
            cap_at_access_rate: true,
            rtt_floor: MIN_CONGESTION_RTT.secs(),
            spare_marked: false,
            spared_beta: None,
            check_claims: true,
            claim_gain: 4.0,
            claim_evidence: true,
            claim_age: Some(10.0),
            halving: Halving::default(),
            counting: Counting::default(),
        }
    }
}
