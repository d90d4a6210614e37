//! Carrying out the runs of scenarios on an engine.

use std::path::Path;
use std::sync::Arc;

use crate::shard::Shard;
use atl_engine::store::{Collector, Results, Room};
use atl_engine::{Engine, Options, RunIndex, RunnerError, run_each, run_some};
use atl_scenario::scenario::Scenario;

/// Runs all scenarios on one engine, in one pool of threads, and gives the results of each. They
/// share `room` in memory; the rest goes to files without names on the file system of the directory
/// `spill`.
///
/// # Errors
/// If a run fails or is cancelled, the threads cannot be started, or results cannot be kept.
pub fn whole(
    engine: &dyn Engine,
    scenarios: &[Arc<Scenario>],
    room: &Arc<Room>,
    spill: &Path,
    options: Options<'_>,
) -> Result<Vec<Results>, RunnerError> {
    let all: Vec<&Scenario> = scenarios.iter().map(|scenario| &**scenario).collect();
    let collector =
        |s: &&Scenario| Collector::new(s.points.len(), s.seeds.len(), Arc::clone(room), spill);
    let collectors: Vec<Collector> = all.iter().map(collector).collect();
    let keep = |at: RunIndex, result| collectors[at.scenario].put(at.run, result);
    run_each(engine, &all, options, &keep)?;
    let results = collectors.into_iter().map(Collector::finish).collect::<Result<_, _>>();
    results.map_err(RunnerError::Keeping)
}

/// Runs a part of a scenario on one engine; each point of the results holds a single run. For
/// `room` and `spill` see [`whole`].
///
/// # Errors
/// As [`whole`].
pub fn part(
    engine: &dyn Engine,
    scenario: &Scenario,
    shard: Shard,
    room: &Arc<Room>,
    spill: &Path,
    options: Options<'_>,
) -> Result<Results, RunnerError> {
    let runs = shard.runs(scenario.runs());
    let collector = Collector::new(runs.len(), 1, Arc::clone(room), spill);
    run_some(engine, scenario, runs, options, &|index, result| collector.put(index, result))?;
    collector.finish().map_err(RunnerError::Keeping)
}
