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
    /// The scenario.
    pub scenario: Arc<Scenario>,
    /// The results, in the scenario's order of points and seeds.
    pub results: Results,
    /// The host that ran it.
    pub host: EngineId,
    /// Version of the program.
    pub version: String,
    /// The command that repeats it.
    pub command: String,
    /// How long it took, in seconds of real time. It is shown but never stored with the data, so that the same results
    /// give the same files.
    pub wall: Option<f64>,
}

/// The runs of a point.
#[derive(Clone, Copy, Debug)]
pub struct Runs<'a> {
    results: &'a Results,
    point: usize,
}

impl Runs<'_> {
    /// They, by seed.
    pub fn get(self) -> Arc<[RunResult]> {
        self.results.point(self.point)
    }
}

/// Flows of one setup that are compared as one: those that a scenario declares together with `count`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Name.
    pub name: String,
    /// Label of its protocol; several labels if its flows differ.
    pub protocol: String,
    /// Indices of its flows.
    pub flows: Vec<usize>,
}

impl Group {
    /// The groups of a setup, in the order of their first flows.
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
    /// Each point with its runs, one for each seed. They are read when they are asked for.
    pub fn points(&self) -> impl Iterator<Item = (&Point, Runs<'_>)> {
        let runs = (0..self.results.points()).map(|point| Runs { results: &self.results, point });
        self.scenario.points.iter().zip(runs)
    }

    /// The points, by index, at which every seed gave the same run, so that seeds say nothing about chance there. Where a
    /// recorded trace began does not count: a trace that is the same everywhere changes nothing.
    pub fn unvaried(&self) -> impl Iterator<Item = usize> + '_ {
        let counts = |link: &LinkResult| LinkResult { trace_offset: None, ..link.clone() };
        let links = move |run: &RunResult| run.links.iter().map(counts).collect::<Vec<_>>();
        let same = move |runs: &[RunResult]| match runs {
            [first, rest @ ..] if !rest.is_empty() => {
                rest.iter().all(|run| run.flows == first.flows && links(run) == links(first))
            }
            _ => false,
        };
        let all = self.results.iter().enumerate();
        all.filter(move |(_, runs)| same(runs)).map(|(point, _)| point)
    }

    /// The distinct values of a variable, in the order of the points.
    pub fn values_of(&self, variable: &str) -> Vec<Value> {
        describe::values_of(&self.scenario, variable)
    }

    /// The label of the protocol that a value names, or else the value's own text.
    pub fn label_of(&self, value: &Value) -> String {
        describe::label_of(&self.scenario, value)
    }

    /// What people call a variable.
    pub(crate) fn variable(&self, variable: &str) -> describe::Name {
        describe::variable(&self.scenario, variable)
    }

    /// A selection in words: `TCP-ATL, p_w = 5e-2`.
    pub fn describe(&self, selection: &Selection) -> String {
        describe::describe(&self.scenario, selection)
    }
}
