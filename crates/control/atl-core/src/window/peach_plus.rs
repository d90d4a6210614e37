//! TCP-Peach+: TCP-Peach whose probes repeat unacknowledged data, on selective acknowledgments.
//!
//! **Reconstructed.** Source: Akyildiz, Zhang, Fang, "TCP-Peach+: Enhancement of TCP-Peach for
//! satellite IP networks", IEEE Communications Letters 6(7), 2002. Only its abstract was available,
//! not its text.
//!
//! Known: **Jump Start** replaces Sudden Start and **Quick Recovery** replaces Rapid Recovery, on
//! SACK, so that several losses in a window are one episode. The probes are NIL segments of low
//! priority, which carry unacknowledged data: one that gets through also repairs a loss.
//!
//! Assumed: both algorithms count as their predecessors do (see [`super::peach`] for these rules
//! and what was assumed there). The sender chooses the unacknowledged data of a NIL segment
//! ([`Probe::Unacknowledged`]): the oldest.

use super::peach::{self, Peach};
use super::{BuildController, Probe, Start, WindowController};

/// Parameters of TCP-Peach+: those of TCP-Peach, with Jump Start for Sudden Start.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Config(pub peach::Config);

impl BuildController for Config {
    fn check(&self) -> Result<(), &'static str> {
        self.0.check()
    }

    fn build(&self, start: &Start) -> Box<dyn WindowController> {
        Box::new(Peach::with_probes(&self.0, Probe::Unacknowledged, start))
    }
}
