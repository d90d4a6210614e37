//! Two bands with strict priority and a shared capacity; the high band pushes out the low one.
//!
//! Probes use the capacity that data leaves over and never displace data. TCP-Peach (Akyildiz, Morabito, Palazzo,
//! IEEE/ACM Transactions on Networking 9(3), 2001) requires this of every router for its dummy segments.

use std::collections::VecDeque;

use crate::packet::Packet;

/// Both bands, and the packets that the last overflow dropped.
#[derive(Debug)]
pub(crate) struct Priority<P> {
    high: Band<P>,
    low: Band<P>,
    max_packets: usize,
    max_bytes: u64,
    /// Packets dropped by the last overflow that the caller has not taken yet.
    dropped: VecDeque<P>,
}

/// One band, in order of arrival.
#[derive(Debug)]
struct Band<P> {
    fifo: VecDeque<P>,
    bytes: u64,
}

impl<P: Packet> Priority<P> {
    pub(super) fn new(max_packets: usize, max_bytes: u64) -> Self {
        Priority {
            high: Band::new(),
            low: Band::new(),
            max_packets,
            max_bytes,
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
        // Nothing is pushed out for a packet that would not fit even then.
        let fits =
            self.high.fifo.len() < self.max_packets && self.high.bytes + bytes <= self.max_bytes;
        if packet.low_priority() || !fits {
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

    pub(super) fn packets(&self) -> [&VecDeque<P>; 2] {
        [&self.high.fifo, &self.low.fifo]
    }

    pub(super) fn len(&self) -> usize {
        self.high.fifo.len() + self.low.fifo.len()
    }

    /// Whether a packet of `bytes` bytes fits.
    fn has_room(&self, bytes: u64) -> bool {
        self.len() < self.max_packets && self.high.bytes + self.low.bytes + bytes <= self.max_bytes
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
