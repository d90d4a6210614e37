//! A receiver's reports beyond acknowledgments.

use atl_core::path::LinkReport;

/// A receiver's report on its own wireless link, made for its peer (ATL paper, sec. IV-A, cases 2
/// and 3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PeerLinkReport {
    /// Number of handoffs so far. Each report repeats it, so that a handoff is not missed when the
    /// ACK that first reported it is lost.
    pub epoch: u32,
    /// p_w and d_w of the link.
    pub link: LinkReport,
}

/// A receiver's reports to its sender, beyond acknowledgments.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PeerInfo {
    /// The state of the receiver's wireless link.
    pub link_report: Option<PeerLinkReport>,
    /// The rate that the receiver requests, in packets per second.
    pub rate: Option<f64>,
    /// True for an open window, false for a closed one (zero); `None` if it has never been closed.
    pub window_open: Option<bool>,
}

impl PeerInfo {
    /// A message without any report.
    pub const NONE: PeerInfo = PeerInfo { link_report: None, rate: None, window_open: None };

    /// True if the message holds no report.
    pub fn is_none(&self) -> bool {
        self.link_report.is_none() && self.rate.is_none() && self.window_open.is_none()
    }
}
