//! First in, first out, with random early detection.

use std::collections::VecDeque;

use atl_core::time::Time;

use super::adapt::Adapt;
use super::average::Average;
use super::drop_tail::DropTail;
use super::early_drop::EarlyDrop;
use crate::config::{self, Limit};
use crate::packet::Packet;
use crate::random::Stream;

/// Random early detection (Floyd and Jacobson 1993).
#[derive(Debug)]
pub(crate) struct Red<P> {
    fifo: DropTail<P>,
    limit: Limit,
    average: Average,
    early: EarlyDrop,
    adapt: Option<Adapt>,
    stream: Stream,
}

impl<P: Packet> Red<P> {
    pub(super) fn new(config: &config::Red, stream: Stream) -> Self {
        Red {
            fifo: DropTail::with_limit(config.limit),
            limit: config.limit,
            average: Average::new(&config.average),
            early: EarlyDrop::new(config.curve, config.gentle),
            adapt: config.adaptive.then(Adapt::new),
            stream,
        }
    }

    pub(super) fn push(&mut self, now: Time, packet: P) -> Result<(), P> {
        self.average.arrive(waiting(&self.fifo, self.limit));
        let average = self.average.get();
        if let Some(adapt) = &mut self.adapt {
            adapt.follow(now, average, self.early.curve_mut());
        }
        // One draw for each arrival, so that the draws of later ones do not depend on the thresholds.
        if self.early.strikes(average, self.stream.uniform()) {
            return Err(packet);
        }
        self.fifo.push(packet).inspect_err(|_| self.early.overflow())
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

/// What waits, in the unit of the limit.
pub(super) fn waiting<P: Packet>(fifo: &DropTail<P>, limit: Limit) -> f64 {
    match limit {
        Limit::Packets(_) => fifo.len() as f64,
        Limit::Bytes(_) => fifo.bytes() as f64,
    }
}
