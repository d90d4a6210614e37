//! FQ-CoDel: a queue of its own for each flow, served in turns, each under CoDel (RFC 8290).
//!
//! Flows are told apart by a hash of [`Packet::flow`] into a table, salted from the link's random
//! stream; flows that collide share a queue. Two lists give flows that start, or that send less
//! than their share, a first turn before the others.

use core::cmp::Reverse;
use std::collections::VecDeque;

use atl_core::time::{Span, Time};

use super::codel::{CoDel, Control};
use super::drop_tail::DropTail;
use crate::discipline::{BuildDiscipline, QueueDiscipline};
use crate::limit::Limit;
use crate::packet::Packet;
use crate::queued::Queued;
use crate::random::{Stream, mix};

/// Flow queueing with CoDel (Hoeiland-Joergensen and others, RFC 8290, 2018).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FqCoDel {
    /// The law of each flow's queue.
    pub codel: CoDel,
    /// Bytes that a flow may send in each turn, above 0 (RFC 8290, section 5.2.4: 1514).
    pub quantum: u32,
    /// Queues, 1 to 65 536 (RFC 8290, section 5.2.5: 1024).
    pub flows: u32,
    /// Packets dropped at most at a time, from the longest queue, when all are full together; at
    /// least 1 (RFC 8290, section 4.1: 64).
    pub drop_batch: u32,
    /// Bytes that may wait in all queues together, besides the capacity; `None` for any number.
    pub memory_limit: Option<u64>,
}

impl Default for FqCoDel {
    fn default() -> Self {
        let (codel, quantum, flows, drop_batch) = (CoDel::default(), 1514, 1024, 64);
        FqCoDel { codel, quantum, flows, drop_batch, memory_limit: None }
    }
}

impl BuildDiscipline for FqCoDel {
    fn check(&self) -> Result<(), &'static str> {
        self.codel.check()?;
        match self {
            FqCoDel { quantum: 0, .. } => Err("`quantum` must be above 0"),
            FqCoDel { flows: 0 | 65_537.., .. } => Err("`flows` must be from 1 to 65536"),
            FqCoDel { drop_batch: 0, .. } => Err("`drop-batch` must be above 0"),
            _ => Ok(()),
        }
    }

    /// 10 240 packets (RFC 8290, section 5.2.3).
    fn usual_limit(&self) -> Option<Limit> {
        Some(Limit::Packets(10_240))
    }

    fn build(&self, limit: Limit, mut stream: Stream) -> Box<dyn QueueDiscipline + Send> {
        let flow = |_| Flow {
            fifo: DropTail::new(Limit::Packets(u32::MAX)),
            control: Control::default(),
            deficit: 0,
            listed: false,
        };
        Box::new(Flows {
            config: *self,
            limit,
            salt: stream.next_u64(),
            flows: (0..self.flows).map(flow).collect(),
            new: VecDeque::new(),
            old: VecDeque::new(),
            len: 0,
            bytes: 0,
        })
    }
}

/// The queue of a flow, or of several with the same hash.
#[derive(Debug)]
struct Flow {
    fifo: DropTail,
    control: Control,
    /// Bytes that it may still send in this turn; may be overdrawn by a packet.
    deficit: i64,
    /// It is in one of the lists.
    listed: bool,
}

#[derive(Debug)]
struct Flows {
    config: FqCoDel,
    limit: Limit,
    salt: u64,
    flows: Vec<Flow>,
    /// Flows in their first turn since they had nothing to send.
    new: VecDeque<u32>,
    old: VecDeque<u32>,
    len: usize,
    bytes: u64,
}

impl Flows {
    fn index(&self, packet: &Queued) -> u32 {
        // Multiply-shift: uniform over the table, without a division.
        let hash = mix(packet.flow() ^ self.salt) >> 32;
        ((hash * self.flows.len() as u64) >> 32) as u32
    }

    fn fits(&self) -> bool {
        self.limit.fits(self.len, self.bytes)
            && self.config.memory_limit.is_none_or(|most| self.bytes <= most)
    }

    fn count_out(&mut self, packets: &[Queued]) {
        self.len -= packets.len();
        self.bytes -= packets.iter().map(|packet| u64::from(packet.wire_bytes())).sum::<u64>();
    }

    /// Drops from the head of the longest queue until it is half as long, or the batch is full
    /// (RFC 8290, section 4.1).
    fn shed(&mut self, dropped: &mut Vec<Queued>) {
        let length = |(index, flow): &(usize, &mut Flow)| (bytes(&flow.fifo), Reverse(*index));
        let Some((_, fattest)) = self.flows.iter_mut().enumerate().max_by_key(length) else {
            return;
        };
        let (half, before) = (bytes(&fattest.fifo) / 2, dropped.len());
        for _ in 0..self.config.drop_batch {
            dropped.extend(fattest.fifo.pop());
            if bytes(&fattest.fifo) <= half {
                break;
            }
        }
        self.count_out(&dropped[before..]);
    }

    /// Ends the turn of the first flow of a list, and puts it behind the old ones if it stays.
    fn turn_ends(&mut self, is_new: bool, stays: bool) {
        let list = if is_new { &mut self.new } else { &mut self.old };
        let Some(index) = list.pop_front() else { return };
        if stays {
            self.old.push_back(index);
        } else {
            self.flows[index as usize].listed = false;
        }
    }
}

fn bytes(fifo: &DropTail) -> u64 {
    QueueDiscipline::bytes(fifo)
}

impl QueueDiscipline for Flows {
    fn enqueue(&mut self, _now: Time, packet: Queued, dropped: &mut Vec<Queued>) {
        let index = self.index(&packet);
        let length = u64::from(packet.wire_bytes());
        let flow = &mut self.flows[index as usize];
        if let Err(packet) = flow.fifo.push(packet) {
            return dropped.push(packet);
        }
        (self.len, self.bytes) = (self.len + 1, self.bytes + length);
        if !flow.listed {
            (flow.listed, flow.deficit) = (true, i64::from(self.config.quantum));
            self.new.push_back(index);
        }
        while !self.fits() {
            self.shed(dropped);
        }
    }

    fn dequeue(&mut self, now: Time, dropped: &mut Vec<Queued>) -> Option<Queued> {
        loop {
            let is_new = !self.new.is_empty();
            let list = if is_new { &self.new } else { &self.old };
            let flow = &mut self.flows[*list.front()? as usize];
            if flow.deficit <= 0 {
                flow.deficit += i64::from(self.config.quantum);
                self.turn_ends(is_new, true);
                continue;
            }
            let before = dropped.len();
            let next = flow.control.dequeue(&self.config.codel, &mut flow.fifo, now, dropped);
            if let Some(packet) = &next {
                flow.deficit -= i64::from(packet.wire_bytes());
            }
            self.count_out(&dropped[before..]);
            match next {
                Some(packet) => {
                    self.count_out(core::slice::from_ref(&packet));
                    return Some(packet);
                }
                // A new flow that has sent all it had waits behind the old ones, lest it be new
                // again with its next packet and starve them.
                None => self.turn_ends(is_new, is_new),
            }
        }
    }

    fn len(&self) -> usize {
        self.len
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The link was idle: in Linux the transmitter would have asked for a packet in vain, which
    /// ends all turns.
    fn on_bypass(&mut self, _now: Time, _idle: Span) {
        for index in self.new.drain(..).chain(self.old.drain(..)) {
            self.flows[index as usize].listed = false;
        }
    }
}
