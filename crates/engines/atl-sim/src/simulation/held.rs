//! Answers that a receiver holds back before they leave.

use super::{HELD, Simulation};
use crate::packet::Packet;

impl Simulation {
    /// A receiver's answer leaves, now or when the receiver lets it.
    #[inline]
    pub(super) fn answer(&mut self, packet: Packet) {
        let Some(held) = &mut self.flows[packet.flow as usize].held else {
            return self.offer(packet);
        };
        let (flow, leaves) = (packet.flow, held.leaves(self.now, packet.sent_at));
        if leaves <= self.now {
            return self.offer(packet);
        }
        if held.hold(leaves, packet) {
            self.queue.push(leaves, HELD | flow);
        }
    }

    /// Lets go what a receiver need not hold any longer.
    pub(super) fn release(&mut self, id: u32) {
        while let Some(packet) = self.flows[id as usize].held.as_mut().and_then(|h| h.pop(self.now))
        {
            self.offer(packet);
        }
        let next = self.flows[id as usize].held.as_ref().and_then(|held| held.next());
        if let Some(next) = next {
            self.queue.push(next, HELD | id);
        }
    }
}
