//! What `run` and `reproduce` share: from scenarios to outcomes, and from outcomes to files.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use atl_host::{Cancel, Host as _, Options, run_scenarios};
use atl_report::data::{self, Format};
use atl_report::{Judged, Outcome, html, judge, store};
use atl_scenario::scenario::Scenario;
use atl_scenario::{Errors, Overrides};
use atl_sim::Sim;

use crate::args::{Changes, Running};
use crate::duration::duration;
use crate::failure::Failure;
use crate::folder::REPORT;
use crate::progress::Progress;

/// Version of the program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

impl Changes {
    /// The same for the reader of scenarios.
    pub fn overrides(&self) -> Overrides {
        Overrides {
            set: self.set.clone(),
            seeds: self.seeds.clone(),
            duration: self.duration.clone(),
            quick: self.quick,
        }
    }
}

/// Reads every scenario.
///
/// # Errors
/// All that is wrong with any of them.
pub fn open<'a>(
    specs: impl IntoIterator<Item = &'a str>,
    changes: &Changes,
    json: bool,
) -> Result<Vec<Scenario>, Failure> {
    let overrides = changes.overrides();
    let mut scenarios = Vec::new();
    let mut errors: Vec<Errors> = Vec::new();
    for spec in specs {
        match atl_scenario::open(spec, &overrides) {
            Ok(scenario) => scenarios.push(scenario),
            Err(e) => errors.push(e),
        }
    }
    if errors.is_empty() { Ok(scenarios) } else { Err(Failure::Scenarios { errors, json }) }
}

/// Scenarios that were run.
#[derive(Debug)]
pub struct Experiment {
    /// What they gave.
    pub outcomes: Vec<Outcome>,
    /// The verdicts on each one's quotes.
    pub judged: Vec<Vec<Judged>>,
    /// Seconds that it took.
    pub took: f64,
}

/// Runs scenarios, each with the command that repeats it, in one pool of threads.
///
/// # Errors
/// If the threads cannot be started.
pub fn run(scenarios: Vec<(Scenario, String)>, running: &Running) -> Result<Experiment, Failure> {
    let all: Vec<&Scenario> = scenarios.iter().map(|(s, _)| s).collect();
    let seconds = all.iter().map(|s| s.simulated().secs()).sum();
    let runs = all.iter().map(|s| s.runs()).sum();
    let progress = Progress::new(running.json, seconds, runs);
    let options = Options {
        jobs: running.jobs.and_then(|jobs| NonZeroUsize::new(jobs.into())),
        cancel: &Cancel::default(),
        progress: &|all| progress.reach(all.done.secs()),
    };
    let results =
        run_scenarios(&Sim, &all, options).map_err(|e| Failure::Runtime(e.to_string()))?;
    let took = progress.finish();
    // The time that all took together says nothing about one of several.
    let wall = (scenarios.len() == 1).then_some(took);
    let outcomes: Vec<Outcome> = scenarios
        .into_iter()
        .zip(results)
        .map(|((scenario, command), results)| Outcome {
            scenario: Arc::new(scenario),
            results,
            host: Sim.id(),
            version: VERSION.to_owned(),
            command,
            wall,
        })
        .collect();
    let judged = outcomes.iter().map(judge).collect();
    Ok(Experiment { outcomes, judged, took })
}

impl Experiment {
    /// Writes the page of all outcomes.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_page(&self, dir: &Path) -> Result<(), Failure> {
        let path = dir.join(REPORT);
        store::write_text(&path, &html::page(&self.outcomes, &self.judged))
            .map_err(|e| Failure::file("write", &path, &e))
    }
}

/// Writes the data of one outcome.
///
/// # Errors
/// If it cannot be written.
pub fn write_data(dir: &Path, outcome: &Outcome, running: &Running) -> Result<(), Failure> {
    let mut formats = vec![Format::Parquet];
    if running.csv {
        formats.push(Format::Csv);
    }
    for format in formats {
        data::write(dir, outcome, format).map_err(|e| Failure::file("write data into", dir, &e))?;
    }
    Ok(())
}

/// `280 runs, 46 h 40 min of simulated time, in 12.3 s`.
pub fn effort(scenarios: &[&Scenario], took: f64) -> String {
    let runs: usize = scenarios.iter().map(|s| s.runs()).sum();
    let seconds: f64 = scenarios.iter().map(|s| s.simulated().secs()).sum();
    let runs = counted(runs, "run");
    format!("{runs}, {} of simulated time, in {}", duration(seconds), duration(took))
}

/// `1 run`, `2 runs`.
pub fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}
