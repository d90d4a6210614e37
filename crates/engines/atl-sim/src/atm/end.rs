//! The ends of virtual channels.

use std::collections::VecDeque;

use atl_aal::cell::Cell;
use atl_aal::sar::{Reassembled, Reassembler, segment};
use atl_core::time::Time;
use atl_engine::adaptation::{self, Adaptation};
use atl_engine::result::AdaptationResult;
use atl_link::random::Stream;

use super::faults::{Faults, survivor};
use super::layer::{Content, Layer};
use super::octets::{Filling, Octets};
use super::quench::Quencher;
use crate::packet::Packet;

/// The first channels of a path are reserved for the network (I.361, section 2.2.3).
const FIRST_VCI: u32 = 32;

/// One end of a virtual channel: the layer, packets that wait for it, and packets under way to the
/// other end.
#[derive(Debug)]
pub(crate) struct End {
    /// Place of its first link in the routing table.
    pub route: u32,
    /// The links to the other end.
    pub links: Vec<u32>,
    /// Earliest time of the next PDU: when the first link has transmitted the one before.
    pub free_at: Time,
    /// It had something to send but could not yet.
    pub held_up: bool,
    /// Time of its event in the queue; [`Time::MAX`] without one.
    pub due: Time,
    /// At the receiver of a flow's own channel: the flow that source quenches go to.
    pub quencher: Option<(u32, Quencher)>,
    layer: Layer,
    reassembler: Reassembler,
    vpi: u8,
    vci: u16,
    waiting: VecDeque<Packet>,
    /// Packets that may wait.
    queue: usize,
    under_way: VecDeque<(Filling, Packet)>,
    submitted: u32,
    /// Cells of the last PDU sent.
    last_pdu: usize,
    faults: Option<Faults>,
    counts: ChannelCounts,
    /// Totals when measurement began.
    since: AdaptationResult,
}

/// Totals of what an end has sent, since the run began.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ChannelCounts {
    pub offered: u64,
    pub refused: u64,
    pub delivered: u64,
    pub undetected: u64,
    pub cells: u64,
    pub control_cells: u64,
    pub cells_lost: u64,
    pub cells_astray: u64,
    pub cells_damaged: u64,
}

/// A delivered SDU, compared with the packet that was submitted.
#[derive(Debug)]
pub(crate) enum Claim {
    /// This packet, unchanged.
    Intact(Packet),
    /// This packet with other octets, which no check noticed.
    Changed(Packet),
    /// No packet that was sent, which no check noticed either.
    Unknown,
}

/// Where a cell taken for another channel's goes on: the end that sends there, and the link's place
/// on its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub end: u32,
    pub hop: u32,
}

impl End {
    fn new(
        index: u32,
        adaptation: &Adaptation,
        route: u32,
        links: Vec<u32>,
        stream: &dyn Fn(&str) -> Stream,
    ) -> Self {
        // Connection numbers have 16 bits; no two channels of one link are 65 536 apart in any
        // setup that finishes.
        let layer = Layer::new(&adaptation.layer, index as u16, index as u16 ^ 1);
        let channel = index / 2 + FIRST_VCI;
        let faults = match &adaptation.layer {
            adaptation::Layer::AalT(config) => config.faults,
            adaptation::Layer::Aal5 => None,
        };
        End {
            route,
            links,
            free_at: Time::ZERO,
            held_up: false,
            due: Time::MAX,
            quencher: None,
            reassembler: Reassembler::new(layer.longest_pdu()),
            layer,
            vpi: (channel >> 16) as u8,
            vci: channel as u16,
            waiting: VecDeque::new(),
            queue: adaptation.queue as usize,
            under_way: VecDeque::new(),
            submitted: 0,
            last_pdu: 1,
            faults: faults.map(|faults| Faults::new(faults, stream("faults"))),
            counts: ChannelCounts::default(),
            since: AdaptationResult::default(),
        }
    }

    /// A packet enters the layer.
    ///
    /// # Errors
    /// Returns the packet if the queue is full: it is dropped.
    pub(crate) fn enter(&mut self, packet: Packet) -> Result<(), Packet> {
        self.counts.offered += 1;
        if self.waiting.len() >= self.queue {
            self.counts.refused += 1;
            return Err(packet);
        }
        self.waiting.push_back(packet);
        Ok(())
    }

    /// Hands the next waiting packet to the layer if that accepts one; returns it unchanged, to be
    /// counted.
    pub(crate) fn submit_next(&mut self, octets: &Octets, sdu: &mut Vec<u8>) -> Option<Packet> {
        let packet = *self.waiting.front()?;
        let length = usize::from(packet.bytes);
        if !self.layer.takes(length) {
            return None;
        }
        self.waiting.pop_front();
        let tags = self.faults.as_mut().is_some_and(Faults::tags_in_data);
        // Tags count up with the packets, modulo 256.
        let filling = if tags {
            Filling::Same(self.submitted as u8)
        } else {
            Filling::Numbered(self.submitted)
        };
        self.submitted = self.submitted.wrapping_add(1);
        octets.fill(filling, length, sdu);
        self.layer.submit(sdu);
        self.under_way
            .push_back((filling, Packet { bits: packet.bits.past_first_hop(), ..packet }));
        Some(packet)
    }

    /// Writes the next data PDU into `pdu`; false if there is none now.
    pub(crate) fn poll_send(&mut self, now: Time, pdu: &mut Vec<u8>) -> bool {
        self.layer.poll_send(now, pdu)
    }

    /// Writes the status that is due into `pdu`.
    pub(crate) fn poll_status(&mut self, now: Time, pdu: &mut Vec<u8>) -> bool {
        self.layer.poll_status(now, pdu)
    }

    /// Cuts a PDU into cells. Data meets the faults that the scenario asks for; cells lost by them
    /// are counted and left out.
    pub(crate) fn cells(&mut self, pdu: &mut Vec<u8>, data: bool, cells: &mut Vec<Cell>) {
        let faults = self.faults.as_mut().filter(|_| data);
        let blow = match (faults, self.layer.connection()) {
            (Some(faults), Some(connection)) => faults.strike(connection, pdu),
            _ => None,
        };
        cells.clear();
        if let Some(whole) = segment(self.vpi, self.vci, pdu) {
            cells.extend(whole);
        }
        self.counts.cells += cells.len() as u64;
        if !data {
            self.counts.control_cells += cells.len() as u64;
        }
        self.last_pdu = cells.len();
        if let Some(blow) = blow {
            let count = cells.len();
            let left: Vec<Cell> = cells
                .iter()
                .enumerate()
                .filter_map(|(i, cell)| survivor(blow, i, count, *cell))
                .collect();
            let changed = left.iter().filter(|cell| !cells.contains(cell)).count();
            self.counts.cells_lost += (count - left.len()) as u64;
            self.counts.cells_damaged += changed as u64;
            *cells = left;
        }
    }

    /// When it has something to do other than sending what waits.
    fn next_duty(&self) -> Time {
        let quench = self.quencher.as_ref().map_or(Time::MAX, |(_, quencher)| quencher.due());
        self.layer.next_status().min(quench)
    }

    /// When it has something to do; [`Time::MAX`]: never, unless something arrives.
    pub(crate) fn next_event(&self) -> Time {
        let send = if self.held_up { self.free_at } else { Time::MAX };
        self.next_duty().min(send)
    }

    /// A cell of the other end arrived; packets that it completes go to `delivered`.
    pub(crate) fn on_cell(&mut self, now: Time, cell: &Cell, delivered: &mut Vec<Vec<u8>>) -> bool {
        match self.reassembler.push(cell) {
            Reassembled::Pending | Reassembled::TooLong => false,
            Reassembled::Pdu { pdu, congested } => {
                let content = self.layer.on_pdu(now, pdu, delivered);
                if let (true, Content::Data, Some((_, quencher))) =
                    (congested, content, &mut self.quencher)
                {
                    quencher.on_congestion(now);
                }
                true
            }
        }
    }

    /// Which packet the other end's SDU is. Packets before it that were not delivered are lost:
    /// they go to `lost`.
    pub(crate) fn claim(&mut self, octets: &Octets, sdu: &[u8], lost: &mut Vec<Packet>) -> Claim {
        let is = |&(filling, packet): &(Filling, Packet)| {
            octets.are(filling, usize::from(packet.bytes), sdu)
        };
        let all_come = matches!(self.layer, Layer::AalT(_));
        if all_come {
            // Each once and in order, whatever its octets.
            return match self.under_way.pop_front() {
                Some(sent) if is(&sent) => {
                    self.counts.delivered += 1;
                    Claim::Intact(sent.1)
                }
                Some((_, packet)) => {
                    self.counts.undetected += 1;
                    Claim::Changed(packet)
                }
                None => Claim::Unknown,
            };
        }
        let Some(at) = self.under_way.iter().position(is) else {
            self.counts.undetected += 1;
            return Claim::Unknown;
        };
        lost.extend(self.under_way.drain(..at).map(|(_, packet)| packet));
        self.counts.delivered += 1;
        self.under_way.pop_front().map_or(Claim::Unknown, |(_, packet)| Claim::Intact(packet))
    }

    /// Its counts, to be added to.
    pub(crate) fn counts(&mut self) -> &mut ChannelCounts {
        &mut self.counts
    }

    /// Packets that wait or are under way to the other end.
    pub(crate) fn packets(&self) -> impl Iterator<Item = &Packet> {
        self.waiting.iter().chain(self.under_way.iter().map(|sent| &sent.1))
    }
}

/// All ends: channel `c` has the ends `2 c` and `2 c + 1`.
#[derive(Debug, Default)]
pub(crate) struct Ends(Vec<End>);

impl Ends {
    /// Adds a channel between the beginnings of these two paths, each its place in the routing
    /// table and its links; returns the index of its first end.
    pub(crate) fn add(
        &mut self,
        adaptation: &Adaptation,
        ways: [(u32, Vec<u32>); 2],
        stream: &dyn Fn(&str) -> Stream,
    ) -> u32 {
        let first = self.0.len() as u32;
        for (end, (route, links)) in (first..).zip(ways) {
            let of_end = |what: &str| stream(&format!("{}/{what}", end - first));
            self.0.push(End::new(end, adaptation, route, links, &of_end));
        }
        first
    }

    /// An end.
    pub(crate) fn get(&mut self, end: u32) -> &mut End {
        &mut self.0[end as usize]
    }

    /// The first link of an end's path.
    pub(crate) fn first_link(&self, end: u32) -> Option<u32> {
        self.0[end as usize].links.first().copied()
    }

    /// Cells of the last PDU that an end sent.
    pub(crate) fn last_pdu(&self, end: u32) -> usize {
        self.0[end as usize].last_pdu
    }

    /// Cells that an end has sent so far.
    pub(crate) fn cells_sent(&self, end: u32) -> u64 {
        self.0[end as usize].counts.cells
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &End> {
        self.0.iter()
    }

    /// Number of ends.
    pub(crate) fn len(&self) -> u32 {
        self.0.len() as u32
    }

    /// Where a cell with these numbers that arrived over this link goes on; `None` if no channel
    /// has them there.
    pub(crate) fn place(&self, vpi: u8, vci: u16, link: u32) -> Option<Place> {
        let channel = (u32::from(vpi) << 16 | u32::from(vci)).checked_sub(FIRST_VCI)?;
        let ends = [2 * channel, 2 * channel + 1];
        ends.into_iter().find_map(|index| {
            let end = self.0.get(index as usize)?;
            let at = end.links.iter().position(|l| *l == link)?;
            Some(Place { end: index, hop: end.route + at as u32 })
        })
    }

    /// Starts measurement: what was counted before is left out.
    pub(crate) fn begin_measurement(&mut self) {
        for index in 0..self.len() {
            let since = self.total(index);
            self.get(index).since = since;
        }
    }

    /// The channel that begins at this end, from the beginning of measurement on.
    pub(crate) fn result(&self, index: u32) -> AdaptationResult {
        let (all, since) = (self.total(index), &self.0[index as usize].since);
        AdaptationResult {
            offered: all.offered - since.offered,
            refused: all.refused - since.refused,
            delivered: all.delivered - since.delivered,
            undetected: all.undetected - since.undetected,
            pdus: all.pdus - since.pdus,
            retransmitted: all.retransmitted - since.retransmitted,
            wrong: all.wrong - since.wrong,
            sent_whole_again: all.sent_whole_again - since.sent_whole_again,
            statuses: all.statuses - since.statuses,
            cells: all.cells - since.cells,
            control_cells: all.control_cells - since.control_cells,
            cells_lost: all.cells_lost - since.cells_lost,
            cells_astray: all.cells_astray - since.cells_astray,
            cells_damaged: all.cells_damaged - since.cells_damaged,
            quenches: all.quenches - since.quenches,
            payload_octets: all.payload_octets,
            bit_errors: all.bit_errors,
        }
    }

    /// The same since the start.
    fn total(&self, index: u32) -> AdaptationResult {
        let (end, other) = (&self.0[index as usize], &self.0[index as usize ^ 1]);
        let counts = end.counts;
        let (pdus, retransmitted) = end.layer.sent();
        let (wrong, sent_whole_again, statuses) = other.layer.received();
        let (payload_octets, bit_errors) = match &end.layer {
            Layer::Aal5(_) => (None, None),
            Layer::AalT(layer) => {
                let octets = layer.sender.payload_length().octets() as u64;
                (Some(octets), layer.sender.bit_errors().map(|p| p.get()))
            }
        };
        AdaptationResult {
            offered: counts.offered,
            refused: counts.refused,
            delivered: counts.delivered,
            undetected: counts.undetected,
            pdus,
            retransmitted,
            wrong,
            sent_whole_again,
            statuses,
            cells: counts.cells,
            control_cells: counts.control_cells,
            cells_lost: counts.cells_lost,
            cells_astray: counts.cells_astray,
            cells_damaged: counts.cells_damaged,
            quenches: other.quencher.as_ref().map_or(0, |(_, quencher)| quencher.sent()),
            payload_octets,
            bit_errors,
        }
    }
}
