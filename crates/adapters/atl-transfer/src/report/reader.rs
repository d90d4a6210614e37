//! Link reports at the sender.

use atl_core::path::LinkReport;
use atl_core::time::Time;
use atl_core::window::Handoff;
use atl_endpoint::feedback::accept_peer_report;
use atl_wire::PeerLinkReport;

use super::VERSION;

/// Counts of the datagrams that came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReportCounts {
    /// Reports that were passed on.
    pub accepted: u64,
    /// Datagrams that were no report of this version.
    pub malformed: u64,
    /// Reports that came after a newer one: overtaken, or replayed.
    pub outdated: u64,
}

/// A report to pass on to a controller.
#[derive(Clone, Copy, Debug)]
pub struct Accepted {
    /// The values that the receiver claims for its link.
    pub report: LinkReport,
    /// The handoff that the report announces, if it counts one more than before.
    pub handoff: Option<Handoff>,
}

/// Reads reports, and ignores old ones.
#[derive(Debug, Default)]
pub struct ReportReader {
    number: Option<u32>,
    last: Option<Box<PeerLinkReport>>,
    counts: ReportCounts,
}

impl ReportReader {
    /// Reads a datagram that arrived at `now`. Its octets come from the network: they may be
    /// anything.
    pub fn accept(&mut self, now: Time, datagram: &[u8]) -> Option<Accepted> {
        let Some((number, report)) = parse(datagram) else {
            self.counts.malformed += 1;
            return None;
        };
        let newer = self.number.is_none_or(|last| number.wrapping_sub(last).cast_signed() > 0);
        let accepted = newer.then(|| accept_peer_report(&mut self.last, now, &report)).flatten();
        let Some(handoff) = accepted else {
            self.counts.outdated += 1;
            return None;
        };
        self.number = Some(number);
        self.counts.accepted += 1;
        Some(Accepted { report: report.link, handoff })
    }

    /// Counts since it was made.
    pub fn counts(&self) -> ReportCounts {
        self.counts
    }
}

fn parse(datagram: &[u8]) -> Option<(u32, PeerLinkReport)> {
    let (version, rest) = datagram.split_first()?;
    if *version != VERSION {
        return None;
    }
    let (number, message) = rest.split_first_chunk()?;
    let info = atl_wire::decode(message).ok()?;
    Some((u32::from_be_bytes(*number), info.link_report?))
}
