//! Threads for carrying out runs.

use std::error::Error;
use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::result::RunResult;
use atl_core::time::Span;

use crate::engine::Engine;
use crate::failure::{FailedRun, RunnerError};
use crate::options::{Keep, Options, Progress, RunIndex};
use crate::plan::Plan;
use crate::setup::Setup;
use crate::watch::{Stopped, Watch};

/// A run to be carried out.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    plan: &'a dyn Plan,
    point: usize,
    seed: u64,
    /// Index under which its result is kept.
    pub(crate) at: RunIndex,
}

impl<'a> Job<'a> {
    pub(crate) fn of(plan: &'a dyn Plan, run: usize, at: RunIndex) -> Job<'a> {
        let seeds = plan.seeds();
        Job { plan, point: run / seeds.len(), seed: seeds[run % seeds.len()], at }
    }

    fn setup(&self) -> &'a Setup {
        self.plan.setup(self.point)
    }
}

/// Threads that each take one run after the other.
pub(crate) struct Pool<'a> {
    engine: &'a dyn Engine,
    jobs: usize,
    /// Makes the job with an index. A list of a million jobs would take more memory than their
    /// results.
    job: &'a (dyn Fn(usize) -> Job<'a> + Sync),
    keep: &'a Keep<'a>,
    options: Options<'a>,
    total: Span,
    /// Index of the run that the next free thread takes.
    next: AtomicUsize,
    /// Index from which runs are not carried out, since an earlier one has failed.
    limit: AtomicUsize,
    /// True once a run has panicked or a result could not be kept, so that all threads stop.
    over: AtomicBool,
    ended: Mutex<Ended>,
    done_nanos: AtomicU64,
    runs_done: AtomicUsize,
}

/// Outcomes of the runs so far.
#[derive(Default)]
struct Ended {
    /// Number of runs whose results were kept.
    kept: usize,
    /// The first failure in the order of runs.
    failed: Option<(usize, Box<dyn Error + Send + Sync>)>,
    /// The reason why results cannot be kept.
    keeping: Option<io::Error>,
}

impl<'a> Pool<'a> {
    pub(crate) fn new(
        engine: &'a dyn Engine,
        jobs: usize,
        job: &'a (dyn Fn(usize) -> Job<'a> + Sync),
        options: Options<'a>,
        keep: &'a Keep<'a>,
    ) -> Self {
        let total = (0..jobs).map(|index| engine.length(job(index).setup()).nanos());
        Pool {
            engine,
            jobs,
            job,
            keep,
            options,
            total: Span::from_nanos(total.fold(0, u64::saturating_add)),
            next: AtomicUsize::new(0),
            limit: AtomicUsize::new(usize::MAX),
            over: AtomicBool::new(false),
            ended: Mutex::default(),
            done_nanos: AtomicU64::new(0),
            runs_done: AtomicUsize::new(0),
        }
    }

    fn threads(&self) -> usize {
        let wanted = self.options.jobs.or_else(|| thread::available_parallelism().ok());
        let wanted = wanted.map_or(1, NonZeroUsize::get);
        let most = self.engine.parallel_runs().map_or(usize::MAX, NonZeroUsize::get);
        wanted.min(most).min(self.jobs)
    }

    pub(crate) fn run(self) -> Result<(), RunnerError> {
        thread::scope(|scope| {
            let mut handles = Vec::new();
            for _ in 0..self.threads() {
                match thread::Builder::new().spawn_scoped(scope, || self.work()) {
                    Ok(handle) => handles.push(handle),
                    // Fewer threads suffice, but there must be one.
                    Err(e) if handles.is_empty() => return Err(RunnerError::Threads(e)),
                    Err(_) => break,
                }
            }
            for handle in handles {
                if let Err(panic) = handle.join() {
                    std::panic::resume_unwind(panic);
                }
            }
            Ok(())
        })?;
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        let Ended { kept, failed, keeping } = std::mem::take(&mut *ended);
        match (failed, keeping) {
            // After an interrupt, an engine may fail at something it had begun.
            (Some(_), _) if self.options.cancel.is_cancelled() => Err(RunnerError::Cancelled),
            (Some((index, error)), _) => Err(self.failed(index, error)),
            (None, Some(error)) => Err(RunnerError::Keeping(error)),
            (None, None) if kept < self.jobs => Err(RunnerError::Cancelled),
            (None, None) => Ok(()),
        }
    }

    fn failed(&self, index: usize, error: Box<dyn Error + Send + Sync>) -> RunnerError {
        let Job { plan, point, seed, .. } = (self.job)(index);
        RunnerError::Failed(FailedRun {
            engine: self.engine.name().to_owned(),
            scenario: plan.name().to_owned(),
            point,
            vars: plan.describe(point),
            seed,
            error,
        })
    }

    /// True if the run with this index must stop.
    fn stops(&self, index: usize) -> bool {
        self.options.cancel.is_cancelled()
            || index > self.limit.load(Ordering::Relaxed)
            || self.over.load(Ordering::Relaxed)
    }

    fn work(&self) {
        let _note = NotePanic(&self.over);
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index >= self.jobs || self.stops(index) {
                return;
            }
            let job = (self.job)(index);
            let ended = self.one(index, job).map(|result| (self.keep)(job.at, result));
            let mut all = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
            match ended {
                Ok(Ok(())) => all.kept += 1,
                Ok(Err(error)) => {
                    self.over.store(true, Ordering::Relaxed);
                    all.keeping.get_or_insert(error);
                }
                Err(Stopped::Failed(error)) => {
                    self.limit.fetch_min(index, Ordering::Relaxed);
                    if all.failed.as_ref().is_none_or(|(first, _)| index < *first) {
                        all.failed = Some((index, error));
                    }
                }
                Err(Stopped::Cancelled) => {}
            }
        }
    }

    fn one(&self, index: usize, job: Job<'_>) -> Result<RunResult, Stopped> {
        let setup = job.setup();
        let length = self.engine.length(setup).nanos();
        let counted = AtomicU64::new(0);
        let reach = |nanos: u64, runs: usize| {
            let nanos = nanos.min(length);
            let before = counted.fetch_max(nanos, Ordering::Relaxed);
            if nanos > before || runs > 0 {
                self.advance(nanos.saturating_sub(before), runs);
            }
        };
        let (stop, progress) = (|| self.stops(index), |time: Span| reach(time.nanos(), 0));
        let result = self.engine.run(setup, job.seed, &Watch::new(&stop, &progress));
        if result.is_ok() {
            reach(length, 1);
        }
        result
    }

    fn advance(&self, nanos: u64, runs: usize) {
        let done = self.done_nanos.fetch_add(nanos, Ordering::Relaxed) + nanos;
        let runs_done = self.runs_done.fetch_add(runs, Ordering::Relaxed) + runs;
        (self.options.progress)(Progress {
            done: Span::from_nanos(done),
            total: self.total,
            runs_done,
            runs: self.jobs,
        });
    }
}

/// Tells the other threads of a panic on this one, so that they stop instead of finishing hours of
/// runs.
struct NotePanic<'a>(&'a AtomicBool);

impl Drop for NotePanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}
