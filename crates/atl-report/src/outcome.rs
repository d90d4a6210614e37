//! A scenario with the results of its runs.

use std::sync::Arc;

use atl_scenario::quote::Selection;
use atl_scenario::result::{HostId, RunResult};
use atl_scenario::scenario::{Point, Scenario, Value};
use atl_scenario::setup::Setup;

/// A scenario that was run, and what it gave.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What was run.
    pub scenario: Arc<Scenario>,
    /// What it gave: `results[point][seed]`, in the scenario's order of points and seeds.
    pub results: Vec<Vec<RunResult>>,
    /// The host that ran it.
    pub host: HostId,
    /// Version of the program.
    pub version: String,
    /// The command that repeats it.
    pub command: String,
    /// How long it took, in seconds of real time. Shown, but never stored with the data: the same
    /// results give the same files.
    pub wall: Option<f64>,
}

/// Flows of one setup that are compared as one (a scenario's flow before `count` numbered it).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Name.
    pub name: String,
    /// Label of its protocol; several, if its flows differ.
    pub protocol: String,
    /// Indices of its flows.
    pub flows: Vec<usize>,
}

impl Group {
    /// The groups of a setup, in order of their first flows.
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
    /// Each point with its runs, one a seed.
    pub fn points(&self) -> impl Iterator<Item = (&Point, &[RunResult])> {
        self.scenario.points.iter().zip(self.results.iter().map(Vec::as_slice))
    }

    /// The different values of a variable, in the order of the points.
    pub fn values_of(&self, variable: &str) -> Vec<Value> {
        let mut values: Vec<Value> = Vec::new();
        for value in self.scenario.points.iter().filter_map(|p| p.vars.get(variable)) {
            if !values.iter().any(|v| v.matches(value)) {
                values.push(value.clone());
            }
        }
        values
    }

    /// What people call a value: the protocol's label where the value is a protocol's name, its text otherwise.
    pub fn label_of(&self, value: &Value) -> String {
        let flows = self.scenario.points.iter().flat_map(|p| &p.setup.flows);
        match flows.map(|f| &f.protocol).find(|p| p.name == value.text) {
            Some(protocol) => protocol.label.clone(),
            None => value.text.clone(),
        }
    }

    /// What a selection is, for people: `TCP-ATL, p_w = 5e-2`.
    pub fn describe(&self, selection: &Selection) -> String {
        let mut parts: Vec<String> = Vec::new();
        if !selection.groups.is_empty() {
            parts.push(group_names(&selection.groups));
        }
        // A word says what it is and comes first; a number needs its variable's name.
        let (numbers, words): (Vec<_>, Vec<_>) =
            selection.at.iter().partition(|(_, v)| v.number.is_some());
        parts.extend(words.iter().map(|(_, v)| self.label_of(v)));
        parts.extend(numbers.iter().map(|(name, v)| format!("{name} = {}", v.text)));
        if parts.is_empty() { "all flows".to_owned() } else { parts.join(", ") }
    }
}

/// Several groups in a few words: `atl-1 … atl-5` rather than all five of them.
pub(crate) fn group_names(groups: &[String]) -> String {
    match groups {
        [first, .., last] if groups.len() > 3 => format!("{first} … {last}"),
        groups => groups.join(" + "),
    }
}
