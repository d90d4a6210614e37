//! TCP-Peach+: TCP-Peach whose probes repeat data that is not acknowledged, on selective acknowledgments.
//!
//! **Reconstructed.** Source: Akyildiz, Zhang, Fang, "TCP-Peach+: Enhancement of TCP-Peach for satellite IP networks",
//! IEEE Communications Letters 6(7), 2002. Its text was not at hand; its abstract was.
//!
//! Known: **Jump Start** takes the place of Sudden Start and **Quick Recovery** that of Rapid Recovery, on SACK, so that
//! several losses of a window are one episode. The probes are NIL segments of low priority, which carry unacknowledged
//! data: one that comes through also repairs what was lost.
//!
//! Assumed: both algorithms count as their forerunners do (see [`super::peach`] for these rules and what was assumed
//! there). Which unacknowledged data a NIL segment carries is the host's choice ([`Probe::Unacknowledged`]): the oldest.

use super::peach::{self, Peach};
use super::{Counting, Probe, Start};

/// Parameters of TCP-Peach+.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default, rename_all = "kebab-case"))]
pub struct Config {
    /// Largest window, in packets, that Jump Start probes for; the receiver's window bounds it too. 1 to 10 000; with 1
    /// there is no Jump Start.
    pub start_window: u32,
    /// What makes the window grow in congestion avoidance.
    pub counting: Counting,
}

impl Config {
    /// Checks that the parameters are in their ranges.
    ///
    /// # Errors
    /// What is allowed for the first one that is not.
    pub fn check(&self) -> Result<(), &'static str> {
        self.rules().check()
    }

    /// A window at the start of a connection.
    pub(super) fn build(&self, start: &Start) -> Peach {
        Peach::with_probes(&self.rules(), Probe::Unacknowledged, start)
    }

    fn rules(&self) -> peach::Config {
        peach::Config { start_window: self.start_window, counting: self.counting }
    }
}

impl Default for Config {
    fn default() -> Self {
        let peach::Config { start_window, counting } = peach::Config::default();
        Config { start_window, counting }
    }
}
