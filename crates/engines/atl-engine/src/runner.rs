//! Every point of scenarios with every seed, in parallel.

use std::io;
use std::sync::{Mutex, PoisonError};

use atl_scenario::result::RunResult;
use atl_scenario::scenario::Scenario;

use crate::failure::RunnerError;
use crate::host::Host;
use crate::options::{Keep, Options, RunIndex};
use crate::pool::{Job, Pool};

/// Carries out every point of every scenario with every seed on one host, and hands each result to `keep`. All scenarios
/// share the threads, so that none waits for the last run of another. Each run has one result, the same whatever the
/// number of threads.
///
/// The first failure, in order of the runs, ends everything: runs before it are finished, later ones are cancelled. So a
/// deterministic host gives the same error every time.
///
/// The host is not asked for [gaps](Host::gaps): [`check`](crate::check) does that before.
///
/// # Errors
/// If a run fails, if the runs are cancelled before the last one ends, if no thread can be started, or if `keep` fails.
pub fn run_each(
    host: &dyn Host,
    scenarios: &[&Scenario],
    options: Options<'_>,
    keep: &Keep<'_>,
) -> Result<(), RunnerError> {
    let mut ends = Vec::with_capacity(scenarios.len());
    let mut jobs = 0;
    for scenario in scenarios {
        jobs += scenario.runs();
        ends.push(jobs);
    }
    let job = |index: usize| {
        // The first scenario that ends after it.
        let scenario = ends.partition_point(|end| *end <= index);
        let run = index - scenario.checked_sub(1).map_or(0, |before| ends[before]);
        Job::of(scenarios[scenario], run, RunIndex { scenario, run })
    };
    Pool::new(host, jobs, &job, options, keep).run()
}

/// As [`run_each`], but gives the results: by scenario, then by point, then by seed. It holds all of them in memory.
///
/// # Errors
/// As [`run_each`].
pub fn run_scenarios(
    host: &dyn Host,
    scenarios: &[&Scenario],
    options: Options<'_>,
) -> Result<Vec<Vec<Vec<RunResult>>>, RunnerError> {
    let empty = |scenario: &&Scenario| {
        let mut runs = Vec::new();
        runs.resize_with(scenario.runs(), RunResult::default);
        Mutex::new(runs)
    };
    let results: Vec<Mutex<Vec<RunResult>>> = scenarios.iter().map(empty).collect();
    run_each(host, scenarios, options, &|at: RunIndex, result| {
        let mut runs = results[at.scenario].lock().unwrap_or_else(PoisonError::into_inner);
        runs[at.run] = result;
        Ok(())
    })?;
    let nested = results.into_iter().zip(scenarios).map(|(runs, scenario)| {
        let mut runs = runs.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter();
        let seeds = scenario.seeds.len();
        scenario.points.iter().map(|_| runs.by_ref().take(seeds).collect()).collect()
    });
    Ok(nested.collect())
}

/// Carries out some of a scenario's runs on one host, by their [indices](RunIndex::run). `keep` gets each result with its
/// place in `runs`. Otherwise as [`run_each`].
///
/// # Errors
/// As [`run_each`].
///
/// # Panics
/// Panics if the scenario has no such run.
pub fn run_some(
    host: &dyn Host,
    scenario: &Scenario,
    runs: impl IntoIterator<Item = usize>,
    options: Options<'_>,
    keep: &(dyn Fn(usize, RunResult) -> io::Result<()> + Sync),
) -> Result<(), RunnerError> {
    let runs: Vec<usize> = runs.into_iter().collect();
    let job = |index: usize| Job::of(scenario, runs[index], RunIndex { scenario: 0, run: index });
    let keep = |at: RunIndex, result| keep(at.run, result);
    Pool::new(host, runs.len(), &job, options, &keep).run()
}
