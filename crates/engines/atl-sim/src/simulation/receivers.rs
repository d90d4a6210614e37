//! Receiving ends of any family: what they report, and their timers.

use atl_wire::PeerInfo;

use super::Simulation;
use crate::flow::{Ends, Flow};
use crate::packet::PacketKind;

impl Simulation {
    /// The receiver's report in the ACK or report that it sends now.
    pub(super) fn peer_info(&mut self, id: u32) -> PeerInfo {
        let Flow { feedback: Some(feedback), .. } = &mut self.flows[id as usize] else {
            return PeerInfo::NONE;
        };
        let reading = match self.access.wireless(id as usize).peer_access {
            Some(link) if feedback.wants_reading(self.now) => {
                Some(self.network.links[link as usize].link.report(self.now))
            }
            _ => None,
        };
        feedback.peer_info(self.now, reading)
    }

    pub(super) fn on_receiver_timer(&mut self, id: u32) {
        match &mut self.flows[id as usize].ends {
            Ends::Tcp(tcp) => {
                if let Some(ack) = tcp.receiver.on_timer(self.now) {
                    self.send_ack(id, PacketKind::Ack, &ack);
                }
            }
            Ends::Paced(_) => self.on_report_timer(id),
        }
    }
}
