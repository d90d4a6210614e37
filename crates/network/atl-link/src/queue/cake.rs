//! CAKE: flows apart without collisions, sparse ones first, each under COBALT (Hoeiland-Joergensen,
//! Taht, Morton, "Piece of CAKE: A Comprehensive Queue Management Solution for Home Gateways",
//! LANMAN 2018; Linux's `sch_cake` in what the paper leaves open).
//!
//! What it has of CAKE: the table in sets of eight (`table`), DRR++, COBALT (`cobalt`), and the
//! times and turns that follow from a rate. Its shaper is a link's (`shaper`), its filter a
//! discipline of its own (`ack-filter`); classes (tins) and shares per host are left out: packets
//! tell no hosts.

use core::cmp::Reverse;
use std::collections::VecDeque;

use atl_core::time::{Span, Time};
use atl_core::units::Rate;

use super::drop_tail::DropTail;
use crate::discipline::{BuildDiscipline, QueueDiscipline};
use crate::limit::Limit;
use crate::packet::Packet as _;
use crate::queued::Queued;
use crate::random::{Stream, mix};

mod cobalt;
mod table;

use cobalt::{Cobalt, Law};
use table::Table;

/// The longest frame and the most that a flow may send in a turn, in bytes: Linux's.
const FRAME: f64 = 1514.0;
/// The least that a flow may send in a turn, in bytes: Linux's.
const LEAST_TURN: f64 = 300.0;

/// Parameters of CAKE. The defaults are those of Linux.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cake {
    /// The sojourn that a standing queue may have, above 0: 5 ms, a twentieth of `interval`.
    pub target: Span,
    /// About the longest usual round trip, above `target`: 100 ms.
    pub interval: Span,
    /// The rate of the bottleneck, above 0, where it is known: what stands for less than four
    /// packets is no queue, the target is one and a half packets or more, and a flow's turn is what
    /// passes in 244 us, 300 to 1514 bytes. `None`, as in Linux without a shaper: 1514 bytes.
    pub rate: Option<Rate>,
    /// Queues: 1 to 65 536, 1024 by default. In sets of eight.
    pub flows: u32,
}

impl Default for Cake {
    fn default() -> Self {
        let (target, interval) = (Span::from_millis(5), Span::from_millis(100));
        Cake { target, interval, rate: None, flows: 1024 }
    }
}

impl Cake {
    fn law(&self) -> Law {
        let Some(rate) = self.rate else {
            return Law { target: self.target, interval: self.interval, least: Span::ZERO };
        };
        let frame = rate.time_for(FRAME as u64);
        let target = self.target.max(frame.mul_f64(1.5));
        let longer = self.interval + target.saturating_sub(self.target);
        Law { target, interval: longer.max(target * 2), least: frame * 4 }
    }

    /// Bytes that a flow may send in a turn.
    fn quantum(&self) -> i64 {
        let bytes = self.rate.map_or(FRAME, |rate| rate.bps() / 8.0 / 4096.0);
        bytes.clamp(LEAST_TURN, FRAME) as i64
    }
}

impl BuildDiscipline for Cake {
    fn check(&self) -> Result<(), &'static str> {
        if self.target.is_zero() {
            return Err("`target` must be above 0");
        }
        if self.interval <= self.target {
            return Err("`interval` must be longer than `target`");
        }
        if self.rate.is_some_and(|rate| !(rate.bps() > 0.0 && rate.bps().is_finite())) {
            return Err("`rate` must be above 0");
        }
        if !(1..=65_536).contains(&self.flows) || self.flows > 8 && !self.flows.is_multiple_of(8) {
            return Err("`flows` must be from 1 to 65536, above 8 a multiple of 8");
        }
        Ok(())
    }

    /// Linux's 10 240 packets.
    fn usual_limit(&self) -> Option<Limit> {
        Some(Limit::Packets(10_240))
    }

    fn build(&self, limit: Limit, mut stream: Stream) -> Box<dyn QueueDiscipline + Send> {
        let flow = |_| Flow {
            fifo: DropTail::new(Limit::Packets(u32::MAX)),
            cobalt: Cobalt::default(),
            deficit: 0,
            place: Place::Nowhere,
            shared: false,
        };
        Box::new(Flows {
            law: self.law(),
            quantum: self.quantum(),
            limit,
            salt: stream.next_u64(),
            stream,
            table: Table::new(self.flows),
            flows: (0..self.flows).map(flow).collect(),
            new: VecDeque::new(),
            old: VecDeque::new(),
            decaying: VecDeque::new(),
            len: 0,
            bytes: 0,
        })
    }
}

/// A flow, to the scheduler (Linux's `CAKE_SET_*`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In no list.
    Nowhere,
    /// Sends less than its turn.
    Sparse,
    /// Was sparse, overdrew its turn with its last packet, and waits for another turn.
    SparseWait,
    Bulk,
    /// Has no packets, but its law is not at rest.
    Decaying,
}

#[derive(Debug)]
struct Flow {
    fifo: DropTail,
    cobalt: Cobalt,
    /// Bytes that it may still send in this turn; may be overdrawn by a packet.
    deficit: i64,
    place: Place,
    /// Packets of several flows wait, or did since it was last empty.
    shared: bool,
}

/// A list of flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum List {
    New,
    Old,
    Decaying,
}

#[derive(Debug)]
struct Flows {
    law: Law,
    quantum: i64,
    limit: Limit,
    salt: u64,
    stream: Stream,
    table: Table,
    flows: Vec<Flow>,
    new: VecDeque<u32>,
    old: VecDeque<u32>,
    decaying: VecDeque<u32>,
    len: usize,
    bytes: u64,
}

impl Flows {
    fn index(&mut self, packet: &Queued) -> usize {
        let hash = (mix(packet.flow() ^ self.salt) >> 32) as u32;
        let flows = &self.flows;
        let holds = |at: usize| {
            flows[at].shared
                && flows[at].fifo.packets().iter().any(|other| other.flow() == packet.flow())
        };
        let at = self.table.place(hash, |at| flows[at].place != Place::Nowhere, holds);
        let flow = &mut self.flows[at];
        let newest = flow.fifo.packets().back().map(Queued::flow);
        flow.shared = newest.is_some_and(|newest| flow.shared || newest != packet.flow());
        at
    }

    fn list(&mut self, list: List) -> &mut VecDeque<u32> {
        match list {
            List::New => &mut self.new,
            List::Old => &mut self.old,
            List::Decaying => &mut self.decaying,
        }
    }

    /// The list whose first flow is served next.
    fn next(&self, decaying_first: bool) -> Option<List> {
        let order =
            [(List::New, &self.new), (List::Old, &self.old), (List::Decaying, &self.decaying)];
        if decaying_first && !self.decaying.is_empty() {
            return Some(List::Decaying);
        }
        order.iter().find(|(_, list)| !list.is_empty()).map(|(which, _)| *which)
    }

    fn count_out(&mut self, packet: &Queued) {
        self.len -= 1;
        self.bytes -= u64::from(packet.wire_bytes());
    }

    /// Drops from the head of the longest queue.
    fn shed(&mut self, now: Time, dropped: &mut Vec<Queued>) {
        let length = |(index, flow): &(usize, &mut Flow)| {
            (QueueDiscipline::bytes(&flow.fifo), Reverse(*index))
        };
        let Some((_, longest)) = self.flows.iter_mut().enumerate().max_by_key(length) else {
            return;
        };
        longest.cobalt.on_full(&self.law, now);
        if let Some(packet) = longest.fifo.pop() {
            self.count_out(&packet);
            dropped.push(packet);
        }
    }

    /// Ends the turn of a list's first flow, which has overdrawn it: it waits behind the old ones.
    fn turn_ends(&mut self, list: List) {
        let Some(index) = self.list(list).pop_front() else { return };
        let quantum = self.quantum;
        let flow = &mut self.flows[index as usize];
        if flow.place == Place::Sparse {
            let empty = flow.fifo.is_empty();
            flow.place = if empty { Place::SparseWait } else { Place::Bulk };
        }
        flow.deficit += quantum;
        self.old.push_back(index);
    }

    /// A list's first flow has no packet: it leaves once its law is at rest.
    fn found_empty(&mut self, list: List, now: Time) {
        let Some(index) = self.list(list).pop_front() else { return };
        let flow = &mut self.flows[index as usize];
        flow.cobalt.on_empty(&self.law, now);
        if flow.cobalt.decays(now) {
            flow.place = Place::Decaying;
            self.decaying.push_back(index);
        } else {
            flow.place = Place::Nowhere;
        }
    }
}

impl QueueDiscipline for Flows {
    fn enqueue(&mut self, now: Time, packet: Queued, dropped: &mut Vec<Queued>) {
        let at = self.index(&packet);
        let (length, quantum) = (u64::from(packet.wire_bytes()), self.quantum);
        let flow = &mut self.flows[at];
        if let Err(packet) = flow.fifo.push(packet) {
            return dropped.push(packet);
        }
        (self.len, self.bytes) = (self.len + 1, self.bytes + length);
        match flow.place {
            Place::Nowhere | Place::Decaying => {
                let index = at as u32;
                let listed = flow.place == Place::Decaying;
                (flow.place, flow.deficit) = (Place::Sparse, quantum);
                if listed {
                    self.decaying.retain(|other| *other != index);
                    self.old.retain(|other| *other != index);
                }
                self.new.push_back(index);
            }
            Place::SparseWait => flow.place = Place::Bulk,
            Place::Sparse | Place::Bulk => {}
        }
        while !self.limit.fits(self.len, self.bytes) {
            self.shed(now, dropped);
        }
    }

    fn dequeue(&mut self, now: Time, dropped: &mut Vec<Queued>) -> Option<Queued> {
        // One flow that comes to rest has a look in each call.
        let mut first = true;
        while self.len > 0 {
            let list = self.next(first)?;
            first = false;
            let at = *self.list(list).front()? as usize;
            if self.flows[at].deficit <= 0 {
                self.turn_ends(list);
                continue;
            }
            let Some(mut packet) = self.flows[at].fifo.pop() else {
                self.found_empty(list, now);
                continue;
            };
            self.count_out(&packet);
            let flow = &mut self.flows[at];
            let drops = flow.cobalt.drops(&self.law, now, &mut packet, &mut self.stream);
            // The last one of a queue is never dropped.
            if drops && !flow.fifo.is_empty() {
                dropped.push(packet);
                continue;
            }
            flow.deficit -= i64::from(packet.wire_bytes());
            return Some(packet);
        }
        None
    }

    fn len(&self) -> usize {
        self.len
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    /// As in Linux: packets that find the link idle cost their flow its turn too.
    fn bypasses(&self) -> bool {
        false
    }
}
