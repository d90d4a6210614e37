//! What `run` and `reproduce` share: from scenarios to outcomes, and from outcomes to files.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use atl_host::{Host, Options, RunnerError, run_scenarios};
use atl_report::data::{self, Format};
use atl_report::{Judged, Outcome, html, judge, results_page, store};
use atl_scenario::scenario::Scenario;
use atl_scenario::{Errors, Overrides};

use crate::args::{Changes, Running};
use crate::failure::Failure;
use crate::folder::REPORT;
use crate::format::{counted, duration};
use crate::progress::Bar;
use crate::{hosts, interrupt};

/// Version of the program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

impl Changes {
    /// The changes as the reader of scenarios takes them.
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
/// All errors in any of them.
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

/// Scenarios, and hosts that can run all of them.
#[derive(Debug)]
pub struct Plan {
    hosts: Vec<&'static dyn Host>,
    scenarios: Vec<Scenario>,
}

impl Plan {
    /// Chooses the hosts, reads the scenarios, and makes sure that each host can run each scenario.
    ///
    /// # Errors
    /// If a host is unknown, a scenario is wrong, or a host has gaps.
    pub fn new<'a>(
        specs: impl IntoIterator<Item = &'a str>,
        changes: &Changes,
        running: &Running,
    ) -> Result<Plan, Failure> {
        let hosts = hosts::choose(&running.on)?;
        let scenarios = open(specs, changes, running.json)?;
        let all: Vec<&Scenario> = scenarios.iter().collect();
        match atl_host::check(&hosts, &all) {
            Ok(()) => Ok(Plan { hosts, scenarios }),
            Err(gaps) => Err(Failure::Gaps { gaps, json: running.json }),
        }
    }

    /// The scenarios.
    pub fn scenarios(&self) -> &[Scenario] {
        &self.scenarios
    }

    /// Runs everything, one host after the other, so that none takes processors from another. `commands` holds the
    /// command that repeats each scenario.
    ///
    /// # Errors
    /// If a run fails or the threads cannot be started.
    pub fn run(self, commands: &[String], running: &Running) -> Result<Experiment, Failure> {
        let Plan { hosts, scenarios } = self;
        let scenarios: Vec<Arc<Scenario>> = scenarios.into_iter().map(Arc::new).collect();
        let mut outcomes: Vec<Vec<Outcome>> = scenarios.iter().map(|_| Vec::new()).collect();
        let mut took = 0.0;
        for &host in &hosts {
            let label = if hosts.len() > 1 { format!("{}  ", host.name()) } else { String::new() };
            let (results, seconds) = run_on(host, &scenarios, &label, running)?;
            took += seconds;
            let each = outcomes.iter_mut().zip(&scenarios).zip(commands).zip(results);
            for (((outcomes, scenario), command), results) in each {
                outcomes.push(Outcome {
                    scenario: Arc::clone(scenario),
                    results,
                    host: host.id(),
                    version: VERSION.to_owned(),
                    command: command.clone(),
                    // The time that all took together says nothing about one of several.
                    wall: (scenarios.len() == 1).then_some(seconds),
                });
            }
        }
        let outcomes: Vec<Outcome> = outcomes.into_iter().flatten().collect();
        let judged = outcomes.iter().map(judge).collect();
        Ok(Experiment { outcomes, judged, hosts: hosts.len(), took })
    }
}

/// Results by scenario, point and seed.
type Results = Vec<Vec<Vec<atl_scenario::result::RunResult>>>;

/// Runs all scenarios on one host, in one pool of threads; also gives the seconds that it took.
fn run_on(
    host: &dyn Host,
    scenarios: &[Arc<Scenario>],
    label: &str,
    running: &Running,
) -> Result<(Results, f64), Failure> {
    let all: Vec<&Scenario> = scenarios.iter().map(|scenario| &**scenario).collect();
    let bar = Bar::new(label, running.json);
    let results = interrupt::cancellable(|cancel| {
        let jobs = running.jobs.and_then(|jobs| NonZeroUsize::new(jobs.into()));
        run_scenarios(host, &all, Options { jobs, cancel, progress: &|all| bar.show(all) })
    });
    let took = bar.finish();
    match results {
        Ok(results) => Ok((results, took)),
        Err(RunnerError::Cancelled) => interrupt::wait_for_exit(),
        Err(error) => Err(Failure::Runtime(error.to_string())),
    }
}

/// Scenarios that were run.
#[derive(Debug)]
pub struct Experiment {
    /// Their outcomes: by scenario, and for each of them by host.
    pub outcomes: Vec<Outcome>,
    /// The verdicts on each outcome's quotes.
    pub judged: Vec<Vec<Judged>>,
    /// Hosts on which each scenario was run.
    pub hosts: usize,
    /// Seconds that it took.
    took: f64,
}

impl Experiment {
    /// The outcomes of each scenario, one for each host.
    pub fn by_scenario(&self) -> impl Iterator<Item = &[Outcome]> {
        self.outcomes.chunks(self.hosts)
    }

    /// Each outcome with its verdicts.
    pub fn judged(&self) -> impl Iterator<Item = (&Outcome, &[Judged])> {
        self.outcomes.iter().zip(self.judged.iter().map(Vec::as_slice))
    }

    /// A heading for an outcome: the scenario's name, with the host where there are several.
    pub fn heading(&self, outcome: &Outcome) -> String {
        let name = &outcome.scenario.name;
        if self.hosts > 1 { format!("{name} on {}", outcome.host.name) } else { name.clone() }
    }

    /// `280 runs, 46 h 40 min of simulated time, in 12.3 s`.
    pub fn effort(&self) -> String {
        let all = self.outcomes.iter().map(|outcome| &outcome.scenario);
        let runs = counted(all.clone().map(|s| s.runs()).sum(), "run");
        let seconds: f64 = all.map(|s| s.simulated().secs()).sum();
        format!("{runs}, {} of simulated time, in {}", duration(seconds), duration(self.took))
    }

    /// Writes the page of all outcomes.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_page(&self, dir: &Path) -> Result<(), Failure> {
        let path = dir.join(REPORT);
        store::write_text(&path, &html::page(&self.outcomes, &self.judged))
            .map_err(|e| Failure::file("write", &path, &e))
    }

    /// Writes claims, measurements and verdicts as Markdown.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_results_page(&self, path: &Path) -> Result<(), Failure> {
        store::write_text(path, &results_page::render(&self.outcomes, &self.judged))
            .map_err(|e| Failure::file("write", path, &e))
    }
}

/// Writes the data of one scenario's outcomes.
///
/// # Errors
/// If it cannot be written.
pub fn write_data(dir: &Path, outcomes: &[Outcome], running: &Running) -> Result<(), Failure> {
    let mut formats = vec![Format::Parquet];
    if running.csv {
        formats.push(Format::Csv);
    }
    for format in formats {
        data::write(dir, outcomes, format)
            .map_err(|e| Failure::file("write data into", dir, &e))?;
    }
    Ok(())
}
