//! An open scenario, the results of its runs, and their report.

use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use atl_engine::Engine as _;
use atl_engine::result::RunResult;
use atl_report::data::{self, Format};
use atl_report::summary::Summary;
use atl_report::{Outcome, html, judge};
use atl_scenario::scenario::Scenario;
use atl_sim::{Sim, Simulation};

use crate::opened::{self, Opened, Read, Refused, Request};
use crate::watcher::Watcher;

/// An open scenario with the results so far.
#[derive(Debug)]
pub struct Session {
    request: Request,
    scenario: Arc<Scenario>,
    command: String,
    /// Results by point and seed.
    results: BTreeMap<(usize, u64), RunResult>,
}

/// The error of a request for a point, seed, flow or link that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown(String);

impl Unknown {
    pub(crate) fn new(what: &str) -> Unknown {
        Unknown(what.to_owned())
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unknown {}

impl Session {
    /// Opens a scenario.
    ///
    /// # Errors
    /// All mistakes with their places; or features that the simulator lacks.
    pub fn open(request: Request) -> Result<(Session, Opened), Refused> {
        let read = opened::read(&request)?;
        let opened = Opened::new(&read, &request);
        let Read { scenario, command } = read;
        let scenario = Arc::new(scenario);
        Ok((Session { request, scenario, command, results: BTreeMap::new() }, opened))
    }

    /// Carries out the run of a point, by index, with a seed. Gives the result as bytes for
    /// [`put`](Self::put) in another session with the same scenario.
    ///
    /// # Errors
    /// If there is no such point.
    pub fn run(&self, point: usize, seed: u64) -> Result<Vec<u8>, Unknown> {
        let point = self.point(point)?;
        let result = Simulation::new(&point.setup, seed).run();
        postcard::to_stdvec(&result).map_err(|e| Unknown(format!("cannot write a result: {e}")))
    }

    /// Stores a result of [`run`](Self::run).
    ///
    /// # Errors
    /// If there is no such point, or the bytes are not a result.
    pub fn put(&mut self, point: usize, seed: u64, bytes: &[u8]) -> Result<(), Unknown> {
        let flows = self.point(point)?.setup.flows.len();
        let result: RunResult = postcard::from_bytes(bytes)
            .map_err(|e| Unknown(format!("cannot read a result: {e}")))?;
        if result.flows.len() != flows {
            return Err(Unknown(format!(
                "a result has {} flows instead of {flows}",
                result.flows.len()
            )));
        }
        self.results.insert((point, seed), result);
        Ok(())
    }

    /// The report over the first `seeds` seeds.
    ///
    /// # Errors
    /// If there are fewer seeds, or a run with one of them has not been stored.
    pub fn page(&self, seeds: usize) -> Result<String, Unknown> {
        let outcome = self.outcome(seeds)?;
        let judged = judge(&outcome);
        Ok(html::page(&[outcome], &[judged]))
    }

    /// Results as JSON, as printed by `atl run --json` except for the list of files.
    ///
    /// # Errors
    /// As [`page`](Self::page).
    pub fn summary(&self, seeds: usize) -> Result<String, Unknown> {
        let outcome = self.outcome(seeds)?;
        let summary = Summary::new(&outcome, &judge(&outcome));
        summary.json().map_err(|e| Unknown(format!("cannot write JSON: {e}")))
    }

    /// The data files by name.
    ///
    /// # Errors
    /// As [`page`](Self::page).
    pub fn data(&self, seeds: usize, format: Format) -> Result<Vec<(String, Vec<u8>)>, Unknown> {
        let outcome = self.outcome(seeds)?;
        data::bytes(&[outcome], format).map_err(|e| Unknown(format!("cannot write data: {e}")))
    }

    /// Starts a run of a point, by index, with a seed, to be watched packet by packet on one flow
    /// and one link, by index.
    ///
    /// # Errors
    /// If there is no such point, flow or link.
    pub fn watch(
        &self,
        point: usize,
        seed: u64,
        flow: usize,
        link: usize,
    ) -> Result<Watcher, Unknown> {
        let setup = &self.point(point)?.setup;
        if flow >= setup.flows.len() {
            return Err(Unknown(format!("there is no flow {flow}")));
        }
        if link >= setup.links.len() {
            return Err(Unknown(format!("there is no link {link}")));
        }
        Ok(Watcher::new(Rc::new(setup.clone()), seed, flow, link))
    }

    fn point(&self, point: usize) -> Result<&atl_scenario::scenario::Point, Unknown> {
        let found = self.scenario.points.get(point);
        found.ok_or_else(|| Unknown(format!("there is no point {point}")))
    }

    /// The scenario restricted to its first seeds, with their results.
    fn outcome(&self, seeds: usize) -> Result<Outcome, Unknown> {
        let all = &self.scenario.seeds;
        let wanted = all.get(..seeds).filter(|wanted| !wanted.is_empty());
        let wanted = wanted.ok_or_else(|| Unknown(format!("there are no {seeds} seeds")))?;
        let result = |point: usize, seed: u64| {
            let found = self.results.get(&(point, seed)).cloned();
            found.ok_or_else(|| Unknown(format!("point {point} was not run with seed {seed}")))
        };
        let of_point = |point: usize| wanted.iter().map(|seed| result(point, *seed)).collect();
        let results = (0..self.scenario.points.len())
            .map(of_point)
            .collect::<Result<Vec<Vec<RunResult>>, Unknown>>()?
            .into();
        let (scenario, command) = if wanted.len() == all.len() {
            (Arc::clone(&self.scenario), self.command.clone())
        } else {
            self.with_seeds(wanted)?
        };
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Ok(Outcome { scenario, results, engine: Sim.id(), version, command })
    }

    /// The scenario restricted to these seeds, as by `--seeds`, so that hash and command match what
    /// was run.
    fn with_seeds(&self, seeds: &[u64]) -> Result<(Arc<Scenario>, String), Unknown> {
        let first = seeds.iter().zip(1..).all(|(seed, nth)| *seed == nth);
        let list = match seeds {
            _ if first => seeds.len().to_string(),
            // A single number would be taken as the number of seeds.
            [one] => format!("[{one}]"),
            _ => seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(","),
        };
        let request = Request { seeds: list, ..self.request.clone() };
        let read = opened::read(&request);
        let Read { scenario, command } =
            read.map_err(|_| Unknown("the scenario does not take fewer seeds".to_owned()))?;
        Ok((Arc::new(scenario), command))
    }
}
