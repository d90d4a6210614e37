//! How runs are carried out, and where their results go.

use std::fmt;
use std::io;
use std::num::NonZeroUsize;

use crate::result::RunResult;
use atl_core::time::Span;

use crate::watch::Cancel;

/// How runs are carried out; nothing here changes a result.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Runs at a time; `None` for as many as the machine has processors. A host that
    /// [cannot do as many](crate::Engine::parallel_runs) gets fewer.
    pub jobs: Option<NonZeroUsize>,
    /// Stops everything.
    pub cancel: &'a Cancel,
    /// Called whenever a run gets on or ends, by the thread that carries it out.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Options");
        shown.field("jobs", &self.jobs).field("cancel", self.cancel).finish_non_exhaustive()
    }
}

/// How far all runs together are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Time carried out, on the host's clock.
    pub done: Span,
    /// Time of all runs.
    pub total: Span,
    /// Runs that have ended.
    pub runs_done: usize,
    /// All runs.
    pub runs: usize,
}

/// A run among those of several scenarios.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunIndex {
    /// Index of the scenario.
    pub scenario: usize,
    /// Index of the run: the point's index times the number of seeds, plus the seed's place.
    pub run: usize,
}

/// Where results go as soon as a run has ended, in any order and from any thread.
pub type Keep<'a> = dyn Fn(RunIndex, RunResult) -> io::Result<()> + Sync + 'a;
