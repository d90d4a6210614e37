//! Random delay within an end system, before its interface; packets stay in order.

use std::collections::VecDeque;

use atl_core::time::{Span, Time};
use atl_link::random::Stream;

/// Packets that the end system is still processing.
#[derive(Debug)]
pub struct Overhead<T> {
    most: Span,
    stream: Stream,
    waiting: VecDeque<(Time, T)>,
}

impl<T> Overhead<T> {
    /// Delays from zero up to `most`; `None` if that is zero.
    pub fn new(most: Span, stream: Stream) -> Option<Box<Self>> {
        (!most.is_zero()).then(|| Box::new(Overhead { most, stream, waiting: VecDeque::new() }))
    }

    /// Takes a packet. If it is the only one, returns the time at which it leaves.
    pub fn hold(&mut self, now: Time, packet: T) -> Option<Time> {
        let delay = Span::from_nanos(self.stream.below(self.most.nanos().saturating_add(1)));
        let last = self.waiting.back().map_or(Time::ZERO, |w| w.0);
        let at = (now + delay).max(last);
        let first = self.waiting.is_empty();
        self.waiting.push_back((at, packet));
        first.then_some(at)
    }

    /// Packets held, in order.
    pub fn packets(&self) -> impl Iterator<Item = &T> {
        self.waiting.iter().map(|w| &w.1)
    }

    /// Time at which the next packet leaves; [`Time::MAX`] without any.
    pub fn next(&self) -> Time {
        self.waiting.front().map_or(Time::MAX, |w| w.0)
    }

    /// Returns the packet that leaves now, and the time at which the next one does.
    pub fn release(&mut self) -> (Option<T>, Option<Time>) {
        let first = self.waiting.pop_front().map(|w| w.1);
        (first, self.waiting.front().map(|w| w.0))
    }
}
