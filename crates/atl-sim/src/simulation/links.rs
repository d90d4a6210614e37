//! Links: what comes out of them, and on to the next.

use atl_core::time::Time;
use atl_core::window::{End, Handoff};
use atl_link::{Cause, ChangeEvent, Exit};

use super::{LINK, REPORT, REPORT_EVERY, Simulation};
use crate::flow::Tally;
use crate::network::{END, Network};
use crate::packet::{Kind, Packet};
use atl_endpoint::number::expand;

impl Simulation {
    /// Puts a link's next event into the queue, unless an earlier one of it is there.
    #[inline]
    pub(super) fn watch(&mut self, link: u32) {
        let hop = &mut self.network.links[link as usize];
        let next = hop.link.next_event();
        if next < hop.due {
            hop.due = next;
            self.queue.push(next, LINK | link);
        }
    }

    #[inline]
    pub(super) fn on_link(&mut self, link: u32) {
        let hop = &mut self.network.links[link as usize];
        if hop.due != self.now {
            return;
        }
        hop.due = Time::MAX;
        // Most of what comes out are packets that arrive: those take the short way out.
        loop {
            let source = &mut self.network.links[link as usize].link;
            if let Some(packet) = source.poll_delivered(self.now) {
                self.on_delivered(packet);
                continue;
            }
            match source.poll(self.now) {
                None => break,
                Some(Exit::Delivered(packet)) => self.on_delivered(packet),
                Some(Exit::Lost(packet, cause)) => self.on_lost(&packet, cause),
                Some(Exit::Changed(change)) => self.on_change(link, change),
            }
        }
        self.watch(link);
    }

    /// A packet came out of a link: on to the next one, or to the endpoint.
    #[inline]
    pub(super) fn on_delivered(&mut self, mut packet: Packet) {
        if packet.kind == Kind::Cell {
            self.on_cell(packet);
            return;
        }
        self.on_wire.count(&packet);
        packet.first_hop = false;
        packet.hop += 1;
        if self.network.entry(packet.hop) != END {
            self.offer(packet);
            return;
        }
        match packet.kind {
            Kind::Data => self.on_data(&packet),
            Kind::Ack => self.on_ack(&packet),
            Kind::WindowProbe => self.repeat_ack(packet.flow),
            Kind::Dummy | Kind::Nil => self.on_probe(&packet),
            Kind::ProbeAck => self.on_probe_ack(&packet),
            Kind::Syn => {
                let flow = &self.flows[packet.flow as usize];
                let (hop, bytes) = (flow.back, flow.ack_bytes);
                self.offer(Packet { hop, bytes, kind: Kind::SynAck, ..packet });
            }
            Kind::SynAck => {
                self.flows[packet.flow as usize].sender.on_syn_ack(self.now, packet.sent_at);
                self.send(packet.flow);
            }
            // An agent's other half has taken it.
            Kind::Request => {}
            Kind::Quench => self.on_quench(packet.flow),
            Kind::Paced => self.on_paced_data(&packet),
            Kind::PacedAck | Kind::Report => self.on_paced_feedback(&packet),
            Kind::PacedProbe => self.on_paced_probe(&packet),
            Kind::PacedProbeAck => self.on_paced_probe_ack(&packet),
            // They never come this far.
            Kind::Cell => {}
        }
    }

    /// Hands a packet to what is at its place on its path: a link, or agents before one.
    #[inline]
    pub(super) fn offer(&mut self, packet: Packet) {
        let link = self.network.entry(packet.hop);
        let Some(hop) = self.network.links.get_mut(link as usize) else {
            self.go_elsewhere(link, packet);
            return;
        };
        if let Err(packet) = hop.link.offer(self.now, packet) {
            self.on_dropped(link, &packet);
        }
        self.watch(link);
    }

    /// Hands a packet to what is no link: agents, or an end of a virtual channel.
    #[cold]
    fn go_elsewhere(&mut self, entry: u32, packet: Packet) {
        match Network::end_of(entry) {
            Some(end) => self.enter_channel(end, packet),
            None => self.meet_agents(packet),
        }
    }

    /// A queue dropped this packet, and maybe others with it.
    pub(super) fn on_dropped(&mut self, link: u32, first: &Packet) {
        let mut dropped = Some(*first);
        while let Some(packet) = dropped {
            self.refuse(&packet);
            dropped = self.network.links[link as usize].link.next_dropped();
        }
    }

    /// A packet found a queue full.
    pub(super) fn refuse(&mut self, packet: &Packet) {
        self.discard(packet);
        if packet.kind != Kind::Cell {
            let counts = u64::from(packet.kind.is_data());
            self.tally(packet.flow).dropped += counts;
        }
    }

    /// A packet is lost in a virtual channel.
    pub(super) fn give_up(&mut self, packet: &Packet) {
        self.discard(packet);
        let counts = u64::from(packet.kind.is_data());
        self.tally(packet.flow).lost += counts;
    }

    /// Whether the packet's flow has error control: it then drops what is wrong.
    pub(super) fn repairs(&self, packet: &Packet) -> bool {
        let flow = self.flows.get(packet.flow as usize);
        flow.is_none_or(|flow| flow.sender.recovery().repairs())
    }

    pub(super) fn on_lost(&mut self, packet: &Packet, cause: Cause) {
        self.discard(packet);
        if !packet.kind.is_data() {
            return;
        }
        self.tally(packet.flow).lost += 1;
        if !packet.first_hop {
            return;
        }
        self.on_wire.count(packet);
        if cause == Cause::Congestion {
            // The MAC has transmitted it: it was lost further on.
            return;
        }
        if let Some(flow) = self.flows.get_mut(packet.flow as usize) {
            if flow.access.is_some() {
                let seq = expand(flow.sender.una(), packet.seq);
                flow.sender.on_link_failure(seq, packet.tx);
            }
        } else if let Some(flow) = self.paced(packet.flow)
            && flow.wireless.access.is_some()
        {
            let seq = expand(flow.sender.sent(), packet.seq);
            flow.sender.on_link_failure(seq);
        }
    }

    /// What was kept beside a packet that is no more.
    fn discard(&mut self, packet: &Packet) {
        match packet.kind {
            Kind::Report => _ = self.reports.take(packet.tx),
            Kind::Cell => self.atm.on_lost(packet),
            _ => _ = self.options.take(packet.options),
        }
    }

    fn tally(&mut self, id: u32) -> &mut Tally {
        let tcps = self.flows.len();
        match self.flows.get_mut(id as usize) {
            Some(flow) => &mut flow.tally,
            None => &mut self.paced[id as usize - tcps].tally,
        }
    }

    pub(super) fn on_report(&mut self, link: u32) {
        self.report(link);
        self.queue.push(self.now + REPORT_EVERY, REPORT | link);
    }

    /// Tells the hosts at a wireless link of it.
    pub(super) fn report(&mut self, link: u32) {
        let report = self.network.links[link as usize].link.report(self.now);
        let tcps = self.flows.len();
        for &id in &self.network.listeners[link as usize] {
            match self.flows.get_mut(id as usize) {
                Some(flow) => flow.sender.on_link_report(self.now, &report),
                None => self.paced[id as usize - tcps].sender.on_link_report(self.now, &report),
            }
        }
    }

    pub(super) fn on_change(&mut self, link: u32, change: ChangeEvent) {
        let (old_delay, new_delay) = (change.old_delay, change.new_delay);
        let handoff = Handoff::new(self.now, End::Own, old_delay, new_delay);
        let tcps = self.flows.len();
        for &id in &self.network.listeners[link as usize] {
            match self.flows.get_mut(id as usize) {
                Some(flow) => flow.sender.on_handoff(&handoff),
                None => self.paced[id as usize - tcps].sender.on_handoff(&handoff),
            }
        }
        if !self.network.listeners[link as usize].is_empty() {
            self.report(link);
        }
        for &id in &self.network.receivers[link as usize] {
            let voice = match self.flows.get_mut(id as usize) {
                Some(flow) => &mut flow.voice,
                None => &mut self.paced[id as usize - tcps].voice,
            };
            if let Some(voice) = voice {
                voice.on_handoff();
            }
        }
    }
}
