//! Cells: packets enter a virtual channel, its cells travel, packets come out of it.

use atl_aal::cell::{CELL_OCTETS, Cell, PAYLOAD_OCTETS, PayloadType};
use atl_core::time::{Span, Time};
use atl_link::random::Stream;
use atl_link::{Damage, QueueConfig, Service};
use atl_scenario::setup::{FlowSetup, LinkSetup, Setup};

use super::{CHANNEL, Simulation};
use crate::atm::{Claim, Ends, Lines, Octets, Passage, Quencher};
use crate::flow::Paths;
use crate::network::{Door, Network};
use crate::packet::{OptionsId, Packet, PacketKind};
use crate::slab::Slab;

/// Bytes of a source quench: IP's header, ICMP's, and the header and eight bytes of what it is about (RFC 792).
const QUENCH_BYTES: u16 = 56;

/// How long a sender waits whose PDU does not fit into the queue of its first link.
const RETRY: Span = Span::from_micros(100);

/// Everything about cells of a run.
#[derive(Debug)]
pub(super) struct Atm {
    pub ends: Ends,
    /// The end that a packet meets at a link that is a tunnel.
    tunnels: Vec<Option<u32>>,
    /// The octets of the cells that are on their way.
    store: Slab<Cell>,
    lines: Lines,
    octets: Option<Box<Octets>>,
    scratch: Scratch,
}

/// Memory that is used again.
#[derive(Debug, Default)]
struct Scratch {
    sdu: Vec<u8>,
    pdu: Vec<u8>,
    cells: Vec<Cell>,
}

impl Atm {
    /// The tunnels of a network.
    pub fn new(setup: &Setup, network: &mut Network, seed: u64) -> Self {
        let mut atm = Atm {
            ends: Ends::default(),
            tunnels: vec![None; setup.links.len()],
            store: Slab::default(),
            lines: Lines::default(),
            octets: None,
            scratch: Scratch::default(),
        };
        let cells = setup.links.iter().any(|link| link.adaptation.is_some())
            || setup.flows.iter().any(|flow| flow.adaptation.is_some());
        if !cells {
            return atm;
        }
        atm.lines = Lines::new(setup.links.len());
        atm.octets = Some(Box::new(Octets::new(Stream::new(seed, "octets"))));
        for (there, link) in setup.links.iter().enumerate() {
            let Some(adaptation) = &link.adaptation else { continue };
            let Some(back) = way_back(&setup.links, there) else { continue };
            let ways = [there, back].map(|l| (network.add_channel(&[l as u32]), vec![l as u32]));
            let stream = |what: &str| Stream::new(seed, &format!("tunnel/{}/{what}", link.name));
            let first = atm.ends.add(adaptation, ways, &stream);
            (atm.tunnels[there], atm.tunnels[back]) = (Some(first), Some(first + 1));
        }
        atm
    }

    /// Enters the ways of a flow into the routing table: links, tunnels, or a virtual channel from end to end.
    pub fn enter(&mut self, network: &mut Network, plan: &FlowSetup, id: u32, seed: u64) -> Paths {
        let Some(adaptation) = &plan.adaptation else {
            let mut way = |links: &[usize]| {
                let entry = |l: &usize| match self.tunnels[*l] {
                    Some(end) => Network::channel(end),
                    None => *l as u32,
                };
                network.add_route(&links.iter().map(entry).collect::<Vec<_>>())
            };
            let (forward, back) = (way(&plan.forward), way(&plan.back));
            let channel = plan.forward.iter().find_map(|l| self.tunnels[*l]);
            return Paths { forward, back, channel };
        };
        let ways = [&plan.forward, &plan.back].map(|way| {
            let links: Vec<u32> = way.iter().map(|l| *l as u32).collect();
            (network.add_channel(&links), links)
        });
        let stream = |what: &str| Stream::new(seed, &format!("flow/{}/cells/{what}", plan.name));
        let first = self.ends.add(adaptation, ways, &stream);
        let quencher = adaptation.quench.map(|config| Quencher::new(config, stream("quench")));
        self.ends.get(first + 1).quencher = quencher.map(|quencher| (id, quencher));
        let mut way = |end| network.add_route(&[Network::channel(end)]);
        Paths { forward: way(first), back: way(first + 1), channel: Some(first) }
    }

    /// Frees what was kept of a cell that is no more, and counts it.
    pub fn on_lost(&mut self, packet: &Packet) {
        self.store.remove(packet.tx);
        self.ends.get(packet.flow).counts().cells_lost += 1;
    }

    /// Keeps a cell.
    #[cfg(test)]
    pub fn put(&mut self, cell: Cell) -> u32 {
        self.store.insert(cell)
    }

    /// Cells that are on their way.
    #[cfg(test)]
    pub fn cells_in_use(&self) -> usize {
        self.store.in_use()
    }
}

/// The other direction of a two-way link.
fn way_back(links: &[LinkSetup], there: usize) -> Option<usize> {
    let back = there + 1;
    let link = links.get(back)?;
    let of = &links[there];
    (link.from == of.to && link.to == of.from && link.name == format!("{}.back", of.name))
        .then_some(back)
}

impl Simulation {
    /// A packet comes to an end of a virtual channel.
    pub(super) fn enter_channel(&mut self, end: u32, packet: Packet) {
        if let Err(packet) = self.atm.ends.get(end).enter(packet) {
            self.refuse(&packet);
        }
        self.drive(end);
    }

    /// Sends what an end may send, and sees to its timers.
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

    /// Hands the next packet that waits to the layer.
    fn submit(&mut self, index: u32, sdu: &mut Vec<u8>) -> bool {
        let Some(octets) = &self.atm.octets else { return false };
        let Some(packet) = self.atm.ends.get(index).submit_next(octets, sdu) else { return false };
        // It leaves its source's own interface here, if this is where it begins.
        self.on_wire.count(&packet);
        true
    }

    /// Whether the queue of an end's first link has room for a PDU as long as the last one: its own host does not let it
    /// overflow.
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
                first_hop: false,
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
            Service::Trace(trace) => seconds(bits, trace.mean_rate().bps()),
            Service::Unlimited => Span::ZERO,
        };
        let end = self.atm.ends.get(index);
        end.free_at = end.free_at.max(self.now).saturating_add(takes);
        self.watch(first);
    }

    /// Puts an end's next event into the queue, unless an earlier one of it is there.
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

    /// The receiving host tells the source that its packets meet congestion.
    fn send_quench(&mut self, flow: u32) {
        let hop = self.flows[flow as usize].paths.back;
        self.offer(Packet {
            sent_at: self.now,
            seq: 0,
            tx: 0,
            flow,
            hop,
            bytes: QUENCH_BYTES,
            kind: PacketKind::Quench,
            first_hop: false,
            options: OptionsId::NONE,
        });
    }

    /// A cell came out of a link: to the next one, or to the other end of its channel.
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
        // Miscorrected: it goes where its header says.
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

    /// A cell has come to the other end of its virtual channel.
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

    /// The layer delivers a packet: it goes on its way.
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
            // TCP's checksum sees it, unless its error control is off.
            Claim::Changed(packet) if self.flows[packet.flow as usize].ends.has_checksum() => {
                self.give_up(&packet)
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
fn capacity(queue: QueueConfig) -> usize {
    match queue {
        QueueConfig::DropTail { packets } | QueueConfig::Priority { packets } => packets as usize,
        QueueConfig::DropTailBytes { bytes } | QueueConfig::PriorityBytes { bytes } => {
            usize::try_from(bytes / CELL_OCTETS as u64).unwrap_or(usize::MAX)
        }
    }
}
