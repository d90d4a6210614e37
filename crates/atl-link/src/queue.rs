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
/// Every call gets the time of its event. A discipline that decides at departure thus sees the time when service
/// starts, even though the link works that out later.
#[derive(Debug)]
pub(crate) enum Queue<P> {
    DropTail(DropTail<P>),
    /// Boxed: most links use the other variant, which would otherwise grow to this one's size.
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

    /// Adds a packet. On overflow, returns the first packet dropped: this one, or one that it pushes out.
    #[inline]
    pub(crate) fn push(&mut self, _now: Time, packet: P) -> Result<(), P> {
        match self {
            Queue::DropTail(queue) => queue.push(packet),
            Queue::Priority(queue) => queue.push(packet),
        }
    }

    /// Packets dropped by the last overflow that were not taken yet, besides the one [`push`](Self::push) returned.
    pub(crate) fn dropped(&self) -> usize {
        match self {
            Queue::DropTail(_) => 0,
            Queue::Priority(queue) => queue.dropped(),
        }
    }

    /// Takes the next of those.
    pub(crate) fn next_dropped(&mut self) -> Option<P> {
        match self {
            Queue::DropTail(_) => None,
            Queue::Priority(queue) => queue.next_dropped(),
        }
    }

    /// Removes the packet to transmit next.
    #[inline]
    pub(crate) fn pop(&mut self, _now: Time) -> Option<P> {
        match self {
            Queue::DropTail(queue) => queue.pop(),
            Queue::Priority(queue) => queue.pop(),
        }
    }

    /// The packets waiting.
    pub(crate) fn packets(&self) -> impl Iterator<Item = &P> {
        let (first, second) = match self {
            Queue::DropTail(queue) => (queue.packets(), None),
            Queue::Priority(queue) => {
                let [high, low] = queue.packets();
                (high, Some(low))
            }
        };
        first.iter().chain(second.into_iter().flatten())
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
