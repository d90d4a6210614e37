//! Times at which something is written down.

use crate::setup::Setup;
use atl_core::time::{Span, Time};

/// Something to write down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Measurement begins, before anything else of its instant.
    Begin,
    /// A sample is taken, after everything else of its instant.
    Sample,
}

/// The times of a run at which something is written down, in order.
#[derive(Clone, Debug)]
pub struct Marks {
    begin: Option<Time>,
    every: Option<Span>,
    sample: Time,
    end: Time,
}

impl Marks {
    /// Those of a setup.
    pub fn new(setup: &Setup) -> Self {
        let every = setup.sample_every.filter(|every| !every.is_zero());
        Marks {
            begin: Some(Time::ZERO + setup.warmup),
            every,
            sample: every.map_or(Time::MAX, |every| Time::ZERO + every),
            end: Time::ZERO + setup.duration,
        }
    }

    /// The next one; [`Time::MAX`] after the last.
    pub fn next(&self) -> (Time, Mark) {
        match self.begin {
            Some(begin) if begin <= self.sample => (begin, Mark::Begin),
            _ if self.sample <= self.end => (self.sample, Mark::Sample),
            _ => (Time::MAX, Mark::Sample),
        }
    }

    /// The next one was written down.
    pub fn advance(&mut self) {
        match (self.next().1, self.every) {
            (Mark::Begin, _) => self.begin = None,
            (Mark::Sample, Some(every)) => self.sample = self.sample.saturating_add(every),
            (Mark::Sample, None) => {}
        }
    }

    /// The next one, if it has come by `now`; it counts as written down.
    pub fn take(&mut self, now: Time) -> Option<(Time, Mark)> {
        let next = self.next();
        (next.0 <= now).then(|| {
            self.advance();
            next
        })
    }
}
