//! Parameters of CUBIC, with their units, ranges and sources.

use super::Cubic;
use crate::window::{BuildController, Start, WindowController};

/// Parameters of [`Cubic`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default, rename_all = "kebab-case"))]
pub struct Config {
    /// Spreads packets over the round trip (RFC 9002, sec. 7.7). Otherwise they leave as soon as
    /// the window allows.
    pub pacing: bool,
    /// Leaves the first slow start when the round-trip time rises (HyStart++, RFC 9406).
    pub hystart: bool,
    /// Releases more of the window after a loss below the last maximum (RFC 9438, sec. 4.7).
    pub fast_convergence: bool,
    /// C in packets per second cubed, greater than zero. 0.4 (RFC 9438, sec. 5.1).
    pub c: f64,
    /// Share of the window kept after a loss, 0.5 to less than 1. 0.7 (RFC 9438, sec. 4.6).
    pub beta: f64,
    /// Share kept after a mark, 0.5 to less than 1. 0.7 (RFC 9438, sec. 4.6); 0.85 is RFC 8511's.
    pub ecn_beta: f64,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            pacing: true,
            hystart: true,
            fast_convergence: true,
            c: 0.4,
            beta: 0.7,
            ecn_beta: 0.7,
        }
    }
}

impl Config {
    /// These parameters, each that is out of its range with its default.
    pub(super) fn usable(&self) -> Self {
        let default = Config::default();
        Config {
            c: if is_positive(self.c) { self.c } else { default.c },
            beta: if is_share(self.beta) { self.beta } else { default.beta },
            ecn_beta: if is_share(self.ecn_beta) { self.ecn_beta } else { default.ecn_beta },
            ..*self
        }
    }
}

fn is_positive(x: f64) -> bool {
    x > 0.0 && x.is_finite()
}

fn is_share(x: f64) -> bool {
    (0.5..1.0).contains(&x)
}

impl BuildController for Config {
    fn check(&self) -> Result<(), &'static str> {
        let rules = [
            (is_positive(self.c), "c must be greater than zero"),
            (is_share(self.beta), "beta must be at least 0.5 and less than 1"),
            (is_share(self.ecn_beta), "ecn-beta must be at least 0.5 and less than 1"),
        ];
        rules.iter().find(|(holds, _)| !holds).map_or(Ok(()), |(_, range)| Err(range))
    }

    fn build(&self, start: &Start) -> Box<dyn WindowController> {
        Box::new(Cubic::new(self, start))
    }
}
