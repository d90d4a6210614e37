//! A receiver's report on its way to the sender.

use atl_core::rate::Report;

use crate::message::PeerLinkReport;

/// A receiver report, together with the report of the receiver's wireless link (ATL paper, sec.
/// IV-B).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReportPacket {
    /// Reception statistics, as RTCP has them.
    pub report: Report,
    /// p_w, d_w and handoffs of the receiver's wireless link, where it reports them.
    pub link_report: Option<PeerLinkReport>,
}
