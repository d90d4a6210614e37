//! Links: what comes out of them, and where it goes next.

use atl_core::time::Time;
use atl_engine::flow::Access;
use atl_link::{Cause, ChangeEvent, Exit};

use super::{LINK, REPORT, Simulation, What};
use crate::network::{Door, END, Network};
use crate::packet::{Packet, PacketKind};

impl Simulation {
    /// Schedules a link's next event, unless it has an earlier one in the queue. Rare: most links
    /// have one.
    #[inline(never)]
    pub(super) fn watch(&mut self, link: u32) {
        let hop = &mut self.network.links[link as usize];
        let next = hop.link.next_event();
        if next < hop.due {
            hop.due = next;
            self.queue.push(next, LINK | link);
        }
    }

    // Most events are of links: a call costs more than 1 % of the whole run.
    #[inline(always)]
    pub(super) fn on_link(&mut self, link: u32) {
        let hop = &mut self.network.links[link as usize];
        if hop.due != self.now {
            return;
        }
        // Nearly everything that comes out is one packet that arrives, with nothing else due now.
        if let Some(&packet) = hop.link.front()
            && hop.link.delivers_front(self.now)
        {
            let next = hop.link.next_event();
            if next > self.now {
                hop.due = next;
                if next < Time::MAX {
                    self.queue.push(next, LINK | link);
                }
                self.on_delivered(packet);
                return;
            }
            hop.due = Time::MAX;
            self.on_delivered(packet);
        } else {
            hop.due = Time::MAX;
        }
        self.on_all_due(link);
    }

    /// Everything else that comes out of a link now.
    #[cold]
    fn on_all_due(&mut self, link: u32) {
        while let Some(exit) = self.network.links[link as usize].link.poll(self.now) {
            match exit {
                Exit::Delivered(packet) => self.on_delivered(packet),
                Exit::DeliveredTwice(packet) => self.on_delivered_twice(packet),
                Exit::Lost(packet, cause) => self.on_lost(link, &packet, cause),
                Exit::Dropped(packet, _) => self.refuse(&packet),
                Exit::Changed(change) => self.on_change(link, change),
            }
        }
        self.watch(link);
    }

    /// A packet came out of a link: it goes to the next entry of its path, or to the endpoint.
    #[inline(always)]
    pub(super) fn on_delivered(&mut self, mut packet: Packet) {
        if packet.bits.first_hop() {
            self.on_wire.count(&packet);
            packet.bits = packet.bits.past_first_hop();
        }
        packet.hop += 1;
        if self.network.entry(packet.hop) != END {
            if self.seen.is_none() {
                self.offer_unwatched(&packet);
            } else {
                self.note_after(What::Passed, &packet);
                self.offer_any(&packet);
            }
            return;
        }
        if self.roams && self.misses(&packet) {
            self.note_after(What::Lost(Cause::Change), &packet);
            return;
        }
        self.note_after(What::Arrived, &packet);
        match packet.kind {
            PacketKind::Data => self.on_data(&packet),
            PacketKind::Ack => self.on_ack(&packet),
            _ => self.on_special(&packet),
        }
    }

    /// A packet came out of a link, and a copy right behind it.
    #[cold]
    fn on_delivered_twice(&mut self, packet: Packet) {
        // The copy has what is kept for the packet for itself: its end frees that.
        let copy = self.copy_of(&packet);
        self.on_delivered(packet);
        self.note(What::Copied, &copy);
        let counts = u64::from(copy.kind.is_data());
        self.flows[copy.flow as usize].fate.copies += counts;
        // It was never on the wire of its source's interface.
        let bits = copy.bits.past_first_hop();
        self.on_delivered(Packet { bits, ..copy });
    }

    /// A copy of a packet, with a copy of what is kept for it.
    fn copy_of(&mut self, packet: &Packet) -> Packet {
        let tx = match packet.kind {
            PacketKind::Report => self.reports.insert_copy(packet.tx),
            PacketKind::Notice => self.notices.insert_copy(packet.tx),
            PacketKind::HandoffReport => self.handoff_reports.insert_copy(packet.tx),
            // Cells, which have a slot too, never come twice.
            _ => packet.tx,
        };
        Packet { tx, options: self.options.copy(packet.options), ..*packet }
    }

    /// Anything but a data packet or an ACK of TCP reached its endpoint. Apart, so that each new
    /// kind of packet does not make those two dearer.
    #[inline(never)]
    fn on_special(&mut self, packet: &Packet) {
        match packet.kind {
            PacketKind::WindowProbe => self.repeat_ack(packet.flow),
            PacketKind::Dummy | PacketKind::Nil => self.on_probe(packet),
            PacketKind::ProbeAck => self.on_probe_ack(packet),
            PacketKind::Syn => self.on_syn(packet),
            PacketKind::SynAck => self.on_syn_ack(packet),
            // An agent's other half has taken it.
            PacketKind::Request => {}
            PacketKind::Quench => self.on_quench(packet.flow),
            PacketKind::Paced => self.on_paced_data(packet),
            PacketKind::PacedAck | PacketKind::Report => self.on_paced_feedback(packet),
            PacketKind::PacedProbe => self.on_paced_probe(packet),
            PacketKind::PacedProbeAck => self.on_paced_probe_ack(packet),
            PacketKind::Challenge => self.on_challenge(packet),
            PacketKind::ChallengeAnswer => self.on_challenge_answer(packet),
            PacketKind::Notice => self.on_notice(packet),
            PacketKind::HandoffReport => self.on_handoff_report(packet),
            // A switch or the other end of their channel takes cells; the caller has taken the
            // others.
            PacketKind::Cell | PacketKind::Data | PacketKind::Ack => {}
        }
    }

    /// Hands a packet to what is at its place on its path: a link, or a door.
    #[inline(never)]
    pub(super) fn offer(&mut self, packet: &Packet) {
        match self.seen {
            None => self.offer_unwatched(packet),
            Some(_) => self.offer_any(packet),
        }
    }

    /// The same in a run that nobody watches. Nearly always a link takes the packet behind another,
    /// whose event is in the queue.
    #[inline(always)]
    fn offer_unwatched(&mut self, packet: &Packet) {
        let link = self.network.entry(packet.hop);
        if let Some(hop) = self.network.links.get_mut(link as usize)
            && hop.link.takes(self.now, packet)
        {
            if hop.link.may_lead() {
                self.watch(link);
            } else {
                debug_assert!(hop.due <= hop.link.next_event());
            }
        } else {
            self.offer_any(packet);
        }
    }

    /// The same in any run, to any link or door.
    #[inline(never)]
    fn offer_any(&mut self, packet: &Packet) {
        let link = self.network.entry(packet.hop);
        let Some(hop) = self.network.links.get_mut(link as usize) else {
            self.pass_door(link, *packet);
            return;
        };
        if self.seen.is_some() {
            self.offer_watched(link, *packet);
        } else {
            match hop.link.offer(self.now, *packet) {
                Ok(()) if !hop.link.may_lead() => {
                    debug_assert!(hop.due <= hop.link.next_event());
                    return;
                }
                Ok(()) => {}
                Err(packet) => self.on_dropped(link, &packet),
            }
        }
        self.watch(link);
    }

    /// The same in a run that somebody watches: the link takes the packet, so the log needs a copy.
    #[cold]
    fn offer_watched(&mut self, link: u32, packet: Packet) {
        match self.network.links[link as usize].link.offer(self.now, packet) {
            Ok(()) => self.note(What::Queued, &packet),
            Err(dropped) => {
                self.note_pushing(&dropped, packet);
                self.on_dropped(link, &dropped);
            }
        }
    }

    /// A queue dropped the first of these packets, perhaps to make room for the second, which it
    /// was offered.
    fn note_pushing(&mut self, dropped: &Packet, offered: Packet) {
        if !offered.is(dropped) {
            self.note(What::Queued, &offered);
        }
    }

    /// Hands a packet to what takes it where no link does.
    #[cold]
    fn pass_door(&mut self, entry: u32, packet: Packet) {
        match Network::door(entry) {
            Door::Agents => self.meet_agents(packet),
            Door::Channel(end) => self.enter_channel(end, packet),
            Door::Switch(_) | Door::Sink => self.on_cell(packet),
        }
    }

    /// A queue dropped this packet, and possibly others with it.
    pub(super) fn on_dropped(&mut self, link: u32, first: &Packet) {
        let mut dropped = Some(*first);
        while let Some(packet) = dropped {
            self.refuse(&packet);
            dropped = self.network.links[link as usize].link.next_dropped();
        }
    }

    /// A queue dropped a packet.
    pub(super) fn refuse(&mut self, packet: &Packet) {
        self.note(What::Dropped, packet);
        self.count_dropped(packet);
    }

    /// A host has a packet and no link to send it over.
    pub(super) fn strand(&mut self, packet: &Packet) {
        self.note_nowhere(What::Dropped, packet);
        self.count_dropped(packet);
    }

    fn count_dropped(&mut self, packet: &Packet) {
        self.discard(packet);
        if packet.kind != PacketKind::Cell {
            let counts = u64::from(packet.kind.is_data());
            self.flows[packet.flow as usize].fate.dropped += counts;
        }
    }

    /// A packet was lost in a virtual channel.
    pub(super) fn give_up(&mut self, packet: &Packet) {
        self.discard(packet);
        let counts = u64::from(packet.kind.is_data());
        self.flows[packet.flow as usize].fate.lost += counts;
    }

    pub(super) fn on_lost(&mut self, link: u32, packet: &Packet, cause: Cause) {
        self.note(What::Lost(cause), packet);
        self.discard(packet);
        self.on_wire.count(packet);
        if !packet.kind.is_data() {
            return;
        }
        let flow = &mut self.flows[packet.flow as usize];
        flow.fate.lost += 1;
        let (id, link) = (packet.flow as usize, link as usize);
        // A sender does not repair probes, which have numbers of their own.
        let probe = packet.kind == PacketKind::Nil;
        if !probe && self.access.tells_loss(id, link, packet.bits.first_hop(), cause) {
            flow.ends.on_link_failure(packet);
        }
    }

    /// Frees what was kept for a packet that is gone.
    pub(super) fn discard(&mut self, packet: &Packet) {
        match packet.kind {
            PacketKind::Report => _ = self.reports.remove(packet.tx),
            PacketKind::Notice => _ = self.notices.remove(packet.tx),
            PacketKind::HandoffReport => _ = self.handoff_reports.remove(packet.tx),
            PacketKind::Cell => self.atm.on_lost(packet),
            _ => _ = self.options.take(packet.options),
        }
    }

    pub(super) fn on_report(&mut self, link: u32) {
        let (now, flows) = (self.now, &mut self.flows);
        let report = self.network.links[link as usize].link.report(now);
        let mut tell = |flow: usize, news| flows[flow].hear(now, news);
        self.access.on_report(link as usize, report, &mut tell);
        self.queue.push(now + Access::REPORT_EVERY, REPORT | link);
    }

    fn on_change(&mut self, link: u32, change: ChangeEvent) {
        let (now, flows) = (self.now, &mut self.flows);
        let report = self.network.links[link as usize].link.report(now);
        let mut tell = |flow: usize, news| flows[flow].hear(now, news);
        self.access.on_change(now, link as usize, &change, report, &mut tell);
    }
}
