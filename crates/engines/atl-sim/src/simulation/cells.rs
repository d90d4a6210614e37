//! Cells: packets enter a virtual channel, its cells travel, packets come out of it.

use atl_aal::cell::{CELL_OCTETS, PAYLOAD_OCTETS, PayloadType};
use atl_core::time::{Span, Time};
use atl_link::{Damage, Limit, QueueConfig, Service};

use super::{CHANNEL, Simulation};
use crate::atm::{Claim, Passage, Scratch};
use crate::network::{Door, Network};
use crate::packet::{Bits, OptionsId, Packet, PacketKind};

/// Bytes of a source quench: IP header, ICMP header, and the header and first eight bytes of the
/// packet that it is about (RFC 792).
const QUENCH_BYTES: u16 = 56;

/// Wait of a sender whose PDU does not fit into the queue of its first link.
const RETRY: Span = Span::from_micros(100);

impl Simulation {
    /// A packet arrives at an end of a virtual channel.
    pub(super) fn enter_channel(&mut self, end: u32, packet: Packet) {
        if let Err(packet) = self.atm.ends.get(end).enter(packet) {
            self.refuse(&packet);
        }
        self.drive(end);
    }

    /// Sends what an end may send, and schedules its timers.
    fn drive(&mut self, index: u32) {
        let now = self.now;
        let mut scratch = std::mem::take(&mut self.atm.scratch);
        loop {
            let end = self.atm.ends.get(index);
            end.held_up = false;
            let data = if end.poll_status(now, &mut scratch.pdu) {
                false
            } else if now < end.free_at {
                end.held_up = true;
                break;
            } else if !self.first_has_room(index) {
                let end = self.atm.ends.get(index);
                (end.free_at, end.held_up) = (now + RETRY, true);
                break;
            } else if self.atm.ends.get(index).poll_send(now, &mut scratch.pdu) {
                true
            } else if self.submit(index, &mut scratch.sdu) {
                continue;
            } else {
                break;
            };
            self.emit(index, data, &mut scratch);
        }
        self.atm.scratch = scratch;
        self.watch_end(index);
    }

    /// Hands the next waiting packet to the layer.
    fn submit(&mut self, index: u32, sdu: &mut Vec<u8>) -> bool {
        let Some(octets) = &self.atm.octets else { return false };
        let Some(packet) = self.atm.ends.get(index).submit_next(octets, sdu) else { return false };
        // If its path begins here, this is where it leaves its source's own interface.
        self.on_wire.count(&packet);
        true
    }

    /// True if the queue of an end's first link has room for a PDU as long as the last one: the
    /// host does not overflow its own interface.
    fn first_has_room(&self, index: u32) -> bool {
        let Some(link) = self.atm.ends.first_link(index) else { return true };
        let link = &self.network.links[link as usize].link;
        let waiting = link.queue_len();
        let longest = self.atm.ends.last_pdu(index);
        waiting == 0 || waiting + longest <= capacity(link.queue_config())
    }

    /// Puts a PDU onto the first link in cells.
    fn emit(&mut self, index: u32, data: bool, scratch: &mut Scratch) {
        let end = self.atm.ends.get(index);
        end.cells(&mut scratch.pdu, data, &mut scratch.cells);
        let (hop, count) = (end.route, scratch.pdu.len() / PAYLOAD_OCTETS);
        let first = self.network.link_at(hop);
        for cell in scratch.cells.drain(..) {
            let id = self.atm.store.insert(cell);
            let packet = Packet {
                sent_at: Time::ZERO,
                seq: 0,
                tx: id,
                flow: index,
                hop,
                bytes: CELL_OCTETS as u16,
                kind: PacketKind::Cell,
                bits: Bits::NONE,
                options: OptionsId::NONE,
            };
            let link = &mut self.network.links[first as usize].link;
            if let Err(dropped) = link.offer(self.now, packet) {
                self.on_dropped(first, &dropped);
            }
        }
        let bits = (count * CELL_OCTETS * 8) as f64;
        let takes = match &self.network.links[first as usize].link.conditions().service {
            Service::Constant(rate) => seconds(bits, rate.bps()),
            Service::Ramp(ramp) => seconds(bits, ramp.mean().bps()),
            Service::Blocked(sight) => seconds(bits, sight.mean().bps()),
            Service::Wifi(wifi) => seconds(bits, wifi.mean_rate().bps()),
            Service::Trace(trace) => seconds(bits, trace.mean_rate().bps()),
            Service::Unlimited => Span::ZERO,
        };
        let end = self.atm.ends.get(index);
        end.free_at = end.free_at.max(self.now).saturating_add(takes);
        self.watch(first);
    }

    /// Schedules an end's next event, unless it has an earlier one in the queue.
    pub(super) fn watch_end(&mut self, index: u32) {
        let end = self.atm.ends.get(index);
        let next = end.next_event();
        if next < end.due {
            end.due = next;
            self.queue.push(next, CHANNEL | index);
        }
    }

    /// An end's event.
    pub(super) fn on_end(&mut self, index: u32) {
        let now = self.now;
        let end = self.atm.ends.get(index);
        if end.due != now {
            return;
        }
        end.due = Time::MAX;
        if let Some((flow, quencher)) = &mut end.quencher
            && quencher.poll(now)
        {
            let flow = *flow;
            self.send_quench(flow);
        }
        self.drive(index);
    }

    /// The receiving host tells the source that its packets met congestion.
    fn send_quench(&mut self, flow: u32) {
        let hop = self.flows[flow as usize].paths.back;
        self.offer(&Packet {
            sent_at: self.now,
            seq: 0,
            tx: 0,
            flow,
            hop,
            bytes: QUENCH_BYTES,
            kind: PacketKind::Quench,
            bits: Bits::NONE,
            options: OptionsId::NONE,
        });
    }

    /// A cell came out of a link: it goes to the next one, or to the other end of its channel.
    pub(super) fn on_cell(&mut self, mut packet: Packet) {
        let link = self.network.link_at(packet.hop - 1);
        match packet.take_damage() {
            None => self.atm.lines.note_intact(link),
            Some(damage) => {
                if !self.suffer(link, damage, &mut packet) {
                    return;
                }
            }
        }
        let Door::Switch(next) = Network::door(self.network.entry(packet.hop)) else {
            self.reassemble(&packet);
            return;
        };
        let dropped = self.network.links[next as usize].link.offer(self.now, packet);
        if let Err(packet) = dropped {
            self.on_dropped(next, &packet);
        }
        self.watch(next);
    }

    /// The channel damaged a cell. False if it goes no further.
    fn suffer(&mut self, link: u32, damage: Damage, packet: &mut Packet) -> bool {
        let id = packet.tx;
        let cell = self.atm.store.get_mut(id);
        let passage = self.atm.lines.receive(link, cell, damage);
        let header = cell.header();
        let Passage::Passed { payload_damaged, header_changed } = passage else {
            self.atm.store.remove(id);
            self.atm.ends.get(packet.flow).counts().cells_astray += 1;
            return false;
        };
        if payload_damaged && !packet.is_damaged() {
            packet.note_damaged();
            self.atm.ends.get(packet.flow).counts().cells_damaged += 1;
        }
        if !header_changed {
            return true;
        }
        // Miscorrected: it goes where its header points.
        let place = self.atm.ends.place(header.vpi(), header.vci(), link);
        let strays = place.is_none_or(|place| place.end != packet.flow);
        if strays && !packet.is_damaged() {
            packet.note_damaged();
            self.atm.ends.get(packet.flow).counts().cells_astray += 1;
        }
        match place {
            Some(place) => {
                (packet.flow, packet.hop) = (place.end, place.hop + 1);
                true
            }
            None => {
                self.atm.store.remove(id);
                false
            }
        }
    }

    /// A cell has reached the other end of its virtual channel.
    fn reassemble(&mut self, packet: &Packet) {
        let mut cell = self.atm.store.remove(packet.tx);
        if packet.is_marked() {
            let mut header = cell.header();
            if let PayloadType::User { congested, .. } = &mut header.payload_type {
                *congested = true;
            }
            cell = cell.relabelled(header);
        }
        let (sender, receiver) = (packet.flow, packet.flow ^ 1);
        let mut delivered = Vec::new();
        if !self.atm.ends.get(receiver).on_cell(self.now, &cell, &mut delivered) {
            return;
        }
        for sdu in delivered {
            self.deliver(sender, &sdu);
        }
        self.drive(receiver);
    }

    /// The layer delivers a packet, which continues on its path.
    fn deliver(&mut self, sender: u32, sdu: &[u8]) {
        let mut lost = Vec::new();
        let claim = match &self.atm.octets {
            Some(octets) => self.atm.ends.get(sender).claim(octets, sdu, &mut lost),
            None => Claim::Unknown,
        };
        for packet in lost {
            self.give_up(&packet);
        }
        match claim {
            Claim::Intact(packet) => self.on_delivered(packet),
            // TCP's checksum finds it, unless error control is off.
            Claim::Changed(packet) if self.flows[packet.flow as usize].ends.has_checksum() => {
                self.give_up(&packet);
            }
            Claim::Changed(packet) => self.on_delivered(packet),
            Claim::Unknown => {}
        }
    }
}

fn seconds(bits: f64, bps: f64) -> Span {
    if bps > 0.0 { Span::from_secs_f64(bits / bps) } else { RETRY }
}

/// Cells that a queue holds.
fn capacity(queue: &QueueConfig) -> usize {
    match queue.limit() {
        Limit::Packets(packets) => packets as usize,
        Limit::Bytes(bytes) => usize::try_from(bytes / CELL_OCTETS as u64).unwrap_or(usize::MAX),
    }
}
