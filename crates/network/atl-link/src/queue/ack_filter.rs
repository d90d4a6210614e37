//! A filter of acknowledgments: of those of a flow that wait, only the newest go on.

use std::collections::VecDeque;

use atl_core::time::Time;

use crate::discipline::{BuildDiscipline, QueueDiscipline};
use crate::limit::Limit;
use crate::packet::Packet as _;
use crate::queued::Queued;
use crate::random::Stream;

/// First in, first out, but when an acknowledgment comes, older ones of its flow that wait go, as
/// in modems and routers ahead of a slow uplink (ACK filtering, RFC 3449, sec. 5.2; the ACK filter
/// of Linux's CAKE). Acknowledgments are told by their length alone, so that those of encrypted
/// transports are filtered too. Duplicates are not spared, as CAKE's are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AckFilter {
    /// Length in bytes up to which a packet counts as an acknowledgment.
    pub longest: u32,
    /// Acknowledgments of a flow that may wait: at least 1. CAKE keeps 2, or 1 if aggressive.
    pub keep: u32,
    /// One acknowledgment is taken out of this number of a flow's in a row, the first (ACK
    /// decimation): at least 1, which takes all. A longer packet of the flow begins a new row.
    pub one_in: u32,
}

impl Default for AckFilter {
    /// CAKE's number of acknowledgments, and the length of one with three SACK blocks and time
    /// stamps over IPv4.
    fn default() -> Self {
        AckFilter { longest: 80, keep: 2, one_in: 1 }
    }
}

/// Places for counts of flows: those with the same place share a row, so that memory is bounded.
const ROWS: usize = 1024;

impl BuildDiscipline for AckFilter {
    fn check(&self) -> Result<(), &'static str> {
        match self {
            AckFilter { keep: 0, .. } => Err("`keep` must be at least 1"),
            AckFilter { one_in: 0, .. } => Err("`one-in` must be at least 1"),
            AckFilter { longest: 0, .. } => Err("`longest` must be at least 1"),
            _ => Ok(()),
        }
    }

    /// As long as a queue of which nothing is said.
    fn usual_limit(&self) -> Option<Limit> {
        Some(Limit::Packets(50))
    }

    fn build(&self, limit: Limit, _stream: Stream) -> Box<dyn QueueDiscipline + Send> {
        let rows = if self.one_in > 1 { vec![0; ROWS] } else { Vec::new() };
        Box::new(Filtered { config: *self, limit, fifo: VecDeque::new(), bytes: 0, rows })
    }
}

#[derive(Debug)]
struct Filtered {
    config: AckFilter,
    limit: Limit,
    fifo: VecDeque<Queued>,
    bytes: u64,
    /// Acknowledgments in a row so far, modulo `one_in`; empty where all are taken.
    rows: Vec<u32>,
}

impl Filtered {
    fn is_ack(&self, packet: &Queued) -> bool {
        packet.wire_bytes() <= self.config.longest
    }

    /// True if this packet is the first of its row, or no acknowledgment.
    fn takes(&mut self, packet: &Queued) -> bool {
        let is_ack = self.is_ack(packet);
        let one_in = self.config.one_in;
        // The remainder is smaller than the number of rows.
        let Some(row) = self.rows.get_mut((packet.flow() % ROWS as u64) as usize) else {
            return true;
        };
        let before = *row;
        *row = if is_ack { (before + 1) % one_in } else { 0 };
        !is_ack || before == 0
    }

    /// Drops the oldest waiting acknowledgments of this flow, until it has room for one more.
    fn make_room(&mut self, flow: u64, dropped: &mut Vec<Queued>) {
        let own = |packet: &Queued| packet.flow() == flow && self.is_ack(packet);
        let waiting = self.fifo.iter().filter(|packet| own(packet)).count();
        for _ in (self.config.keep as usize)..=waiting {
            let oldest = self.fifo.iter().position(|packet| {
                packet.flow() == flow && packet.wire_bytes() <= self.config.longest
            });
            if let Some(packet) = oldest.and_then(|oldest| self.fifo.remove(oldest)) {
                self.bytes -= u64::from(packet.wire_bytes());
                dropped.push(packet);
            }
        }
    }

    fn fits(&self, packet: &Queued) -> bool {
        match self.limit {
            Limit::Packets(packets) => self.fifo.len() < packets as usize,
            Limit::Bytes(bytes) => self.bytes + u64::from(packet.wire_bytes()) <= bytes,
        }
    }
}

impl QueueDiscipline for Filtered {
    fn enqueue(&mut self, _now: Time, packet: Queued, dropped: &mut Vec<Queued>) {
        if !self.takes(&packet) {
            dropped.push(packet);
            return;
        }
        if self.is_ack(&packet) {
            self.make_room(packet.flow(), dropped);
        }
        if self.fits(&packet) {
            self.bytes += u64::from(packet.wire_bytes());
            self.fifo.push_back(packet);
        } else {
            dropped.push(packet);
        }
    }

    fn dequeue(&mut self, _now: Time, _dropped: &mut Vec<Queued>) -> Option<Queued> {
        let packet = self.fifo.pop_front()?;
        self.bytes -= u64::from(packet.wire_bytes());
        Some(packet)
    }

    fn len(&self) -> usize {
        self.fifo.len()
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    /// A row is counted whether the link is idle or not.
    fn bypasses(&self) -> bool {
        self.config.one_in == 1
    }
}
