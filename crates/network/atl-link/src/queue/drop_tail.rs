//! First in, first out.

use std::collections::VecDeque;

use crate::config::Limit;
use crate::packet::Packet;

/// First in, first out, bounded in packets and in bytes.
#[derive(Debug)]
pub(crate) struct DropTail<P> {
    fifo: VecDeque<P>,
    bytes: u64,
    max_packets: usize,
    max_bytes: u64,
}

impl<P: Packet> DropTail<P> {
    pub(super) fn new(max_packets: usize, max_bytes: u64) -> Self {
        DropTail { fifo: VecDeque::new(), bytes: 0, max_packets, max_bytes }
    }

    pub(super) fn with_limit(limit: Limit) -> Self {
        match limit {
            Limit::Packets(packets) => DropTail::new(packets as usize, u64::MAX),
            Limit::Bytes(bytes) => DropTail::new(usize::MAX, bytes),
        }
    }

    #[inline]
    pub(super) fn push(&mut self, packet: P) -> Result<(), P> {
        let bytes = self.bytes + u64::from(packet.wire_bytes());
        if self.fifo.len() >= self.max_packets || bytes > self.max_bytes {
            return Err(packet);
        }
        self.bytes = bytes;
        self.fifo.push_back(packet);
        Ok(())
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<P> {
        let packet = self.fifo.pop_front()?;
        if self.fifo.is_empty() {
            // Restart at the ring's front: its memory stays in the cache.
            self.fifo.clear();
        }
        self.bytes -= u64::from(packet.wire_bytes());
        Some(packet)
    }

    pub(super) fn packets(&self) -> &VecDeque<P> {
        &self.fifo
    }

    /// Bytes waiting.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.fifo.len()
    }
}
