//! The receiver's end.

use atl_core::time::Time;
use atl_device::LinkInfo;
use atl_endpoint::feedback::{PeerReportSource, ReceiverFeedback};
use atl_endpoint::wire;

use super::VERSION;

/// Decides when a report goes out, and writes it.
#[derive(Debug)]
pub struct ReportWriter {
    feedback: ReceiverFeedback,
    /// The link's own number of handoffs, as last read.
    epoch: u32,
    next: u32,
}

impl Default for ReportWriter {
    fn default() -> Self {
        // The size of packets matters to receivers that ask for a rate only.
        let feedback = ReceiverFeedback::new(None, PeerReportSource::Link, 1500);
        ReportWriter { feedback, epoch: 0, next: 0 }
    }
}

impl ReportWriter {
    /// The datagram that is due at `now`, if one is; `info` is what is known of the link.
    pub fn due(&mut self, now: Time, info: &LinkInfo) -> Option<Vec<u8>> {
        if info.epoch != self.epoch {
            self.epoch = info.epoch;
            self.feedback.on_handoff();
        }
        if !self.feedback.wants_reading(now) {
            return None;
        }
        let reported = self.feedback.peer_info(now, info.report());
        reported.link_report?;
        let mut datagram = vec![VERSION];
        datagram.extend_from_slice(&self.next.to_be_bytes());
        datagram.extend_from_slice(wire::encode(&reported).as_ref());
        self.next = self.next.wrapping_add(1);
        Some(datagram)
    }
}
