//! First in, first out, with random early detection.

use std::collections::VecDeque;

use atl_core::time::{Span, Time};
use atl_core::units::Rate;

use super::adapt::Adapt;
use super::average::Average;
use super::drop_tail::DropTail;
use super::early_drop::EarlyDrop;
use crate::config;
use crate::discipline::QueueDiscipline;
use crate::packet::Packet;
use crate::random::Stream;

/// Random early detection (Floyd and Jacobson 1993).
#[derive(Debug)]
pub(crate) struct Red<P> {
    fifo: DropTail<P>,
    average: Average,
    early: EarlyDrop,
    adapt: Option<Adapt>,
    stream: Stream,
}

impl<P: Packet> Red<P> {
    pub(super) fn new(config: &config::Red, stream: Stream) -> Self {
        Red {
            fifo: DropTail::new(config.limit),
            average: Average::new(&config.average, config.limit),
            early: EarlyDrop::new(config.curve, config.gentle),
            adapt: config.adaptive.then(Adapt::new),
            stream,
        }
    }

    pub(super) fn packets(&self) -> &VecDeque<P> {
        self.fifo.packets()
    }
}

impl<P: Packet> QueueDiscipline<P> for Red<P> {
    fn enqueue(&mut self, now: Time, packet: P, dropped: &mut Vec<P>) {
        self.average.arrive(&self.fifo);
        let average = self.average.get();
        if let Some(adapt) = &mut self.adapt {
            adapt.follow(now, average, self.early.curve_mut());
        }
        // One draw for each arrival, so that the draws of later ones do not depend on the
        // thresholds.
        if self.early.strikes(average, self.stream.uniform()) {
            dropped.push(packet);
        } else if let Err(packet) = self.fifo.push(packet) {
            self.early.overflow();
            dropped.push(packet);
        }
    }

    fn dequeue(&mut self, _now: Time, _dropped: &mut Vec<P>) -> Option<P> {
        self.fifo.pop()
    }

    fn len(&self) -> usize {
        self.fifo.len()
    }

    fn bytes(&self) -> u64 {
        self.fifo.bytes()
    }

    fn on_bypass(&mut self, _now: Time, idle: Span) {
        self.average.idle(idle);
    }

    fn on_rate(&mut self, _now: Time, rate: Option<Rate>) {
        self.average.set_rate(rate);
    }
}
