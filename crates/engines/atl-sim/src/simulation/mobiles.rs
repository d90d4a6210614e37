//! Mobiles: their signals reach the ends of their flows, and what comes for one that has left is
//! lost.

use atl_core::path::PathSignal;

use super::{MOBILE, Simulation};
use crate::flow::{Ends, Flow};
use crate::packet::{Bits, OptionsId, Packet, PacketKind};

impl Simulation {
    /// A mobile's lower layers signal, or its notices are due.
    pub(super) fn on_mobile(&mut self, id: u32) {
        while let Some(roaming) = &mut self.flows[id as usize].roaming
            && let Some(signal) = roaming.step(self.now)
        {
            self.signal(id, signal);
        }
        self.send_notices(id);
        self.take_forged(id);
        self.watch_mobile(id);
    }

    /// Schedules what a mobile's flow does next. A second event at the same time finds nothing to
    /// do.
    pub(super) fn watch_mobile(&mut self, id: u32) {
        if let Some(roaming) = &self.flows[id as usize].roaming
            && let Some(next) = roaming.next_event()
        {
            self.queue.push(next, MOBILE | id);
        }
    }

    fn signal(&mut self, id: u32, signal: PathSignal) {
        let (now, links) = (self.now, &mut self.network.links);
        let flow = &mut self.flows[id as usize];
        let Flow { roaming: Some(roaming), ends, paths, start, .. } = flow else { return };
        let (times, told) = ((now, *start), (roaming.mobile(), signal));
        let mut read = |link: usize| links[link].link.report(now);
        let news = self.access.on_signal(times, id as usize, told, roaming.keeps(), &mut read);
        if now < *start {
            // There is no connection yet: it begins on the path that the mobile is on by then.
            if let PathSignal::Done(_) = signal {
                ends.on_path_signal(now, signal);
                paths.back = roaming.back(signal.path());
            }
            return;
        }
        if !roaming.sends() {
            roaming.notify(now, signal);
            ends.on_receiver_path_signal(now, signal);
            // The receiver also sends without a packet to answer: that needs a path on which the
            // mobile is present.
            if !roaming.mobile().is_present(roaming.path_at(paths.back)) {
                paths.back = roaming.back(roaming.mobile().current());
            }
            news.for_each(|news| flow.hear(now, news));
            self.send_handoff_report(id);
            self.watch_receiver(id);
            return;
        }
        ends.on_path_signal(now, signal);
        news.for_each(|news| flow.hear(now, news));
        self.send(id);
    }

    /// Sends what a mobile receiver has to tell the sender of its paths.
    fn send_notices(&mut self, id: u32) {
        loop {
            let Flow { roaming: Some(roaming), data_bytes, .. } = &mut self.flows[id as usize]
            else {
                return;
            };
            let Some((path, notice)) = roaming.poll_notice(self.now) else { return };
            let (hop, bytes) = (roaming.back(path), *data_bytes);
            let present = roaming.mobile().is_present(path);
            let tx = self.notices.insert(notice);
            let packet = Packet {
                sent_at: self.now,
                tx,
                seq: 0,
                flow: id,
                hop,
                bytes,
                kind: PacketKind::Notice,
                bits: Bits::NONE,
                options: OptionsId::NONE,
            };
            if present {
                self.offer(&packet);
            } else {
                self.strand(&packet);
            }
        }
    }

    /// A notice arrived at its sender.
    pub(super) fn on_notice(&mut self, packet: &Packet) {
        let notice = self.notices.remove(packet.tx);
        let Flow { roaming: Some(roaming), ends, .. } = &mut self.flows[packet.flow as usize]
        else {
            return;
        };
        let path = roaming.path_at(packet.hop);
        roaming.overhear(path, notice);
        ends.on_notice(self.now, &notice, path, u32::from(packet.bytes));
        self.send(packet.flow);
    }

    /// Hands the sender notices that an attacker wrote in the name of the mobile receiver.
    fn take_forged(&mut self, id: u32) {
        loop {
            let Flow { roaming: Some(roaming), ends, data_bytes, .. } =
                &mut self.flows[id as usize]
            else {
                return;
            };
            let bytes = *data_bytes;
            let Some((path, notice)) = roaming.poll_forged(self.now, bytes) else { return };
            ends.on_notice(self.now, &notice, path, u32::from(bytes));
            self.send(id);
        }
    }

    /// A challenge of a new path arrived at its receiver.
    pub(super) fn on_challenge(&mut self, packet: &Packet) {
        match self.flows[packet.flow as usize].ends {
            Ends::Tcp(_) => self.on_probe(packet),
            Ends::Paced(_) => self.on_paced_probe(packet),
        }
    }

    /// Its answer arrived at the sender.
    pub(super) fn on_challenge_answer(&mut self, packet: &Packet) {
        match self.flows[packet.flow as usize].ends {
            Ends::Tcp(_) => self.on_probe_ack(packet),
            Ends::Paced(_) => self.on_paced_probe_ack(packet),
        }
    }

    /// True if a packet's source is a mobile that has left the packet's path.
    #[inline(never)]
    pub(super) fn is_stranded(&self, packet: &Packet) -> bool {
        let roaming = self.flows[packet.flow as usize].roaming.as_ref();
        roaming.is_some_and(|roaming| roaming.strands(packet.hop))
    }

    /// True if nobody is there to take a packet at the end of its path, since the mobile has left
    /// that path. The other end answers over the path that a packet came on.
    #[inline(never)]
    pub(super) fn misses(&mut self, packet: &Packet) -> bool {
        if packet.kind == PacketKind::Cell {
            return false;
        }
        let flow = &mut self.flows[packet.flow as usize];
        let Some(roaming) = &mut flow.roaming else { return false };
        let path = roaming.path_at(packet.hop);
        let to_receiver = packet.kind.is_for_receiver();
        if to_receiver != roaming.sends() && !roaming.mobile().is_present(path) {
            let counts = u64::from(packet.kind.is_data());
            flow.fate.lost += counts;
            self.discard(packet);
            return true;
        }
        if to_receiver {
            if !roaming.sends() {
                roaming.confirm(path, packet.kind.is_data());
            }
            flow.paths.back = roaming.back(path);
        }
        false
    }
}
