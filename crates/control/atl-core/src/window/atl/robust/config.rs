//! Parameters of the robust TCP-ATL, with their units, ranges and sources.

use super::TcpAtlRobust;
use crate::path::{MIN_CONGESTION_RTT, ViewRules, WirelessLoss, check_claims};
use crate::window::{BuildController, Counting, Start, WindowController};

/// Parameters of [`TcpAtlRobust`], each with its default and source.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default, rename_all = "kebab-case"))]
pub struct Config {
    /// C in packets per second cubed, for a beta of 0.7; greater than zero. 0.4 (RFC 9438, sec. 5).
    pub cubic: f64,
    /// Least share of the window that is kept after a congestion loss, 0.5 or more. 0.7 (RFC 9438,
    /// sec. 4.6).
    pub least_beta: f64,
    /// Largest share of the window that is kept after a congestion loss, less than 1. 0.75: the
    /// least of those with which ATL's paper found the best performance; more takes too much from
    /// others on short queues.
    pub largest_beta: f64,
    /// A standing queue above this share of the least RTT, divided by the root of the window in
    /// packets, is reduced; at least zero. `None`: only losses reduce the window. 1.
    pub queue_share: Option<f64>,
    /// Standing queues of at most this many seconds are tolerated; at least zero. 4 ms (RFC 9406,
    /// MIN_RTT_THRESH).
    pub least_queue: f64,
    /// Packets leave at this multiple of window per SRTT, at least 1; `None`: as the window allows.
    /// 1.2, as Linux.
    pub pace: Option<f64>,
    /// The same during slow start. 2, as Linux.
    pub start_pace: f64,
    /// Packets leave at most at the access link's rate, if that is known.
    pub pace_at_access_rate: bool,
    /// tau: length of the loss window in SRTT, greater than zero.
    pub window_srtts: f64,
    /// The loss window holds at least this many packets.
    pub window_packets: u32,
    /// Packets after a handoff until the new window's own p_c is used.
    pub restart_packets: u32,
    /// Source of the p_w of the sender's own link.
    pub wireless_loss: WirelessLoss,
    /// A receiver's report is bounded by the sender's own measurements, and so is the gain from it.
    pub check_claims: bool,
    /// The claimed p_w raises alpha by this factor at most; at least 1.
    pub claim_gain: f64,
    /// The claimed p_w is at most the loss among the packets that found the shorter queues.
    pub claim_evidence: bool,
    /// Seconds for which a receiver's report is valid, at least 8 SRTT; `None`: until the next
    /// report.
    pub claim_age: Option<f64>,
    /// The events that make the window grow.
    pub counting: Counting,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            cubic: 0.4,
            least_beta: 0.7,
            largest_beta: 0.75,
            queue_share: Some(1.0),
            least_queue: 0.004,
            pace: Some(1.2),
            start_pace: 2.0,
            pace_at_access_rate: true,
            window_srtts: 10.0,
            window_packets: 50,
            restart_packets: 20,
            wireless_loss: WirelessLoss::default(),
            check_claims: true,
            claim_gain: 4.0,
            claim_evidence: true,
            claim_age: Some(10.0),
            counting: Counting::default(),
        }
    }
}

impl Config {
    pub(super) fn view(&self) -> ViewRules {
        ViewRules {
            window_packets: self.window_packets,
            restart_packets: self.restart_packets,
            floor_packets: None,
            wireless_loss: self.wireless_loss,
            spare_marked: true,
            rtt_floor: MIN_CONGESTION_RTT.secs(),
            check_claims: self.check_claims,
            claim_gain: self.claim_gain,
            claim_evidence: self.claim_evidence,
            claim_age: self.claim_age,
        }
    }
}

impl BuildController for Config {
    fn check(&self) -> Result<(), &'static str> {
        let finite = |x: f64| x.is_finite();
        if !(self.cubic > 0.0 && finite(self.cubic)) {
            return Err("cubic must be greater than zero");
        }
        if !(0.5..1.0).contains(&self.least_beta) {
            return Err("least-beta must be at least 0.5 and less than 1");
        }
        if !(self.least_beta..1.0).contains(&self.largest_beta) {
            return Err("largest-beta must be at least least-beta and less than 1");
        }
        if !self.queue_share.is_none_or(|share| share >= 0.0 && finite(share)) {
            return Err("queue-share must be a number, not negative");
        }
        if !(self.least_queue >= 0.0 && finite(self.least_queue)) {
            return Err("least-queue must be a time in seconds, not negative");
        }
        if !self.pace.is_none_or(|pace| pace >= 1.0 && finite(pace)) {
            return Err("pace must be at least 1");
        }
        if !(self.start_pace >= 1.0 && finite(self.start_pace)) {
            return Err("start-pace must be at least 1");
        }
        if !(self.window_srtts > 0.0 && finite(self.window_srtts)) {
            return Err("window-srtts must be greater than zero");
        }
        check_claims(self.claim_gain, self.claim_age)
    }

    fn build(&self, start: &Start) -> Box<dyn WindowController> {
        Box::new(TcpAtlRobust::new(self, start))
    }
}
