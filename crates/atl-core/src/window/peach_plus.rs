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

use super::peach::{Config, Peach};
use super::{Probe, Start};

/// A window at the start of a connection. Its parameters are TCP-Peach's, with Jump Start for Sudden Start.
pub(super) fn new(config: &Config, start: &Start) -> Peach {
    Peach::with_probes(config, Probe::Unacknowledged, start)
}
