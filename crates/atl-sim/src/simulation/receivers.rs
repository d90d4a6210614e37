//! Receiving ends of any family: what they report, and their timers.

use atl_endpoint::options::Extras;

use super::Simulation;
use crate::flow::{Ends, Flow};
use crate::packet::PacketKind;

impl Simulation {
    /// What a receiver reports in the ACK or report that it sends now.
    #[inline]
    pub(super) fn extras(&mut self, id: u32) -> Extras {
        let Flow { feedback: Some(feedback), wireless, .. } = &mut self.flows[id as usize] else {
            return Extras::NONE;
        };
        let reading = match wireless.peer_access {
            Some(link) if feedback.wants_reading(self.now) => {
                Some(self.network.links[link as usize].link.report(self.now))
            }
            _ => None,
        };
        feedback.extras(self.now, reading)
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
