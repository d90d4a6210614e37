//! Runner, gaps and choice of engines, tested with engines made for that.

mod access;
mod cancel;
mod choice;
mod failure;
mod gaps;
mod order;
mod progress;
mod scripted;
mod store;

use std::num::NonZeroUsize;
use std::path::Path;

use atl_engine::result::RunResult;
use atl_engine::{Cancel, Engine, Options, RunnerError, run_plans};
use atl_scenario::scenario::Scenario;

/// Three points of three seeds: nine runs of ten seconds.
const TEXT: &str = r#"title = "Nine runs"
duration = "10s"
seeds = [3, 5, 7]
[sweep]
p_w = [1e-3, 1e-2, 1e-1]
[[link]]
name = "air"
from = "phone"
to = "server"
wireless = true
rate = "2Mb/s"
delay = "10ms"
loss = "$p_w"
[[flow]]
name = "up"
count = 5
from = "phone"
to = "server"
protocol = "tcp-atl"
"#;

/// The scenario with this name.
fn scenario(name: &str) -> Scenario {
    scenario_of(name, TEXT)
}

/// The scenario with this name and text.
fn scenario_of(name: &str, text: &str) -> Scenario {
    let read = atl_scenario::parse(
        name,
        text,
        Path::new("test.toml"),
        &atl_scenario::no_files,
        &Default::default(),
    );
    read.unwrap_or_else(|errors| panic!("{}", errors.render(false)))
}

/// Runs scenarios without an observer.
fn run(
    engine: &dyn Engine,
    scenarios: &[&Scenario],
    jobs: usize,
) -> Result<Vec<Vec<Vec<RunResult>>>, RunnerError> {
    let cancel = Cancel::default();
    run_plans(
        engine,
        scenarios,
        Options { jobs: NonZeroUsize::new(jobs), cancel: &cancel, progress: &|_| {} },
    )
}
