//! Two bands, served by strict priority, that share one capacity; the high band pushes the low one out.
//!
//! Probes use what data leaves over, and never cost data its place: what TCP-Peach (Akyildiz, Morabito,
//! Palazzo, IEEE/ACM Transactions on Networking 9(3), 2001) asks of every router for its dummy segments.

use std::collections::VecDeque;

use crate::packet::Packet;

/// Both bands, and what was pushed out for the last packet.
#[derive(Debug)]
pub(crate) struct Priority<P> {
    high: Band<P>,
    low: Band<P>,
    most_packets: usize,
    most_bytes: u64,
    /// Packets that the last overflow dropped and that its caller has not taken yet.
    dropped: VecDeque<P>,
}

/// A band, in order of arrival.
#[derive(Debug)]
struct Band<P> {
    fifo: VecDeque<P>,
    bytes: u64,
}

impl<P: Packet> Priority<P> {
    pub(super) fn new(most_packets: usize, most_bytes: u64) -> Self {
        Priority {
            high: Band::new(),
            low: Band::new(),
            most_packets,
            most_bytes,
            dropped: VecDeque::new(),
        }
    }

    pub(super) fn push(&mut self, packet: P) -> Result<(), P> {
        let bytes = u64::from(packet.wire_bytes());
        if self.has_room(bytes) {
            let band = if packet.low_priority() { &mut self.low } else { &mut self.high };
            band.push(packet, bytes);
            return Ok(());
        }
        self.dropped.clear();
        // Nobody is pushed out for a packet that would find no room even so.
        let alone =
            self.high.fifo.len() < self.most_packets && self.high.bytes + bytes <= self.most_bytes;
        if packet.low_priority() || !alone {
            return Err(packet);
        }
        while !self.has_room(bytes) {
            self.dropped.extend(self.low.take_last());
        }
        self.high.push(packet, bytes);
        self.dropped.pop_front().map_or(Ok(()), Err)
    }

    pub(super) fn dropped(&self) -> usize {
        self.dropped.len()
    }

    pub(super) fn next_dropped(&mut self) -> Option<P> {
        self.dropped.pop_front()
    }

    pub(super) fn pop(&mut self) -> Option<P> {
        self.high.take_first().or_else(|| self.low.take_first())
    }

    pub(super) fn len(&self) -> usize {
        self.high.fifo.len() + self.low.fifo.len()
    }

    /// There is room for a packet of so many bytes.
    fn has_room(&self, bytes: u64) -> bool {
        self.len() < self.most_packets
            && self.high.bytes + self.low.bytes + bytes <= self.most_bytes
    }
}

impl<P: Packet> Band<P> {
    fn new() -> Self {
        Band { fifo: VecDeque::new(), bytes: 0 }
    }

    fn push(&mut self, packet: P, bytes: u64) {
        self.bytes += bytes;
        self.fifo.push_back(packet);
    }

    fn take_first(&mut self) -> Option<P> {
        let packet = self.fifo.pop_front()?;
        if self.fifo.is_empty() {
            self.fifo.clear();
        }
        self.bytes -= u64::from(packet.wire_bytes());
        Some(packet)
    }

    fn take_last(&mut self) -> Option<P> {
        let packet = self.fifo.pop_back()?;
        self.bytes -= u64::from(packet.wire_bytes());
        Some(packet)
    }
}
