//! Parameters of Prague, with their units, ranges and sources.

use super::Prague;
use crate::window::{BuildController, Start, WindowController};

/// Parameters of [`Prague`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default, rename_all = "kebab-case"))]
pub struct Config {
    /// g: weight of the newest round in the share of marked packets, greater than 0 and at most 1.
    /// 1/16 (the draft's "EWMA of the marking fraction").
    pub gain: f64,
    /// Least virtual round-trip time in seconds, 0 to 1: flows whose round trips are shorter get
    /// the rate of one with this. 0.025 (the draft's "RTT independence"); 0 turns that off.
    pub reference_rtt_s: f64,
    /// Share of the window kept after a loss, 0.5 to less than 1. 0.5, as Reno keeps.
    pub beta: f64,
}

impl Default for Config {
    fn default() -> Self {
        Config { gain: 1.0 / 16.0, reference_rtt_s: 0.025, beta: 0.5 }
    }
}

impl Config {
    /// These parameters, or the defaults if any is out of its range.
    pub(super) fn usable(&self) -> Self {
        if self.check().is_ok() { self.clone() } else { Config::default() }
    }
}

impl BuildController for Config {
    fn check(&self) -> Result<(), &'static str> {
        let rules = [
            (self.gain > 0.0 && self.gain <= 1.0, "gain must be greater than 0 and at most 1"),
            (
                (0.0..=1.0).contains(&self.reference_rtt_s),
                "reference-rtt-s must be 0 to 1 (seconds)",
            ),
            ((0.5..1.0).contains(&self.beta), "beta must be at least 0.5 and less than 1"),
        ];
        rules.iter().find(|(holds, _)| !holds).map_or(Ok(()), |(_, range)| Err(range))
    }

    fn build(&self, start: &Start) -> Box<dyn WindowController> {
        Box::new(Prague::new(self, start))
    }
}
