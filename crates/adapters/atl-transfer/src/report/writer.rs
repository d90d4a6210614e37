//! Link reports at the receiver.

use atl_core::time::Time;
use atl_device::LinkInfo;
use atl_endpoint::feedback::{PeerReportSource, ReceiverFeedback};

use super::VERSION;

/// Decides when a report goes out, and writes it.
#[derive(Debug)]
pub struct ReportWriter {
    feedback: ReceiverFeedback,
    /// The number of handoffs that the link itself counts, as last read.
    epoch: u32,
    next: u32,
}

impl Default for ReportWriter {
    fn default() -> Self {
        // The packet size matters only to receivers that ask for a rate.
        let feedback = ReceiverFeedback::new(None, PeerReportSource::Link, 1500);
        ReportWriter { feedback, epoch: 0, next: 0 }
    }
}

impl ReportWriter {
    /// The datagram due at `now`, if any; `info` is the current information on the link.
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
        datagram.extend_from_slice(atl_wire::encode(&reported).as_ref());
        self.next = self.next.wrapping_add(1);
        Some(datagram)
    }
}
