//! First in, first out, with random early detection that drops packets of low precedence first.

use std::collections::VecDeque;

use atl_core::time::{Span, Time};
use atl_core::units::Rate;

use super::average::Average;
use super::drop_tail::DropTail;
use super::early_drop::EarlyDrop;
use crate::config;
use crate::discipline::QueueDiscipline;
use crate::packet::Packet;
use crate::random::Stream;

/// RED with one average, and a drop curve with a count of its own for each of two precedences.
#[derive(Debug)]
pub(crate) struct Wred<P> {
    fifo: DropTail<P>,
    average: Average,
    high: EarlyDrop,
    low: EarlyDrop,
    stream: Stream,
}

impl<P: Packet> Wred<P> {
    pub(super) fn new(config: &config::Wred, stream: Stream) -> Self {
        Wred {
            fifo: DropTail::new(config.limit),
            average: Average::new(&config.average, config.limit),
            high: EarlyDrop::new(config.high, config.gentle),
            low: EarlyDrop::new(config.low, config.gentle),
            stream,
        }
    }

    pub(super) fn packets(&self) -> &VecDeque<P> {
        self.fifo.packets()
    }
}

impl<P: Packet> QueueDiscipline<P> for Wred<P> {
    fn enqueue(&mut self, _now: Time, packet: P, dropped: &mut Vec<P>) {
        self.average.arrive(&self.fifo);
        let early = if packet.low_priority() { &mut self.low } else { &mut self.high };
        // One draw for each arrival, whatever its precedence and the thresholds.
        if early.strikes(self.average.get(), self.stream.uniform()) {
            dropped.push(packet);
        } else if let Err(packet) = self.fifo.push(packet) {
            early.overflow();
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
