//! An engine that follows a script.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use atl_engine::result::RunResult;
use atl_engine::setup::Setup;
use atl_engine::{Clock, Engine, Gap, Stopped, Watch};
use atl_link::Loss;

type Run<'a> = dyn Fn(f64, u64, &Watch<'_>) -> Result<RunResult, Stopped> + Send + Sync + 'a;

/// Each run is a call of a function with the point's `p_w`, the seed and the watch.
pub(crate) struct Scripted<'a> {
    run: Box<Run<'a>>,
    gaps: &'a (dyn Fn(&Setup) -> Vec<Gap> + Sync),
    name: &'static str,
    parallel: Option<NonZeroUsize>,
    /// Number of runs under way, and its maximum so far.
    now: AtomicUsize,
    pub most: AtomicUsize,
}

impl<'a> Scripted<'a> {
    pub(crate) fn new(
        run: impl Fn(f64, u64, &Watch<'_>) -> Result<RunResult, Stopped> + Send + Sync + 'a,
    ) -> Self {
        Scripted {
            run: Box::new(run),
            gaps: &|_| Vec::new(),
            name: "scripted",
            parallel: None,
            now: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
        }
    }

    pub(crate) fn named(self, name: &'static str) -> Self {
        Scripted { name, ..self }
    }

    pub(crate) fn parallel(self, runs: usize) -> Self {
        Scripted { parallel: NonZeroUsize::new(runs), ..self }
    }

    pub(crate) fn with_gaps(self, gaps: &'a (dyn Fn(&Setup) -> Vec<Gap> + Sync)) -> Self {
        Scripted { gaps, ..self }
    }
}

impl fmt::Debug for Scripted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Value of the sweep's variable.
pub(crate) fn p_w(setup: &Setup) -> f64 {
    match setup.links[0].config.initial.loss {
        Loss::Bernoulli(p) => p.get(),
        other => panic!("{other:?}"),
    }
}

impl Engine for Scripted<'_> {
    fn name(&self) -> &str {
        self.name
    }

    fn version(&self) -> String {
        "test".to_owned()
    }

    fn about(&self) -> &'static str {
        "does as it is told"
    }

    fn clock(&self) -> Clock {
        Clock::Real
    }

    fn gaps(&self, setup: &Setup) -> Vec<Gap> {
        (self.gaps)(setup)
    }

    fn parallel_runs(&self) -> Option<NonZeroUsize> {
        self.parallel
    }

    fn run(&self, setup: &Setup, seed: u64, watch: &Watch<'_>) -> Result<RunResult, Stopped> {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        let result = (self.run)(p_w(setup), seed, watch);
        self.now.fetch_sub(1, Ordering::SeqCst);
        result
    }
}

/// A result from which its run can be identified.
pub(crate) fn marked(p_w: f64, seed: u64) -> RunResult {
    RunResult { events: Some((p_w * 1e6) as u64 + seed), ..RunResult::default() }
}
