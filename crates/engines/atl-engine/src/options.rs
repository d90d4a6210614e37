//! Options for carrying out runs.

use std::fmt;
use std::io;
use std::num::NonZeroUsize;

use crate::result::RunResult;
use atl_core::time::Span;

use crate::watch::Cancel;

/// Options for carrying out runs. None of them affects results.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Number of parallel runs; `None` for the number of processors. An engine with a [lower
    /// limit](crate::Engine::parallel_runs) gets fewer.
    pub jobs: Option<NonZeroUsize>,
    /// Cancels all runs.
    pub cancel: &'a Cancel,
    /// Called on each progress or end of a run, by the thread that carries it out.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Options");
        shown.field("jobs", &self.jobs).field("cancel", self.cancel).finish_non_exhaustive()
    }
}

/// Progress of all runs together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Time carried out so far, on the engine's clock.
    pub done: Span,
    /// Time of all runs, on the engine's clock.
    pub total: Span,
    /// Number of runs that have ended.
    pub runs_done: usize,
    /// Number of all runs.
    pub runs: usize,
}

/// Identifies a run among those of several scenarios.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunIndex {
    /// Index of the scenario, as passed.
    pub scenario: usize,
    /// Index of the run: index of the point times the number of seeds, plus index of the seed.
    pub run: usize,
}

/// Receives each result when its run ends, in any order and from any thread.
pub type Keep<'a> = dyn Fn(RunIndex, RunResult) -> io::Result<()> + Sync + 'a;
