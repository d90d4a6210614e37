//! The gain of a lie.

use std::num::NonZeroUsize;
use std::path::Path;

use atl_engine::result::RunResult;
use atl_engine::{Cancel, Engine, Options, RunnerError, run_plans};
use atl_scenario::Overrides;
use atl_scenario::scenario::Scenario;
use serde::Serialize;

use super::case::Case;
use super::file::{LIAR, NEIGHBOURS};

/// The gain of a lie, from the goodputs of all seeds together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Gain {
    /// Its goodput over the mean of its neighbours'.
    pub over_neighbours: f64,
    /// The same for an honest receiver in its place.
    pub honest_over_neighbours: f64,
    /// Its goodput over that of an honest receiver in its place.
    pub over_honest: f64,
    /// Its goodput over its bound; at most 1 where the bound holds. A receiver that has more than
    /// the bound without a lie, because the law itself takes more, breaks it only by the gain of
    /// its lie.
    pub excess: f64,
}

/// Gain that a lie may have where the law by itself takes more than the bound: a sixth is within
/// the spread of three seeds.
const MARGIN: f64 = 1.2;

/// Least goodput that counts, bits per second: a neighbour that got nothing has a ratio without
/// end.
const LEAST_BPS: f64 = 100.0;

/// Runs a case with these seeds on an engine.
///
/// # Errors
/// The reader's message if the case is no valid scenario, or the engine's.
pub fn judge(
    case: &Case,
    seeds: &[u64],
    engine: &dyn Engine,
    jobs: Option<NonZeroUsize>,
    cancel: &Cancel,
) -> Result<Gain, Failure> {
    let text = case.file(seeds);
    let origin = Path::new("the case's scenario");
    let scenario = atl_scenario::parse(
        "attack",
        &text,
        origin,
        &atl_scenario::no_files,
        &Overrides::default(),
    )
    .map_err(|errors| Failure::File(errors.to_string()))?;
    let options = Options { jobs, cancel, progress: &|_| {} };
    let results = run_plans(engine, &[&scenario], options).map_err(Failure::Run)?;
    let [points] = &results[..] else { unreachable!("one scenario") };
    let [honest, lying] = &points[..] else { unreachable!("two points") };
    let goodput =
        |point: usize, runs: &[RunResult], group: &str| goodput(&scenario, point, runs, group);
    let [honest_liar, honest_others] = [LIAR, NEIGHBOURS].map(|group| goodput(0, honest, group));
    let [liar, others] = [LIAR, NEIGHBOURS].map(|group| goodput(1, lying, group));
    let over_neighbours = liar / others;
    let honest_over_neighbours = honest_liar / honest_others;
    let over_honest = liar / honest_liar;
    let bound = case.bound();
    let excess = if case.is_wired() {
        let own = MARGIN * honest_over_neighbours;
        over_neighbours / bound.max(own)
    } else {
        over_honest / bound
    };
    Ok(Gain { over_neighbours, honest_over_neighbours, over_honest, excess })
}

/// Mean goodput of a group's flows over all runs of a point.
fn goodput(scenario: &Scenario, point: usize, runs: &[RunResult], group: &str) -> f64 {
    let flows = &scenario.points[point].setup.flows;
    let (mut sum, mut n) = (0.0, 0.0f64);
    for run in runs {
        for (_, flow) in flows.iter().zip(&run.flows).filter(|(plan, _)| plan.group == group) {
            sum += flow.goodput_bps;
            n += 1.0;
        }
    }
    (sum / n.max(1.0)).max(LEAST_BPS)
}

/// The reason why a case has no result.
#[derive(Debug)]
pub enum Failure {
    /// The case is no valid scenario.
    File(String),
    /// The engine did not carry it out.
    Run(RunnerError),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::File(text) => f.write_str(text),
            Failure::Run(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Failure {}
