//! Runs.

use std::env::temp_dir;
use std::num::NonZeroUsize;
use std::sync::Arc;

use atl_host::{Cancel, Host, Options, RunIndex, RunnerError, run_each};
use atl_report::Outcome;
use atl_results::{Collector, Results, Room};
use atl_scenario::repeat;
use atl_scenario::scenario::Scenario;
use pyo3::prelude::*;

use crate::controller::{self, Factory};
use crate::opening::Request;
use crate::results::Result;
use crate::{errors, hosts, waiting};

/// Version of the program.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// How runs are carried out.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Running {
    /// Names of hosts.
    pub on: Vec<String>,
    /// Runs at a time.
    pub jobs: Option<NonZeroUsize>,
    /// Called with simulated seconds done, of how many, runs done, of how many.
    pub report: Option<Py<PyAny>>,
}

/// Makes sure that each host can run the scenario.
///
/// # Errors
/// `HostError`.
pub(crate) fn check(
    py: Python<'_>,
    hosts: &[&'static dyn Host],
    scenario: &Scenario,
) -> PyResult<()> {
    atl_host::check(hosts, &[scenario]).map_err(|gaps| errors::gaps(py, &gaps))
}

/// What a run ended with, as its caller is told.
pub(crate) fn told<T>(py: Python<'_>, ended: std::result::Result<T, RunnerError>) -> PyResult<T> {
    ended.map_err(|error| errors::failed(py, error))
}

/// What was collected. What does not fit in memory is in a file without a name.
pub(crate) fn kept(py: Python<'_>, collector: Collector) -> PyResult<Results> {
    let results = py.detach(|| collector.finish());
    results.map_err(|error| errors::failed(py, RunnerError::Keeping(error)))
}

/// Runs a scenario with every seed at every point, on each host.
#[pyfunction]
pub(crate) fn run(
    py: Python<'_>,
    request: Request,
    running: Running,
    controllers: Vec<(String, Py<PyAny>)>,
) -> PyResult<Result> {
    let hosts = hosts::choose(py, &running.on)?;
    let mut scenario = request.open(py)?;
    let mut command = repeat::command("run", &request.spec, &request.overrides(), &running.on, &[]);
    let cancel = Cancel::default();
    let factories = Factory::all(py, controllers, &cancel)?;
    if let Some(names) = controller::install(py, &mut scenario, &factories)? {
        command = format!("{command}  # with controllers in Python: {names}");
    }
    let outcomes = of_scenario(py, scenario, &command, &hosts, &running, &cancel);
    // What a controller raised is why the runs were cancelled.
    if let Some(raised) = factories.iter().find_map(Factory::raised) {
        return Err(raised);
    }
    Ok(Result::of(py, outcomes?))
}

/// Runs a scenario on hosts, one after the other.
pub(crate) fn of_scenario(
    py: Python<'_>,
    scenario: Scenario,
    command: &str,
    hosts: &[&'static dyn Host],
    running: &Running,
    cancel: &Cancel,
) -> PyResult<Vec<Outcome>> {
    check(py, hosts, &scenario)?;
    let scenario = Arc::new(scenario);
    let room = Arc::new(Room::default());
    let mut outcomes = Vec::new();
    for &host in hosts {
        let (points, seeds) = (scenario.points.len(), scenario.seeds.len());
        let collector = Collector::new(points, seeds, Arc::clone(&room), temp_dir());
        let ended = waiting::wait(py, running.report.as_ref(), cancel, |progress| {
            let keep = |at: RunIndex, result| collector.put(at.run, result);
            run_each(host, &[&scenario], Options { jobs: running.jobs, cancel, progress }, &keep)
        })?;
        told(py, ended)?;
        outcomes.push(Outcome {
            scenario: Arc::clone(&scenario),
            results: kept(py, collector)?,
            host: host.id(),
            version: VERSION.to_owned(),
            command: command.to_owned(),
            // The same results give the same page.
            wall: None,
        });
    }
    Ok(outcomes)
}
