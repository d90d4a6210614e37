//! Every point of scenarios with every seed, in parallel.

use std::error::Error;
use std::fmt;
use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;

use atl_core::time::Span;
use atl_scenario::result::RunResult;
use atl_scenario::scenario::{Point, Scenario};

use crate::host::Host;
use crate::preflight::describe;
use crate::watch::{Cancel, Stopped, Watch};

/// How runs are carried out; nothing here changes a result.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Runs at a time; `None` for as many as the machine has processors. A host that
    /// [cannot do as many](Host::parallel_runs) gets fewer.
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

/// Why there are no results.
#[derive(Debug)]
pub enum RunnerError {
    /// The runs were cancelled.
    Cancelled,
    /// A run failed: the first one in order of the runs.
    Failed(FailedRun),
    /// The threads for the runs could not be started.
    Threads(io::Error),
}

/// A run that failed.
#[derive(Debug)]
pub struct FailedRun {
    /// The host.
    pub host: String,
    /// Name of the scenario.
    pub scenario: String,
    /// Index of the point.
    pub point: usize,
    /// The point's swept variables: `p_w = 1e-2, protocol = reno`; empty without a sweep.
    pub vars: String,
    /// The seed.
    pub seed: u64,
    /// What went wrong.
    pub error: Box<dyn Error + Send + Sync>,
}

impl fmt::Display for FailedRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FailedRun { host, scenario, point, vars, seed, error } = self;
        let vars = if vars.is_empty() { String::new() } else { format!(" ({vars})") };
        write!(f, "host `{host}` failed at `{scenario}`, point {point}{vars}, seed {seed}: {error}")
    }
}

impl fmt::Display for RunnerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunnerError::Cancelled => f.write_str("cancelled"),
            RunnerError::Failed(failed) => failed.fmt(f),
            RunnerError::Threads(e) => write!(f, "cannot start the threads for the runs: {e}"),
        }
    }
}

impl Error for RunnerError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            RunnerError::Cancelled => None,
            RunnerError::Failed(failed) => Some(&*failed.error),
            RunnerError::Threads(e) => Some(e),
        }
    }
}

/// One run to carry out.
#[derive(Clone, Copy)]
struct Job<'a> {
    scenario: &'a Scenario,
    index: usize,
    point: &'a Point,
    seed: u64,
}

/// Carries out every point of every scenario with every seed on one host. All scenarios share the threads, so that none
/// waits for the last run of another. Results are by scenario, then by point, then by seed, whatever the number of threads.
///
/// The first failure, in order of the runs, ends everything: runs before it are finished, later ones are cancelled. So a
/// deterministic host gives the same error every time.
///
/// The host is not asked for [gaps](Host::gaps): [`check`](crate::check) does that before.
///
/// # Errors
/// If a run fails, if the runs are cancelled before the last one ends, or if no thread can be started.
pub fn run_scenarios(
    host: &dyn Host,
    scenarios: &[&Scenario],
    options: Options<'_>,
) -> Result<Vec<Vec<Vec<RunResult>>>, RunnerError> {
    let mut jobs = Vec::new();
    for &scenario in scenarios {
        for (index, point) in scenario.points.iter().enumerate() {
            let job = |&seed| Job { scenario, index, point, seed };
            jobs.extend(scenario.seeds.iter().map(job));
        }
    }
    let mut results = Pool::new(host, &jobs, options).run()?.into_iter();
    let mut take = |n: usize| -> Vec<RunResult> { results.by_ref().take(n).collect() };
    let nested =
        scenarios.iter().map(|s| s.points.iter().map(|_| take(s.seeds.len())).collect()).collect();
    Ok(nested)
}

/// Carries out some of a scenario's runs on one host, by their indices: point of the sweep times the number of seeds, plus
/// the seed's place. Results are in the order of `runs`. Otherwise as [`run_scenarios`].
///
/// # Errors
/// As [`run_scenarios`].
///
/// # Panics
/// Panics if the scenario has no such run.
pub fn run_some(
    host: &dyn Host,
    scenario: &Scenario,
    runs: impl IntoIterator<Item = usize>,
    options: Options<'_>,
) -> Result<Vec<RunResult>, RunnerError> {
    let seeds = scenario.seeds.len();
    let job = |run: usize| {
        let index = run / seeds;
        let (point, seed) = (&scenario.points[index], scenario.seeds[run % seeds]);
        Job { scenario, index, point, seed }
    };
    let jobs: Vec<Job<'_>> = runs.into_iter().map(job).collect();
    Pool::new(host, &jobs, options).run()
}

/// Threads that take one run after the other.
struct Pool<'a> {
    host: &'a dyn Host,
    jobs: &'a [Job<'a>],
    options: Options<'a>,
    total: Span,
    /// The run that the next free thread takes.
    next: AtomicUsize,
    /// Runs from here on are not to be carried out: an earlier one has failed.
    limit: AtomicUsize,
    /// A run has panicked; its panic goes on when all threads have ended.
    panicked: AtomicBool,
    done_nanos: AtomicU64,
    runs_done: AtomicUsize,
}

/// What a thread has got out of its runs, each with its index.
type Share = Vec<(usize, Result<RunResult, Stopped>)>;

impl<'a> Pool<'a> {
    fn new(host: &'a dyn Host, jobs: &'a [Job<'a>], options: Options<'a>) -> Self {
        let total = jobs.iter().map(|job| host.length(&job.point.setup).nanos());
        Pool {
            host,
            jobs,
            options,
            total: Span::from_nanos(total.fold(0, u64::saturating_add)),
            next: AtomicUsize::new(0),
            limit: AtomicUsize::new(usize::MAX),
            panicked: AtomicBool::new(false),
            done_nanos: AtomicU64::new(0),
            runs_done: AtomicUsize::new(0),
        }
    }

    fn threads(&self) -> usize {
        let wanted = self.options.jobs.or_else(|| thread::available_parallelism().ok());
        let wanted = wanted.map_or(1, NonZeroUsize::get);
        let most = self.host.parallel_runs().map_or(usize::MAX, NonZeroUsize::get);
        wanted.min(most).min(self.jobs.len())
    }

    fn run(self) -> Result<Vec<RunResult>, RunnerError> {
        let shares = thread::scope(|scope| {
            let mut handles = Vec::new();
            for _ in 0..self.threads() {
                match thread::Builder::new().spawn_scoped(scope, || self.work()) {
                    Ok(handle) => handles.push(handle),
                    // Fewer threads do as well; without any there is nobody to do it.
                    Err(e) if handles.is_empty() => return Err(RunnerError::Threads(e)),
                    Err(_) => break,
                }
            }
            let join = |h: thread::ScopedJoinHandle<'_, Share>| match h.join() {
                Ok(share) => share,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            Ok(handles.into_iter().map(join).collect::<Vec<_>>())
        })?;
        let mut all: Share = shares.into_iter().flatten().collect();
        all.sort_by_key(|(index, _)| *index);
        let mut results = Vec::with_capacity(self.jobs.len());
        for (index, result) in all {
            match result {
                Ok(result) => results.push(result),
                // An interrupted host may fail at what it was about to do.
                Err(Stopped::Failed(error)) if !self.options.cancel.is_cancelled() => {
                    return Err(self.failed(index, error));
                }
                Err(Stopped::Failed(_) | Stopped::Cancelled) => return Err(RunnerError::Cancelled),
            }
        }
        if results.len() < self.jobs.len() { Err(RunnerError::Cancelled) } else { Ok(results) }
    }

    fn failed(&self, index: usize, error: Box<dyn Error + Send + Sync>) -> RunnerError {
        let Job { scenario, index, point, seed } = self.jobs[index];
        RunnerError::Failed(FailedRun {
            host: self.host.name().to_owned(),
            scenario: scenario.name.clone(),
            point: index,
            vars: describe(scenario, point),
            seed,
            error,
        })
    }

    /// True if the run with this index is not to go on.
    fn stops(&self, index: usize) -> bool {
        self.options.cancel.is_cancelled()
            || index > self.limit.load(Ordering::Relaxed)
            || self.panicked.load(Ordering::Relaxed)
    }

    fn work(&self) -> Share {
        let _note = NotePanic(&self.panicked);
        let mut share = Share::new();
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = self.jobs.get(index) else { return share };
            if self.stops(index) {
                return share;
            }
            let result = self.one(index, *job);
            if let Err(Stopped::Failed(_)) = result {
                self.limit.fetch_min(index, Ordering::Relaxed);
            }
            share.push((index, result));
        }
    }

    fn one(&self, index: usize, job: Job<'_>) -> Result<RunResult, Stopped> {
        let setup = &job.point.setup;
        let length = self.host.length(setup).nanos();
        let counted = AtomicU64::new(0);
        let reach = |nanos: u64, runs: usize| {
            let nanos = nanos.min(length);
            let before = counted.fetch_max(nanos, Ordering::Relaxed);
            if nanos > before || runs > 0 {
                self.advance(nanos.saturating_sub(before), runs);
            }
        };
        let (stop, progress) = (|| self.stops(index), |time: Span| reach(time.nanos(), 0));
        let result = self.host.run(setup, job.seed, &Watch::new(&stop, &progress));
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
            runs: self.jobs.len(),
        });
    }
}

/// Lets the other threads know that this one has panicked: they stop instead of finishing hours of runs.
struct NotePanic<'a>(&'a AtomicBool);

impl Drop for NotePanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}
