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
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .build()
        .map_err(NoThreads)?;
    let seeds = &scenario.seeds;
    let mut flat: Vec<RunResult> = pool.install(|| {
        (0..scenario.points.len() * seeds.len())
            .into_par_iter()
            .with_max_len(1)
            .map(|run| {
                let point = &scenario.points[run / seeds.len()];
                let result = Simulation::new(&point.setup, seeds[run % seeds.len()]).run();
                done(point.setup.duration.secs());
                result
            })
            .collect()
    });
    let mut results = Vec::with_capacity(scenario.points.len());
    for _ in &scenario.points {
        let rest = flat.split_off(seeds.len());
        results.push(std::mem::replace(&mut flat, rest));
    }
    Ok(results)
}
