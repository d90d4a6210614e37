//! Running every point of plans with every seed, in parallel.

use std::io;
use std::sync::{Mutex, PoisonError};

use crate::result::RunResult;

use crate::engine::Engine;
use crate::failure::RunnerError;
use crate::options::{Keep, Options, RunIndex};
use crate::plan::Plan;
use crate::pool::{Job, Pool};

/// Carries out every point of every plan with every seed on one engine, and hands each result to
/// `keep`. The plans share the threads, so that none waits for the last run of another. Each run
/// has one result, which does not depend on the number of threads.
///
/// The first failure in the order of runs ends everything: runs before it are finished, later ones
/// are cancelled. A deterministic engine thus gives the same error every time.
///
/// The engine is not asked for [gaps](Engine::gaps); call [`check`](crate::check) first.
///
/// # Errors
/// If a run fails, if the runs are cancelled before the last one ends, if no thread can be started,
/// or if `keep` fails.
pub fn run_each<P: Plan>(
    engine: &dyn Engine,
    plans: &[&P],
    options: Options<'_>,
    keep: &Keep<'_>,
) -> Result<(), RunnerError> {
    let mut ends = Vec::with_capacity(plans.len());
    let mut jobs = 0;
    for plan in plans {
        jobs += plan.runs();
        ends.push(jobs);
    }
    let job = |index: usize| {
        // The first scenario that ends after the index.
        let scenario = ends.partition_point(|end| *end <= index);
        let run = index - scenario.checked_sub(1).map_or(0, |before| ends[before]);
        Job::of(plans[scenario], run, RunIndex { scenario, run })
    };
    Pool::new(engine, jobs, &job, options, keep).run()
}

/// As [`run_each`], but returns the results by plan, point and seed. All of them are in memory.
///
/// # Errors
/// As [`run_each`].
pub fn run_plans<P: Plan>(
    engine: &dyn Engine,
    plans: &[&P],
    options: Options<'_>,
) -> Result<Vec<Vec<Vec<RunResult>>>, RunnerError> {
    let empty = |plan: &&P| {
        let mut runs = Vec::new();
        runs.resize_with(plan.runs(), RunResult::default);
        Mutex::new(runs)
    };
    let results: Vec<Mutex<Vec<RunResult>>> = plans.iter().map(empty).collect();
    run_each(engine, plans, options, &|at: RunIndex, result| {
        let mut runs = results[at.scenario].lock().unwrap_or_else(PoisonError::into_inner);
        runs[at.run] = result;
        Ok(())
    })?;
    let nested = results.into_iter().zip(plans).map(|(runs, plan)| {
        let mut runs = runs.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter();
        let seeds = plan.seeds().len();
        (0..plan.points()).map(|_| runs.by_ref().take(seeds).collect()).collect()
    });
    Ok(nested.collect())
}

/// Carries out some of a plan's runs on one engine, given by [index](RunIndex::run). `keep` gets
/// each result with its place in `runs`. Otherwise as [`run_each`].
///
/// # Errors
/// As [`run_each`].
///
/// # Panics
/// Panics if the plan has no such run.
pub fn run_some(
    engine: &dyn Engine,
    plan: &dyn Plan,
    runs: impl IntoIterator<Item = usize>,
    options: Options<'_>,
    keep: &(dyn Fn(usize, RunResult) -> io::Result<()> + Sync),
) -> Result<(), RunnerError> {
    let runs: Vec<usize> = runs.into_iter().collect();
    let job = |index: usize| Job::of(plan, runs[index], RunIndex { scenario: 0, run: index });
    let keep = |at: RunIndex, result| keep(at.run, result);
    Pool::new(engine, runs.len(), &job, options, &keep).run()
}
