//! Carrying out runs for Python.

use std::env::temp_dir;
use std::num::NonZeroUsize;
use std::sync::Arc;

use atl_engine::store::Room;
use atl_engine::{Cancel, Engine, Options, RunnerError};
use atl_experiment::{VERSION, default_for, running as runs};
use atl_report::Outcome;
use atl_scenario::repeat;
use atl_scenario::scenario::Scenario;
use pyo3::prelude::*;

use crate::controller::{self, Factory};
use crate::opening::Request;
use crate::results::Result;
use crate::{engines, errors, waiting};

/// Options for carrying out runs.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Running {
    /// Names of the engines.
    pub on: Vec<String>,
    /// Number of parallel runs; `None` for the number of processors.
    pub jobs: Option<NonZeroUsize>,
    /// Progress callback: simulated seconds done and in total, runs done and in total.
    pub report: Option<Py<PyAny>>,
}

/// Checks that each engine can run the scenario.
///
/// # Errors
/// `EngineError`.
pub(crate) fn check(
    py: Python<'_>,
    engines: &[&'static dyn Engine],
    scenario: &Scenario,
) -> PyResult<()> {
    atl_engine::check(engines, &[scenario]).map_err(|gaps| errors::gaps(py, &gaps))
}

/// Converts an error into its exception.
pub(crate) fn told<T>(py: Python<'_>, ended: std::result::Result<T, RunnerError>) -> PyResult<T> {
    ended.map_err(|error| errors::failed(py, error))
}

/// Runs a scenario with every seed at every point, on each engine.
#[pyfunction]
pub(crate) fn run(
    py: Python<'_>,
    request: Request,
    running: Running,
    controllers: Vec<(String, Py<PyAny>)>,
) -> PyResult<Result> {
    let engines = engines::choose(py, &running.on)?;
    let mut scenario = request.open(py)?;
    let mut changes = request.overrides();
    let mut command = repeat::command("run", &request.spec, &changes, &running.on, &[]);
    let cancel = Cancel::default();
    let factories = Factory::all(py, controllers, &cancel)?;
    if let Some(names) = controller::install(py, &mut scenario, &factories)? {
        command = format!("{command}  # with controllers in Python: {names}");
        changes.set.push(("controllers".to_owned(), names));
    }
    let folder = default_for(&scenario.name, &changes, &running.on, &[]);
    let outcomes = of_scenario(py, scenario, &command, &engines, &running, &cancel);
    // The runs were cancelled because of this exception.
    if let Some(raised) = factories.iter().find_map(Factory::raised) {
        return Err(raised);
    }
    Ok(Result::of(py, outcomes?, folder))
}

/// Runs a scenario on engines, one after the other.
pub(crate) fn of_scenario(
    py: Python<'_>,
    scenario: Scenario,
    command: &str,
    engines: &[&'static dyn Engine],
    running: &Running,
    cancel: &Cancel,
) -> PyResult<Vec<Outcome>> {
    check(py, engines, &scenario)?;
    let scenario = Arc::new(scenario);
    let scenarios = [Arc::clone(&scenario)];
    let room = Arc::new(Room::default());
    let mut outcomes = Vec::new();
    for &engine in engines {
        let ended = waiting::wait(py, running.report.as_ref(), cancel, |progress| {
            let options = Options { jobs: running.jobs, cancel, progress };
            runs::whole(engine, &scenarios, &room, &temp_dir(), options)
        })?;
        let results = told(py, ended)?.into_iter().map(|results| Outcome {
            scenario: Arc::clone(&scenario),
            results,
            engine: engine.id(),
            version: VERSION.to_owned(),
            command: command.to_owned(),
            // Left out, so that the same results give the same page.
        });
        outcomes.extend(results);
    }
    Ok(outcomes)
}
