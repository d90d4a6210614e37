//! What an emulator is doing, for whoever watches it.

use atl_core::path::LinkReport;
use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_link::{Counters, Link};

use crate::lateness::Lateness;
use atl_relay::Frame;

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
    /// Changes of network so far.
    pub changes: usize,
    /// The rate at which it transmits packets of 1500 bytes now; `None` where transmission takes no time.
    pub rate: Option<Rate>,
}

/// A typical packet, in bytes.
const PACKET: u32 = 1500;

impl LinkState {
    /// The rate behind a packet time of 1500 bytes.
    pub(crate) fn rate_of(link: &Link<Frame>) -> Option<Rate> {
        match link.packet_time(PACKET) {
            Span::ZERO => None,
            Span::MAX => Some(Rate::ZERO),
            time => Some(Rate::from_bps(f64::from(8 * PACKET) / time.secs())),
        }
    }
}
