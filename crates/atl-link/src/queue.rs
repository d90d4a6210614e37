//! The queue ahead of the transmitter.

use atl_core::time::Time;

use crate::config::QueueConfig;
use crate::packet::Packet;

mod drop_tail;
mod priority;

use drop_tail::DropTail;
use priority::Priority;

/// A queue discipline and its packets.
///
/// Each call is handed the time at which it happens: a discipline that decides at the departure of a
/// packet sees the moment at which its service starts, though the link finds that out later.
#[derive(Debug)]
pub(crate) enum Queue<P> {
    DropTail(DropTail<P>),
    /// Behind a box: most links have the other, whose size would be this one's.
    Priority(Box<Priority<P>>),
}

impl<P: Packet> Queue<P> {
    pub(crate) fn new(config: QueueConfig) -> Self {
        let all = (usize::MAX, u64::MAX);
        match config {
            QueueConfig::DropTail { packets } => {
                Queue::DropTail(DropTail::new(packets as usize, all.1))
            }
            QueueConfig::DropTailBytes { bytes } => Queue::DropTail(DropTail::new(all.0, bytes)),
            QueueConfig::Priority { packets } => {
                Queue::Priority(Box::new(Priority::new(packets as usize, all.1)))
            }
            QueueConfig::PriorityBytes { bytes } => {
                Queue::Priority(Box::new(Priority::new(all.0, bytes)))
            }
        }
    }

    /// Takes a packet in, or gives back the first that is dropped for it: itself, or one that it pushes out.
    #[inline]
    pub(crate) fn push(&mut self, _now: Time, packet: P) -> Result<(), P> {
        match self {
            Queue::DropTail(queue) => queue.push(packet),
            Queue::Priority(queue) => queue.push(packet),
        }
    }

    /// How many packets the last [`push`](Self::push) that dropped any has left to be taken.
    pub(crate) fn dropped(&self) -> usize {
        match self {
            Queue::DropTail(_) => 0,
            Queue::Priority(queue) => queue.dropped(),
        }
    }

    /// Takes one of these.
    pub(crate) fn next_dropped(&mut self) -> Option<P> {
        match self {
            Queue::DropTail(_) => None,
            Queue::Priority(queue) => queue.next_dropped(),
        }
    }

    /// The packet to transmit next.
    #[inline]
    pub(crate) fn pop(&mut self, _now: Time) -> Option<P> {
        match self {
            Queue::DropTail(queue) => queue.pop(),
            Queue::Priority(queue) => queue.pop(),
        }
    }

    /// Packets waiting.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        match self {
            Queue::DropTail(queue) => queue.len(),
            Queue::Priority(queue) => queue.len(),
        }
    }
}
