//! The disciplines that do more than drop at the tail.

use atl_core::time::Time;

use super::priority::Priority;
use super::red::Red;
use super::wred::Wred;
use crate::packet::Packet;

/// A discipline and its packets; see [`Queue`](super::Queue) for what the calls mean.
#[derive(Debug)]
pub(crate) enum Discipline<P> {
    Priority(Priority<P>),
    Red(Red<P>),
    Wred(Wred<P>),
}

impl<P: Packet> Discipline<P> {
    pub(super) fn push(&mut self, now: Time, packet: P) -> Result<(), P> {
        match self {
            Discipline::Priority(queue) => queue.push(packet),
            Discipline::Red(queue) => queue.push(now, packet),
            Discipline::Wred(queue) => queue.push(packet),
        }
    }

    pub(super) fn mean_packet(&self) -> Option<f64> {
        match self {
            Discipline::Priority(_) => None,
            Discipline::Red(queue) => Some(queue.mean_packet()),
            Discipline::Wred(queue) => Some(queue.mean_packet()),
        }
    }

    pub(super) fn pass(&mut self, packets: f64) {
        match self {
            Discipline::Priority(_) => {}
            Discipline::Red(queue) => queue.pass(packets),
            Discipline::Wred(queue) => queue.pass(packets),
        }
    }

    pub(super) fn dropped(&self) -> usize {
        match self {
            Discipline::Priority(queue) => queue.dropped(),
            Discipline::Red(_) | Discipline::Wred(_) => 0,
        }
    }

    pub(super) fn next_dropped(&mut self) -> Option<P> {
        match self {
            Discipline::Priority(queue) => queue.next_dropped(),
            Discipline::Red(_) | Discipline::Wred(_) => None,
        }
    }

    pub(super) fn pop(&mut self) -> Option<P> {
        match self {
            Discipline::Priority(queue) => queue.pop(),
            Discipline::Red(queue) => queue.pop(),
            Discipline::Wred(queue) => queue.pop(),
        }
    }

    pub(super) fn packets(&self) -> impl Iterator<Item = &P> {
        let (first, second) = match self {
            Discipline::Priority(queue) => {
                let [high, low] = queue.packets();
                (high, Some(low))
            }
            Discipline::Red(queue) => (queue.packets(), None),
            Discipline::Wred(queue) => (queue.packets(), None),
        };
        first.iter().chain(second.into_iter().flatten())
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Discipline::Priority(queue) => queue.len(),
            Discipline::Red(queue) => queue.len(),
            Discipline::Wred(queue) => queue.len(),
        }
    }
}
