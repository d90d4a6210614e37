//! Sending ends of any family: packets leave, timers expire.

use atl_core::time::Time;

use super::{EMIT, SENDER, Simulation};
use crate::flow::Ends;
use crate::packet::{Packet, PacketKind};

impl Simulation {
    /// Sends what a flow's sender may send now, and schedules its timer.
    #[inline]
    pub(super) fn send(&mut self, id: u32) {
        loop {
            let flow = &mut self.flows[id as usize];
            let Some(packet) = flow.poll_packet(self.now, id) else { break };
            let paced = packet.kind == PacketKind::Paced;
            match flow.overhead {
                None => self.leave_host(&packet),
                Some(_) => self.hold(&packet),
            }
            if paced && self.rests(id) {
                return;
            }
        }
        self.watch_sender(id);
    }

    /// The host spends time on a packet before it leaves.
    // Apart: the compiler would work out what its event needs before each packet of any flow.
    #[inline(never)]
    fn hold(&mut self, packet: &Packet) {
        let id = packet.flow;
        let overhead = self.flows[id as usize].overhead.as_mut();
        if let Some(at) = overhead.and_then(|overhead| overhead.hold(self.now, *packet)) {
            self.queue.push(at, EMIT | id);
        }
    }

    /// True if a paced sender has nothing to do until its timer, which is then scheduled: most send
    /// one packet at a time, and need not be asked for another first.
    pub(super) fn rests(&mut self, id: u32) -> bool {
        let flow = &mut self.flows[id as usize];
        let Ends::Paced(paced) = &mut flow.ends else { return false };
        let Some(next) = paced.rests_until(self.now) else { return false };
        if next < flow.due {
            flow.due = next;
            self.queue.push(next, SENDER | id);
        }
        true
    }

    /// Schedules a sender's timer, unless it has an earlier event in the queue.
    #[inline]
    fn watch_sender(&mut self, id: u32) {
        let flow = &mut self.flows[id as usize];
        let next = flow.ends.next_timer(self.now);
        if next < flow.due {
            flow.due = next;
            self.queue.push(next, SENDER | id);
        }
    }

    pub(super) fn on_sender_timer(&mut self, id: u32) {
        let flow = &mut self.flows[id as usize];
        if flow.due != self.now {
            return;
        }
        flow.due = Time::MAX;
        flow.ends.on_timer(self.now);
        let proxied = flow.proxied.is_some();
        self.send(id);
        if proxied {
            self.on_proxied_ack(id);
        }
    }

    /// The host has finished with a packet: it goes to the first link of its path.
    pub(super) fn on_emit(&mut self, id: u32) {
        let Some(overhead) = &mut self.flows[id as usize].overhead else { return };
        let (first, next) = overhead.release();
        if let Some(at) = next {
            self.queue.push(at, EMIT | id);
        }
        if let Some(packet) = first {
            self.leave_host(&packet);
        }
    }

    /// A packet leaves its source's host, over the first link of its path if there is one at the
    /// moment.
    #[inline]
    fn leave_host(&mut self, packet: &Packet) {
        if self.roams && self.is_stranded(packet) {
            self.strand(packet);
        } else {
            self.offer(packet);
        }
    }
}
