//! First in, first out, with random early detection that drops packets of low precedence first.

use std::collections::VecDeque;

use super::average::Average;
use super::drop_tail::DropTail;
use super::early_drop::EarlyDrop;
use super::red::waiting;
use crate::config::{self, Limit};
use crate::packet::Packet;
use crate::random::Stream;

/// RED with one average, and a drop curve with a count of its own for each of two precedences.
#[derive(Debug)]
pub(crate) struct Wred<P> {
    fifo: DropTail<P>,
    limit: Limit,
    average: Average,
    high: EarlyDrop,
    low: EarlyDrop,
    stream: Stream,
}

impl<P: Packet> Wred<P> {
    pub(super) fn new(config: &config::Wred, stream: Stream) -> Self {
        Wred {
            fifo: DropTail::with_limit(config.limit),
            limit: config.limit,
            average: Average::new(&config.average),
            high: EarlyDrop::new(config.high, config.gentle),
            low: EarlyDrop::new(config.low, config.gentle),
            stream,
        }
    }

    pub(super) fn push(&mut self, packet: P) -> Result<(), P> {
        self.average.arrive(waiting(&self.fifo, self.limit));
        let early = if packet.low_priority() { &mut self.low } else { &mut self.high };
        // One draw for each arrival, whatever its precedence and the thresholds.
        if early.strikes(self.average.get(), self.stream.uniform()) {
            return Err(packet);
        }
        self.fifo.push(packet).inspect_err(|_| early.overflow())
    }

    pub(super) fn mean_packet(&self) -> f64 {
        self.average.mean_packet()
    }

    pub(super) fn pass(&mut self, packets: f64) {
        self.average.idle(packets);
    }

    pub(super) fn pop(&mut self) -> Option<P> {
        self.fifo.pop()
    }

    pub(super) fn packets(&self) -> &VecDeque<P> {
        self.fifo.packets()
    }

    pub(super) fn len(&self) -> usize {
        self.fifo.len()
    }
}
