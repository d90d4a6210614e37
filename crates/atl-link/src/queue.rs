//! The queue ahead of the transmitter.

use std::collections::VecDeque;

use atl_core::time::Time;

use crate::config::QueueConfig;
use crate::packet::Packet;

/// A queue discipline and its packets.
///
/// Each call is handed the time at which it happens: a discipline that decides at the departure of a
/// packet sees the moment at which its service starts, though the link finds that out later.
#[derive(Debug)]
pub(crate) enum Queue<P> {
    DropTail(DropTail<P>),
}

impl<P: Packet> Queue<P> {
    pub(crate) fn new(config: QueueConfig) -> Self {
        let (packets, bytes) = match config {
            QueueConfig::DropTail { packets } => (packets as usize, u64::MAX),
            QueueConfig::DropTailBytes { bytes } => (usize::MAX, bytes),
        };
        Queue::DropTail(DropTail {
            fifo: VecDeque::new(),
            bytes: 0,
            most_packets: packets,
            most_bytes: bytes,
        })
    }

    /// Takes a packet in, or gives back the one that is dropped for it.
    #[inline]
    pub(crate) fn push(&mut self, _now: Time, packet: P) -> Result<(), P> {
        match self {
            Queue::DropTail(queue) => queue.push(packet),
        }
    }

    /// The packet to transmit next.
    #[inline]
    pub(crate) fn pop(&mut self, _now: Time) -> Option<P> {
        match self {
            Queue::DropTail(queue) => queue.pop(),
        }
    }

    /// Packets waiting.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        match self {
            Queue::DropTail(queue) => queue.fifo.len(),
        }
    }
}

/// First in, first out, bounded in packets and in bytes.
#[derive(Debug)]
pub(crate) struct DropTail<P> {
    fifo: VecDeque<P>,
    bytes: u64,
    most_packets: usize,
    most_bytes: u64,
}

impl<P: Packet> DropTail<P> {
    #[inline]
    fn push(&mut self, packet: P) -> Result<(), P> {
        let bytes = self.bytes + u64::from(packet.wire_bytes());
        if self.fifo.len() >= self.most_packets || bytes > self.most_bytes {
            return Err(packet);
        }
        self.bytes = bytes;
        self.fifo.push_back(packet);
        Ok(())
    }

    #[inline]
    fn pop(&mut self) -> Option<P> {
        let packet = self.fifo.pop_front()?;
        if self.fifo.is_empty() {
            // Begin anew at the ring's front: its memory stays in the cache.
            self.fifo.clear();
        }
        self.bytes -= u64::from(packet.wire_bytes());
        Some(packet)
    }
}
