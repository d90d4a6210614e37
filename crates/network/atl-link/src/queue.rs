//! The queue ahead of the transmitter.

use atl_core::time::Time;

use crate::config::QueueConfig;
use crate::packet::Packet;
use crate::random::Stream;

mod adapt;
mod average;
mod discipline;
mod drop_tail;
mod early_drop;
mod priority;
mod red;
mod wred;

use discipline::Discipline;
use drop_tail::DropTail;
use priority::Priority;
use red::Red;
use wred::Wred;

/// A queue discipline and its packets.
///
/// Every call gets the time of its event. A discipline that decides at departure thus sees the time when service
/// starts, even though the link works that out later.
#[derive(Debug)]
pub(crate) enum Queue<P> {
    DropTail(DropTail<P>),
    /// Any other. One variant for all of them, so that the queue of most links is told apart by one comparison, of which there
    /// are a dozen per packet and hop; boxed, since the first variant would otherwise grow to this one's size.
    Other(Box<Discipline<P>>),
}

impl<P: Packet> Queue<P> {
    /// An empty queue. A discipline that drops at random draws from a part of `stream`, the link's.
    pub(crate) fn new(config: QueueConfig, stream: &Stream) -> Self {
        let own = || stream.part("queue");
        let all = (usize::MAX, u64::MAX);
        let other = |discipline| Queue::Other(Box::new(discipline));
        match config {
            QueueConfig::DropTail { packets } => {
                Queue::DropTail(DropTail::new(packets as usize, all.1))
            }
            QueueConfig::DropTailBytes { bytes } => Queue::DropTail(DropTail::new(all.0, bytes)),
            QueueConfig::Priority { packets } => {
                other(Discipline::Priority(Priority::new(packets as usize, all.1)))
            }
            QueueConfig::PriorityBytes { bytes } => {
                other(Discipline::Priority(Priority::new(all.0, bytes)))
            }
            QueueConfig::Red(red) => other(Discipline::Red(Red::new(&red, own()))),
            QueueConfig::Wred(wred) => other(Discipline::Wred(Wred::new(&wred, own()))),
        }
    }

    /// Adds a packet. On overflow, returns the first packet dropped: this one, or one that it pushes out.
    #[inline]
    pub(crate) fn push(&mut self, now: Time, packet: P) -> Result<(), P> {
        match self {
            Queue::DropTail(queue) => queue.push(packet),
            Queue::Other(queue) => queue.push(now, packet),
        }
    }

    /// For a discipline that keeps an average of its length: the length of a mean packet in bytes. It is then to be told
    /// of packets that [pass](Self::pass) it.
    #[inline]
    pub(crate) fn mean_packet(&self) -> Option<f64> {
        match self {
            Queue::DropTail(_) => None,
            Queue::Other(queue) => queue.mean_packet(),
        }
    }

    /// A packet found the link idle and went straight to the transmitter. Since the last transmission ended, the link
    /// could have sent this many mean packets.
    pub(crate) fn pass(&mut self, packets: f64) {
        match self {
            Queue::DropTail(_) => {}
            Queue::Other(queue) => queue.pass(packets),
        }
    }

    /// Packets dropped by the last overflow that were not taken yet, besides the one [`push`](Self::push) returned.
    pub(crate) fn dropped(&self) -> usize {
        match self {
            Queue::DropTail(_) => 0,
            Queue::Other(queue) => queue.dropped(),
        }
    }

    /// Takes the next of those.
    pub(crate) fn next_dropped(&mut self) -> Option<P> {
        match self {
            Queue::DropTail(_) => None,
            Queue::Other(queue) => queue.next_dropped(),
        }
    }

    /// Removes the packet to transmit next.
    #[inline]
    pub(crate) fn pop(&mut self, _now: Time) -> Option<P> {
        match self {
            Queue::DropTail(queue) => queue.pop(),
            Queue::Other(queue) => queue.pop(),
        }
    }

    /// The packets waiting.
    pub(crate) fn packets(&self) -> impl Iterator<Item = &P> {
        let (first, second) = match self {
            Queue::DropTail(queue) => (Some(queue.packets()), None),
            Queue::Other(queue) => (None, Some(queue.packets())),
        };
        first.into_iter().flatten().chain(second.into_iter().flatten())
    }

    /// Packets waiting.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        match self {
            Queue::DropTail(queue) => queue.len(),
            Queue::Other(queue) => queue.len(),
        }
    }
}
