//! The state of an emulator, for displays and clients.

use atl_core::path::LinkReport;
use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_link::{Counters, Link};

use crate::lateness::Lateness;
use atl_link::relay::{Frame, Relay};

/// The state of an emulator at a time. Counters and lateness count from its start: take
/// differences.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Time since the emulator's clock started.
    pub at: Time,
    /// Its links, in the setup's order.
    pub links: Vec<LinkState>,
    /// The lateness of all frames so far.
    pub lateness: Lateness,
}

impl Snapshot {
    /// The state of a relay at a time, with the lateness of the frames that have left it.
    pub fn of(relay: &mut Relay, at: Time, lateness: Lateness) -> Snapshot {
        let links = (0..relay.links().len()).map(|i| {
            let report = relay.report(i, at);
            let link = &relay.links()[i];
            LinkState {
                counters: link.counters(),
                queue: link.queue_len(),
                report,
                network: link.conditions().name.to_string(),
                changes: link.changes(),
                rate: LinkState::rate_of(link),
            }
        });
        Snapshot { at, links: links.collect(), lateness }
    }
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
    /// Name of its present network.
    pub network: String,
    /// The number of changes of network so far.
    pub changes: usize,
    /// The rate at which it transmits packets of 1500 bytes now; `None` where transmission takes no
    /// time.
    pub rate: Option<Rate>,
}

/// Length of a typical packet, in bytes.
const PACKET: u32 = 1500;

impl LinkState {
    /// The rate at which the link transmits a packet of 1500 bytes now.
    fn rate_of(link: &Link<Frame>) -> Option<Rate> {
        match link.packet_time(PACKET) {
            Span::ZERO => None,
            Span::MAX => Some(Rate::ZERO),
            time => Some(Rate::from_bps(f64::from(8 * PACKET) / time.secs())),
        }
    }
}
