//! The engines in virtual time, and runs on them.

use std::num::NonZeroUsize;

use atl_engine::result::RunResult;
use atl_engine::setup::Setup;
use atl_engine::{Cancel, Engine, Options, run_plans};
use atl_quic::{Crypto, QuicSim};
use atl_scenario::scenario::Scenario;
use atl_sim::Sim;

/// All whose results are the same each time.
pub(super) const ENGINES: [&dyn Engine; 2] = [&Sim, &QuicSim::new(Crypto::Null)];

/// Those that can carry out a setup, with the same result each time.
pub(super) fn able(setup: &Setup) -> Vec<&'static dyn Engine> {
    let again = setup.flows.iter().all(|flow| flow.protocol.is_repeatable());
    ENGINES.into_iter().filter(|engine| again && engine.gaps(setup).is_empty()).collect()
}

/// The results of all runs of a scenario's only point.
///
/// # Errors
/// The engine's message.
pub(super) fn run(
    engine: &dyn Engine,
    scenario: &Scenario,
    jobs: usize,
) -> Result<Vec<RunResult>, String> {
    let cancel = Cancel::default();
    let options = Options { jobs: NonZeroUsize::new(jobs), cancel: &cancel, progress: &|_| {} };
    let mut results = run_plans(engine, &[scenario], options).map_err(|error| error.to_string())?;
    Ok(results.remove(0).into_iter().flatten().collect())
}
