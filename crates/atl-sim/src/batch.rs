//! Many runs, over the processor's cores: results in the runs' order, whatever the number of threads.

use atl_scenario::result::RunResult;
use atl_scenario::scenario::Scenario;
use rayon::prelude::*;

use crate::simulation::Simulation;

/// The thread pool could not be made.
#[derive(Debug)]
pub struct NoThreads(rayon::ThreadPoolBuildError);

impl std::fmt::Display for NoThreads {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "could not start the threads for the runs: {}", self.0)
    }
}

impl std::error::Error for NoThreads {}

/// Runs every point of a scenario with every seed, on `jobs` threads (0: one for each core), and calls
/// `done` with the simulated seconds of each run that ends. Results are by point, then by seed.
///
/// # Errors
/// If the threads cannot be started.
pub fn run_scenario(
    scenario: &Scenario,
    jobs: usize,
    done: &(dyn Fn(f64) + Sync),
) -> Result<Vec<Vec<RunResult>>, NoThreads> {
    let results = run_scenarios(&[scenario], jobs, done)?;
    Ok(results.into_iter().flatten().collect())
}

/// Runs several scenarios as [`run_scenario`] does one, all in one pool of threads, so that no thread waits
/// for the last run of each. Results are by scenario, then by point, then by seed.
///
/// # Errors
/// If the threads cannot be started.
pub fn run_scenarios(
    scenarios: &[&Scenario],
    jobs: usize,
    done: &(dyn Fn(f64) + Sync),
) -> Result<Vec<Vec<Vec<RunResult>>>, NoThreads> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build().map_err(NoThreads)?;
    let mut runs = Vec::new();
    for scenario in scenarios {
        for point in &scenario.points {
            runs.extend(scenario.seeds.iter().map(|&seed| (point, seed)));
        }
    }
    let flat: Vec<RunResult> = pool.install(|| {
        runs.par_iter()
            .with_max_len(1)
            .map(|&(point, seed)| {
                let result = Simulation::new(&point.setup, seed).run();
                done(point.setup.duration.secs());
                result
            })
            .collect()
    });
    let mut flat = flat.into_iter();
    let mut take = |n: usize| -> Vec<RunResult> { flat.by_ref().take(n).collect() };
    let results = scenarios.iter().map(|scenario| {
        let points = scenario.points.iter();
        points.map(|_| take(scenario.seeds.len())).collect()
    });
    Ok(results.collect())
}
