//! Times at which values are recorded.

use crate::setup::Setup;
use atl_core::time::{Span, Time};

/// A value to record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The beginning of the measurement, before all other events of its instant.
    Begin,
    /// A sample, after all other events of its instant.
    Sample,
}

/// Times of a run at which values are recorded, in order.
#[derive(Clone, Debug)]
pub struct Marks {
    begin: Option<Time>,
    every: Option<Span>,
    sample: Time,
    end: Time,
}

impl Marks {
    /// The times in a run of this setup.
    pub fn new(setup: &Setup) -> Self {
        let every = setup.sample_every.filter(|every| !every.is_zero());
        Marks {
            begin: Some(Time::ZERO + setup.warmup),
            every,
            sample: every.map_or(Time::MAX, |every| Time::ZERO + every),
            end: Time::ZERO + setup.duration,
        }
    }

    /// The next time; [`Time::MAX`] after the last.
    pub fn next(&self) -> (Time, Mark) {
        match self.begin {
            Some(begin) if begin <= self.sample => (begin, Mark::Begin),
            _ if self.sample <= self.end => (self.sample, Mark::Sample),
            _ => (Time::MAX, Mark::Sample),
        }
    }

    /// Moves on after the next value has been recorded.
    pub fn advance(&mut self) {
        match (self.next().1, self.every) {
            (Mark::Begin, _) => self.begin = None,
            (Mark::Sample, Some(every)) => self.sample = self.sample.saturating_add(every),
            (Mark::Sample, None) => {}
        }
    }

    /// Returns the next time and moves on, if it is not after `now`.
    pub fn take(&mut self, now: Time) -> Option<(Time, Mark)> {
        let next = self.next();
        (next.0 <= now).then(|| {
            self.advance();
            next
        })
    }
}
