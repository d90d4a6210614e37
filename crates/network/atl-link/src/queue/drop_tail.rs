//! First in, first out.

use std::collections::VecDeque;

use atl_core::time::Time;

use crate::discipline::QueueDiscipline;
use crate::limit::Limit;
use crate::packet::Packet;
use crate::queued::Queued;

/// First in, first out within a capacity. Disciplines that drop in other ways too keep their
/// packets in one.
#[derive(Debug)]
pub struct DropTail<P = Queued> {
    fifo: VecDeque<P>,
    bytes: u64,
    max_packets: usize,
    max_bytes: u64,
}

impl<P: Packet> DropTail<P> {
    /// An empty queue.
    pub fn new(limit: Limit) -> Self {
        let (max_packets, max_bytes) = match limit {
            Limit::Packets(packets) => (packets as usize, u64::MAX),
            Limit::Bytes(bytes) => (usize::MAX, bytes),
        };
        DropTail { fifo: VecDeque::new(), bytes: 0, max_packets, max_bytes }
    }

    /// True if one packet more fits, with which there would be this many bytes.
    #[inline]
    pub(super) fn fits(&self, bytes: u64) -> bool {
        self.fifo.len() < self.max_packets && bytes <= self.max_bytes
    }

    /// Adds a packet.
    ///
    /// # Errors
    /// The packet, if it does not fit.
    #[inline]
    pub fn push(&mut self, packet: P) -> Result<(), P> {
        let bytes = self.bytes + u64::from(packet.wire_bytes());
        if !self.fits(bytes) {
            return Err(packet);
        }
        self.bytes = bytes;
        self.fifo.push_back(packet);
        Ok(())
    }

    /// Removes the packet that came first.
    #[inline]
    pub fn pop(&mut self) -> Option<P> {
        let packet = self.fifo.pop_front()?;
        if self.fifo.is_empty() {
            // Restart at the ring's front: its memory stays in the cache.
            self.fifo.clear();
        }
        self.bytes -= u64::from(packet.wire_bytes());
        Some(packet)
    }

    /// The packets waiting, first the one that came first.
    pub fn packets(&self) -> &VecDeque<P> {
        &self.fifo
    }
}

impl<P: Packet> QueueDiscipline<P> for DropTail<P> {
    fn enqueue(&mut self, _now: Time, packet: P, dropped: &mut Vec<P>) {
        dropped.extend(self.push(packet).err());
    }

    fn dequeue(&mut self, _now: Time, _dropped: &mut Vec<P>) -> Option<P> {
        self.pop()
    }

    #[inline]
    fn len(&self) -> usize {
        self.fifo.len()
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }
}
