//! The queue ahead of the transmitter.

use std::collections::VecDeque;

use atl_core::time::{Span, Time};
use atl_core::units::Rate;

use crate::config::QueueConfig;
use crate::discipline::QueueDiscipline as _;
use crate::packet::Packet;
use crate::random::Stream;

mod ack_filter;
mod adapt;
mod average;
mod cake;
mod codel;
mod custom;
mod drop_tail;
mod dual_pi2;
mod early_drop;
mod fq_codel;
mod kind;
mod pie;
mod policer;
mod priority;
mod red;
mod updates;
mod wred;

pub use ack_filter::AckFilter;
pub use cake::Cake;
pub use codel::CoDel;
pub use drop_tail::DropTail;
pub use dual_pi2::DualPi2;
pub use fq_codel::FqCoDel;
pub use pie::Pie;
pub use policer::Policer;

use kind::Kind;

/// A link's queue: a discipline, its packets, and those dropped that were not reported yet.
#[derive(Debug)]
pub(crate) enum Queue<P> {
    DropTail(DropTail<P>),
    /// Any other. One variant for all of them, so that the queue of most links is told apart by one
    /// comparison, of which there are a dozen per packet and hop; boxed, since the first variant
    /// would otherwise grow to this one's size.
    Other(Box<Other<P>>),
}

#[derive(Debug)]
pub(crate) struct Other<P> {
    discipline: Kind<P>,
    /// Dropped by the last call, in reverse.
    dropped: Vec<P>,
    /// Dropped as a transmission was to begin, or as this queue took over, with that time.
    at_departure: VecDeque<(Time, P)>,
}

impl<P: Packet> Queue<P> {
    /// An empty queue. A discipline that draws random numbers takes them from a part of `stream`,
    /// the link's.
    pub(crate) fn new(config: &QueueConfig, stream: &Stream, rate: Option<Rate>) -> Self {
        let mut queue = match Kind::new(config, stream.part("queue")) {
            Kind::DropTail(queue) => Queue::DropTail(queue),
            discipline => {
                let (dropped, at_departure) = (Vec::new(), VecDeque::new());
                Queue::Other(Box::new(Other { discipline, dropped, at_departure }))
            }
        };
        queue.on_rate(Time::ZERO, rate);
        queue
    }

    /// Becomes a queue of another configuration, which draws from `stream` at a link of this rate,
    /// and takes what waits. The one before judges its packets as at any departure, and adds to
    /// `marked`. What either drops is among those [dropped at
    /// departure](Self::dropped_at_departure), at `now`.
    #[cold]
    pub(crate) fn exchange(
        &mut self,
        now: Time,
        (config, stream, rate): (&QueueConfig, Stream, Option<Rate>),
        marked: &mut u64,
    ) {
        let mut discipline = Kind::new(config, stream);
        discipline.on_rate(now, rate);
        let mut refused = Vec::new();
        while let Some(packet) = self.pop(now, marked) {
            discipline.enqueue(now, packet, &mut refused);
        }
        let mut at_departure = match self {
            Queue::DropTail(_) => VecDeque::new(),
            Queue::Other(queue) => core::mem::take(&mut queue.at_departure),
        };
        at_departure.extend(refused.drain(..).map(|packet| (now, packet)));
        *self = Queue::Other(Box::new(Other { discipline, dropped: refused, at_departure }));
    }

    /// Adds a packet. On overflow, returns the first packet dropped: this one, or one that it
    /// pushes out.
    #[inline]
    pub(crate) fn push(&mut self, now: Time, packet: P) -> Result<(), P> {
        match self {
            Queue::DropTail(queue) => queue.push(packet),
            Queue::Other(queue) => queue.push(now, packet),
        }
    }

    /// Packets dropped by the last overflow that were not taken yet, besides the one that
    /// [`push`](Self::push) returned.
    pub(crate) fn dropped(&self) -> usize {
        match self {
            Queue::DropTail(_) => 0,
            Queue::Other(queue) => queue.dropped.len(),
        }
    }

    /// Takes the next of those.
    pub(crate) fn next_dropped(&mut self) -> Option<P> {
        match self {
            Queue::DropTail(_) => None,
            Queue::Other(queue) => queue.dropped.pop(),
        }
    }

    /// Removes the packet whose transmission begins at `now`, and adds 1 to `marked` if the queue
    /// has marked it.
    #[inline]
    pub(crate) fn pop(&mut self, now: Time, marked: &mut u64) -> Option<P> {
        match self {
            Queue::DropTail(queue) => queue.pop(),
            Queue::Other(queue) => queue.pop(now, marked),
        }
    }

    /// The number of packets dropped by [`pop`](Self::pop) or [`exchange`](Self::exchange) and not
    /// taken yet.
    #[inline]
    pub(crate) fn dropped_at_departure(&self) -> usize {
        match self {
            Queue::DropTail(_) => 0,
            Queue::Other(queue) => queue.at_departure.len(),
        }
    }

    /// Takes the next of those, with the time of the drop, if that is `until` or earlier.
    pub(crate) fn next_dropped_at_departure(&mut self, until: Time) -> Option<(Time, P)> {
        match self {
            Queue::DropTail(_) => None,
            Queue::Other(queue) => queue.at_departure.pop_front_if(|(at, _)| *at <= until),
        }
    }

    /// A packet finds the link idle since `idle` ago. True if it goes straight to the transmitter.
    #[inline]
    pub(crate) fn bypass(&mut self, now: Time, idle: Span) -> bool {
        match self {
            Queue::DropTail(_) => true,
            Queue::Other(queue) => queue.bypass(now, idle),
        }
    }

    /// The link's rate from now on; `None` where transmission takes no time.
    pub(crate) fn on_rate(&mut self, now: Time, rate: Option<Rate>) {
        match self {
            Queue::DropTail(_) => {}
            Queue::Other(queue) => queue.discipline.on_rate(now, rate),
        }
    }

    /// The packets waiting, and those dropped at departure that were not taken yet.
    pub(crate) fn packets(&self) -> impl Iterator<Item = &P> {
        let (first, second) = match self {
            Queue::DropTail(queue) => (Some(queue.packets()), None),
            Queue::Other(queue) => {
                let dropped = queue.at_departure.iter().map(|(_, packet)| packet);
                (None, Some(queue.discipline.packets().chain(dropped)))
            }
        };
        first.into_iter().flatten().chain(second.into_iter().flatten())
    }

    /// Packets waiting.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        match self {
            Queue::DropTail(queue) => queue.len(),
            Queue::Other(queue) => queue.discipline.len(),
        }
    }
}

impl<P: Packet> Other<P> {
    fn push(&mut self, now: Time, packet: P) -> Result<(), P> {
        self.dropped.clear();
        self.discipline.enqueue(now, packet, &mut self.dropped);
        if self.dropped.is_empty() {
            return Ok(());
        }
        self.dropped.reverse();
        self.dropped.pop().map_or(Ok(()), Err)
    }

    fn pop(&mut self, now: Time, marked: &mut u64) -> Option<P> {
        self.dropped.clear();
        let packet = self.discipline.dequeue(now, &mut self.dropped);
        if !self.dropped.is_empty() {
            self.at_departure.extend(self.dropped.drain(..).map(|packet| (now, packet)));
        }
        *marked += self.discipline.take_marked();
        packet
    }

    #[cold]
    fn bypass(&mut self, now: Time, idle: Span) -> bool {
        let bypasses = self.discipline.bypasses();
        if bypasses {
            self.discipline.on_bypass(now, idle);
        }
        bypasses
    }
}
