//! A source that is asked seldom.

use atl_core::time::{Span, Time};

use crate::info::LinkInfo;
use crate::source::{LinkSource, SourceError};

/// A source whose answer stands for a while: each question of a command costs a process.
#[derive(Debug)]
pub struct Seldom<S> {
    source: S,
    every: Span,
    last: Option<(Time, LinkInfo)>,
}

impl<S: LinkSource> Seldom<S> {
    /// Asks `source` when its last answer is as old as `every`, or was an error.
    pub fn new(source: S, every: Span) -> Self {
        Seldom { source, every, last: None }
    }
}

impl<S: LinkSource> LinkSource for Seldom<S> {
    fn read(&mut self, now: Time) -> Result<LinkInfo, SourceError> {
        if let Some((at, info)) = self.last
            && now.since(at) < self.every
        {
            return Ok(info);
        }
        self.last = None;
        let info = self.source.read(now)?;
        self.last = Some((now, info));
        Ok(info)
    }
}
