//! Answers that a receiver holds back before they leave.

use super::{HELD, Simulation};
use crate::packet::Packet;

impl Simulation {
    /// A receiver's answer leaves, now or when the receiver lets it.
    #[inline]
    pub(super) fn answer(&mut self, packet: &Packet) {
        if self.flows[packet.flow as usize].held.is_some() && self.holds(packet) {
            return;
        }
        self.offer(packet);
    }

    /// True if the receiver holds this answer back, or spares it. Apart from
    /// [`answer`](Self::answer), since honest receivers hold nothing.
    #[cold]
    fn holds(&mut self, packet: &Packet) -> bool {
        let flow = packet.flow;
        let Some(held) = &mut self.flows[flow as usize].held else { return false };
        if held.spares() {
            self.discard(packet);
            return true;
        }
        let leaves = held.leaves(self.now, packet.sent_at);
        if leaves <= self.now {
            return false;
        }
        if held.hold(leaves, *packet) {
            self.queue.push(leaves, HELD | flow);
        }
        true
    }

    /// Lets go what a receiver need not hold any longer.
    pub(super) fn release(&mut self, id: u32) {
        while let Some(packet) = self.flows[id as usize].held.as_mut().and_then(|h| h.pop(self.now))
        {
            self.offer(&packet);
        }
        let next = self.flows[id as usize].held.as_ref().and_then(|held| held.next());
        if let Some(next) = next {
            self.queue.push(next, HELD | id);
        }
    }
}
