//! A receiver's reports of its wireless link, at the sender.

use atl_core::path::Reports;
use atl_core::time::Time;
use atl_endpoint::feedback::accept_peer_report;
use atl_noq::PathHandle;
use atl_wire::PeerLinkReport;

/// The reports of a flow's receiver, which come as QUIC datagrams.
#[derive(Debug, Default)]
pub struct PeerReports {
    last: Option<Box<PeerLinkReport>>,
}

impl PeerReports {
    /// A datagram arrived; what it reports goes to the controllers behind `reports`, and a handoff
    /// to that of the path. One that cannot be read changes nothing.
    pub fn on_datagram(
        &mut self,
        now: Time,
        message: &[u8],
        reports: &Reports,
        path: Option<&PathHandle>,
    ) {
        let report = atl_wire::decode(message).ok().and_then(|info| info.link_report);
        let Some(report) = report else { return };
        let Some(handoff) = accept_peer_report(&mut self.last, now, &report) else { return };
        if let (Some(handoff), Some(path)) = (handoff, path) {
            path.on_handoff(handoff);
        }
        reports.peer(report.link);
    }
}
