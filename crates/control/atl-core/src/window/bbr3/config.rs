//! Parameters of BBRv3, with their units, ranges and sources.

use super::Bbr3;
use crate::window::{BuildController, Start, WindowController};

/// Parameters of [`Bbr3`]: those in which its implementations differ.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default, rename_all = "kebab-case"))]
pub struct Config {
    /// BBR.DrainPacingGain: share of the bandwidth at which the start's queue is drained, greater
    /// than 0 and at most 1. 0.5 (the draft, "Drain"; 0.347 before, and in Linux).
    pub drain_gain: f64,
    /// BBR.LossThresh: share of losses above which a probe was too much, 0 to 1. 0.02 (the draft,
    /// "Core Algorithm Design Parameters").
    pub loss_threshold: f64,
    /// Separate ranges of losses in a round without which no probe was too much, at least 1. 1 (the
    /// draft has no such rule; 2 in a BBRv2 of QUIC, s2n's).
    pub loss_ranges: u32,
    /// BBR.ProbeRTTInterval: seconds between two tests of the least round-trip time, greater than
    /// zero. 5 (the draft, "ProbeRTT").
    pub probe_rtt_interval: f64,
}

impl Default for Config {
    fn default() -> Self {
        Config { drain_gain: 0.5, loss_threshold: 0.02, loss_ranges: 1, probe_rtt_interval: 5.0 }
    }
}

impl Config {
    fn gain_is_usable(&self) -> bool {
        self.drain_gain > 0.0 && self.drain_gain <= 1.0
    }

    fn threshold_is_usable(&self) -> bool {
        (0.0..1.0).contains(&self.loss_threshold)
    }

    fn interval_is_usable(&self) -> bool {
        self.probe_rtt_interval > 0.0 && self.probe_rtt_interval.is_finite()
    }

    /// These parameters, each that is out of its range with its default.
    pub(super) fn usable(&self) -> Self {
        let default = Config::default();
        Config {
            drain_gain: if self.gain_is_usable() { self.drain_gain } else { default.drain_gain },
            loss_threshold: if self.threshold_is_usable() {
                self.loss_threshold
            } else {
                default.loss_threshold
            },
            loss_ranges: self.loss_ranges.max(default.loss_ranges),
            probe_rtt_interval: if self.interval_is_usable() {
                self.probe_rtt_interval
            } else {
                default.probe_rtt_interval
            },
        }
    }
}

impl BuildController for Config {
    fn check(&self) -> Result<(), &'static str> {
        let rules = [
            (self.gain_is_usable(), "drain-gain must be greater than 0 and at most 1"),
            (self.threshold_is_usable(), "loss-threshold must be at least 0 and less than 1"),
            (self.loss_ranges > 0, "loss-ranges must be at least 1"),
            (self.interval_is_usable(), "probe-rtt-interval must be a time in seconds, above zero"),
        ];
        rules.iter().find(|(holds, _)| !holds).map_or(Ok(()), |(_, range)| Err(range))
    }

    fn build(&self, start: &Start) -> Box<dyn WindowController> {
        Box::new(Bbr3::new(self, start))
    }
}
