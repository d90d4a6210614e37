mod handoff_report;
mod notice;
mod peer;
mod report_packet;

pub use handoff_report::{HandoffReport, micros};
pub use notice::Notice;
pub use peer::{PeerInfo, PeerLinkReport};
pub use report_packet::ReportPacket;
