//! A scenario with the results of its runs.

use std::sync::Arc;

use atl_engine::result::{EngineId, LinkResult, RunResult};
use atl_engine::setup::Setup;
use atl_engine::store::Results;
use atl_scenario::quote::Selection;
use atl_scenario::scenario::{Point, Scenario, Value};

use crate::describe;

/// A scenario that was run, with its results.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Scenario with all its points.
    pub scenario: Arc<Scenario>,
    /// Results in the scenario's order of points and seeds.
    pub results: Results,
    /// Engine that ran it.
    pub engine: EngineId,
    /// Version of the program, as `1.2.3`.
    pub version: String,
    /// Command that repeats the runs.
    pub command: String,
}

/// Handle to the runs of a point, which are read on demand.
#[derive(Clone, Copy, Debug)]
pub struct Runs<'a> {
    results: &'a Results,
    point: usize,
}

impl Runs<'_> {
    /// The runs, by seed.
    pub fn get(self) -> Arc<[RunResult]> {
        self.results.point(self.point)
    }
}

/// Flows of one setup that are evaluated together: those that a scenario declares with `count`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Name in the scenario.
    pub name: String,
    /// Label of its protocol; several labels if its flows differ.
    pub protocol: String,
    /// Indices of its flows in the setup.
    pub flows: Vec<usize>,
}

impl Group {
    /// Groups of a setup, in the order of their first flows.
    pub fn all(setup: &Setup) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for (i, flow) in setup.flows.iter().enumerate() {
            let label = &flow.protocol.label;
            match groups.iter_mut().find(|g| g.name == flow.group) {
                Some(group) => {
                    group.flows.push(i);
                    if !group.protocol.split(", ").any(|l| l == label) {
                        group.protocol = format!("{}, {label}", group.protocol);
                    }
                }
                None => groups.push(Group {
                    name: flow.group.clone(),
                    protocol: label.clone(),
                    flows: vec![i],
                }),
            }
        }
        groups
    }
}

impl Outcome {
    /// Points with their runs, which are read only when asked for.
    pub fn points(&self) -> impl Iterator<Item = (&Point, Runs<'_>)> {
        let runs = (0..self.results.points()).map(|point| Runs { results: &self.results, point });
        self.scenario.points.iter().zip(runs)
    }

    /// Indices of the points at which every seed gave the same run, so that the seeds say nothing
    /// about chance. The offset at which a recorded trace began is ignored: it changes nothing
    /// where the trace is constant.
    pub fn unvaried(&self) -> impl Iterator<Item = usize> + '_ {
        let counts = |link: &LinkResult| LinkResult { trace_offset: None, ..link.clone() };
        let links = move |run: &RunResult| run.links.iter().map(counts).collect::<Vec<_>>();
        let same = move |runs: &[RunResult]| match runs {
            [first, rest @ ..] if !rest.is_empty() => {
                rest.iter().all(|run| run.flows == first.flows && links(run) == links(first))
            }
            _ => false,
        };
        // One seed shows nothing of chance, and its runs need not be read.
        let points = if self.results.seeds() > 1 { self.results.points() } else { 0 };
        let all = (0..points).map(|point| (point, self.results.point(point)));
        all.filter(move |(_, runs)| same(runs)).map(|(point, _)| point)
    }

    /// Distinct values of a variable, in the order of the points.
    pub fn values_of(&self, variable: &str) -> Vec<Value> {
        describe::values_of(&self.scenario, variable)
    }

    /// Label of the protocol that a value names, otherwise the value's text.
    pub fn label_of(&self, value: &Value) -> String {
        describe::label_of(&self.scenario, value)
    }

    /// Display name of a variable.
    pub(crate) fn variable(&self, variable: &str) -> describe::Name {
        describe::variable(&self.scenario, variable)
    }

    /// A selection in words: `TCP-ATL, p_w = 5e-2`.
    pub fn describe(&self, selection: &Selection) -> String {
        describe::describe(&self.scenario, selection)
    }
}
