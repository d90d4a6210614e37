//! Two bands with strict priority and a shared capacity; the high band pushes out the low one.
//!
//! Probes use the capacity that data leaves over and never displace data. TCP-Peach (Akyildiz,
//! Morabito, Palazzo, IEEE/ACM Transactions on Networking 9(3), 2001) requires this of every router
//! for its dummy segments.

use std::collections::VecDeque;

use atl_core::time::Time;

use crate::discipline::QueueDiscipline;
use crate::limit::Limit;
use crate::packet::Packet;

#[derive(Debug)]
pub(crate) struct Priority<P> {
    high: Band<P>,
    low: Band<P>,
    limit: Limit,
}

/// One band, in order of arrival.
#[derive(Debug)]
struct Band<P> {
    fifo: VecDeque<P>,
    bytes: u64,
}

impl<P: Packet> Priority<P> {
    pub(super) fn new(limit: Limit) -> Self {
        let band = || Band { fifo: VecDeque::new(), bytes: 0 };
        Priority { high: band(), low: band(), limit }
    }

    pub(super) fn packets(&self) -> [&VecDeque<P>; 2] {
        [&self.high.fifo, &self.low.fifo]
    }

    /// True if a packet of `bytes` bytes fits.
    fn has_room(&self, bytes: u64) -> bool {
        self.limit.fits(self.len() + 1, self.bytes() + bytes)
    }
}

impl<P: Packet> QueueDiscipline<P> for Priority<P> {
    fn enqueue(&mut self, _now: Time, packet: P, dropped: &mut Vec<P>) {
        let bytes = u64::from(packet.wire_bytes());
        let low = packet.low_priority();
        if !self.has_room(bytes) {
            // Nothing is pushed out for a packet that would not fit even then.
            if low || !self.limit.fits(self.high.fifo.len() + 1, self.high.bytes + bytes) {
                dropped.push(packet);
                return;
            }
            while !self.has_room(bytes) {
                dropped.extend(self.low.take_last());
            }
        }
        let band = if low { &mut self.low } else { &mut self.high };
        band.push(packet, bytes);
    }

    fn dequeue(&mut self, _now: Time, _dropped: &mut Vec<P>) -> Option<P> {
        self.high.take_first().or_else(|| self.low.take_first())
    }

    fn len(&self) -> usize {
        self.high.fifo.len() + self.low.fifo.len()
    }

    fn bytes(&self) -> u64 {
        self.high.bytes + self.low.bytes
    }
}

impl<P: Packet> Band<P> {
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
