//! What an emulator is doing, for whoever watches it.

use atl_core::path::LinkReport;
use atl_core::time::Time;
use atl_link::Counters;

use crate::lateness::Lateness;

/// The state of an emulator at a time. Counters and lateness are since its start: a watcher takes differences.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// When.
    pub at: Time,
    /// Its links, in the setup's order.
    pub links: Vec<LinkState>,
    /// How late frames left.
    pub lateness: Lateness,
}

/// The state of a link.
#[derive(Clone, Debug)]
pub struct LinkState {
    /// Packets and bytes since the start.
    pub counters: Counters,
    /// Packets that wait, without the one in transmission.
    pub queue: usize,
    /// Its own report: p_w over its window, d_w.
    pub report: LinkReport,
    /// Name of the network that it is now.
    pub network: String,
}
