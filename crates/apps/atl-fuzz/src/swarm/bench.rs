//! A case on the bench: its scenario, the engine that carries it out, and what that measured.

use atl_engine::Engine;
use atl_engine::result::RunResult;
use atl_engine::setup::Setup;
use atl_scenario::scenario::Scenario;
use toml::Table;

use super::engines::run;
use super::file::read;

/// A case as its judges get it, with the results of its runs.
#[derive(Debug)]
pub(super) struct Bench<'a> {
    /// The case's file.
    pub(super) tree: &'a Table,
    /// The same, read.
    pub(super) scenario: Scenario,
    /// The engine in question.
    pub(super) engine: &'static dyn Engine,
    /// Its results, by seed.
    pub(super) results: Vec<RunResult>,
}

impl<'a> Bench<'a> {
    /// Runs a case.
    ///
    /// # Errors
    /// The reader's message, or the engine's.
    pub(super) fn new(tree: &'a Table, engine: &'static dyn Engine) -> Result<Bench<'a>, String> {
        let scenario = read(tree)?;
        let results = run(engine, &scenario, 1)?;
        Ok(Bench { tree, scenario, engine, results })
    }

    /// The only point's setup.
    pub(super) fn setup(&self) -> &Setup {
        &self.scenario.points[0].setup
    }
}
