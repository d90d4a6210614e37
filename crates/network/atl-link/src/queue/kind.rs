//! The disciplines of this crate and those of others, told apart at run time.

use atl_core::time::{Span, Time};
use atl_core::units::Rate;

use super::custom::Custom;
use super::drop_tail::DropTail;
use super::priority::Priority;
use super::red::Red;
use super::wred::Wred;
use crate::config::QueueConfig;
use crate::discipline::QueueDiscipline;
use crate::limit::Limit;
use crate::packet::Packet;
use crate::queued::Queued;
use crate::random::Stream;

/// Any discipline, without a virtual call for those of this crate.
#[derive(Debug)]
pub(super) enum Kind<P> {
    DropTail(DropTail<P>),
    Priority(Priority<P>),
    Red(Red<P>),
    Wred(Wred<P>),
    Custom(Custom<P>),
}

impl QueueConfig {
    /// An empty queue of this configuration without a link. It draws its random numbers, if any,
    /// from `stream`.
    pub fn build(&self, stream: Stream) -> Box<dyn QueueDiscipline + Send> {
        Box::new(Kind::<Queued>::new(self, stream))
    }
}

impl<P: Packet> Kind<P> {
    pub(super) fn new(config: &QueueConfig, stream: Stream) -> Self {
        match config {
            QueueConfig::DropTail { packets } => {
                Kind::DropTail(DropTail::new(Limit::Packets(*packets)))
            }
            QueueConfig::DropTailBytes { bytes } => {
                Kind::DropTail(DropTail::new(Limit::Bytes(*bytes)))
            }
            QueueConfig::Priority { packets } => {
                Kind::Priority(Priority::new(Limit::Packets(*packets)))
            }
            QueueConfig::PriorityBytes { bytes } => {
                Kind::Priority(Priority::new(Limit::Bytes(*bytes)))
            }
            QueueConfig::Red(red) => Kind::Red(Red::new(red, stream)),
            QueueConfig::Wred(wred) => Kind::Wred(Wred::new(wred, stream)),
            QueueConfig::Custom { limit, discipline } => {
                Kind::Custom(Custom::new(discipline.build(*limit, stream)))
            }
        }
    }

    /// Packets handed over with a mark of this queue since the last call.
    pub(super) fn take_marked(&mut self) -> u64 {
        match self {
            Kind::Custom(queue) => queue.take_marked(),
            _ => 0,
        }
    }

    /// The packets waiting, in no particular order.
    pub(super) fn packets(&self) -> impl Iterator<Item = &P> {
        let (fifos, custom) = match self {
            Kind::DropTail(queue) => ([Some(queue.packets()), None], None),
            Kind::Priority(queue) => (queue.packets().map(Some), None),
            Kind::Red(queue) => ([Some(queue.packets()), None], None),
            Kind::Wred(queue) => ([Some(queue.packets()), None], None),
            Kind::Custom(queue) => ([None, None], Some(queue.packets())),
        };
        fifos.into_iter().flatten().flatten().chain(custom.into_iter().flatten())
    }
}

/// Calls the discipline inside.
macro_rules! each {
    ($kind:expr, $queue:ident => $call:expr) => {
        match $kind {
            Kind::DropTail($queue) => $call,
            Kind::Priority($queue) => $call,
            Kind::Red($queue) => $call,
            Kind::Wred($queue) => $call,
            Kind::Custom($queue) => $call,
        }
    };
}

impl<P: Packet> QueueDiscipline<P> for Kind<P> {
    fn enqueue(&mut self, now: Time, packet: P, dropped: &mut Vec<P>) {
        each!(self, queue => queue.enqueue(now, packet, dropped));
    }

    fn dequeue(&mut self, now: Time, dropped: &mut Vec<P>) -> Option<P> {
        each!(self, queue => queue.dequeue(now, dropped))
    }

    fn len(&self) -> usize {
        each!(self, queue => queue.len())
    }

    fn bytes(&self) -> u64 {
        each!(self, queue => queue.bytes())
    }

    fn bypasses(&self) -> bool {
        each!(self, queue => queue.bypasses())
    }

    fn on_bypass(&mut self, now: Time, idle: Span) {
        each!(self, queue => queue.on_bypass(now, idle));
    }

    fn on_rate(&mut self, now: Time, rate: Option<Rate>) {
        each!(self, queue => queue.on_rate(now, rate));
    }
}
