//! The contenders of a scenario with their goodputs, by condition and seed.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::iter::Sum;
use std::ops::Add;

use atl_engine::result::RunResult;
use atl_engine::setup::Setup;
use atl_scenario::scenario::{Metric, Point, Value};
use serde::Serialize;

use super::design::Designs;
use crate::metric::{flows_of, of_run, total_of, waits_of_run};
use crate::outcome::Outcome;

pub(super) type ByCondition = BTreeMap<Vec<String>, BySeed>;

/// Goodput in bits per second by seed, where it was measured.
///
/// A sweep of a million runs has a million of these numbers, so each takes only eight bytes: NaN is
/// a missing one.
#[derive(Debug)]
pub(super) struct BySeed(Box<[f64]>);

impl BySeed {
    /// Goodput with the seed at this index.
    pub(super) fn get(&self, seed: usize) -> Option<f64> {
        self.0.get(seed).copied().filter(|value| !value.is_nan())
    }

    /// Goodputs of the seeds that have one.
    pub(super) fn known(&self) -> impl Iterator<Item = f64> + '_ {
        self.0.iter().copied().filter(|value| !value.is_nan())
    }
}

impl FromIterator<Option<f64>> for BySeed {
    fn from_iter<I: IntoIterator<Item = Option<f64>>>(values: I) -> BySeed {
        BySeed(values.into_iter().map(|value| value.unwrap_or(f64::NAN)).collect())
    }
}

/// A design with its goodputs.
pub(super) struct Contender {
    pub(super) name: String,
    pub(super) goodput: ByCondition,
    /// Flows that finished, of those that end by themselves, by condition and seed; empty if no
    /// flow of the scenario does.
    pub(super) finished: BTreeMap<Vec<String>, Vec<Finished>>,
}

/// Number of flows that finished, among those that end by themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Finished {
    /// Flows that finished before the end of the run.
    pub ended: usize,
    /// Flows that end by themselves.
    pub of: usize,
}

impl Finished {
    fn of_run(setup: &Setup, run: &RunResult, flows: &[usize]) -> Finished {
        let waits = waits_of_run(Metric::Completion, setup, run, Some(flows), 0);
        let ended = waits.iter().filter(|wait| wait.ended).count();
        Finished { ended, of: waits.len() }
    }

    /// Share of the flows that finished; 1 if there are none.
    pub(super) fn share(self) -> f64 {
        if self.of == 0 { 1.0 } else { self.ended as f64 / self.of as f64 }
    }

    /// Compares the shares of two, in whole numbers.
    pub(super) fn cmp(self, other: Finished) -> Ordering {
        match (self.of, other.of) {
            (0, 0) => Ordering::Equal,
            (0, _) => other.of.cmp(&other.ended),
            (_, 0) => self.ended.cmp(&self.of),
            _ => (self.ended * other.of).cmp(&(other.ended * self.of)),
        }
    }
}

impl Add for Finished {
    type Output = Finished;

    fn add(self, other: Finished) -> Finished {
        Finished { ended: self.ended + other.ended, of: self.of + other.of }
    }
}

impl Sum for Finished {
    fn sum<I: Iterator<Item = Finished>>(all: I) -> Finished {
        all.fold(Finished::default(), Finished::add)
    }
}

/// Flows whose goodput is ranked, and how several are combined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Measured {
    /// The only flow of the scenario.
    Only,
    /// A group of one flow.
    Flow(String),
    /// A group of several flows, averaged.
    Group(String),
    /// Several contenders in the same run, each averaged over its flows.
    Each,
    /// All flows together, with their goodputs summed.
    All,
    /// Several groups together, with their goodputs summed.
    Groups(Vec<String>),
}

pub(super) struct Contest {
    pub(super) measured: Measured,
    /// Swept variables that are designs rather than conditions.
    pub(super) variables: Vec<String>,
    pub(super) contenders: Vec<Contender>,
}

/// Display text of a design variable's value. A word stands alone; a number gets the variable's
/// name.
fn called(outcome: &Outcome, variable: &str, value: &Value) -> String {
    let bare = value.number.is_some() || matches!(value.text.as_str(), "true" | "false");
    if bare { format!("{variable} = {}", value.text) } else { outcome.label_of(value) }
}

fn condition(outcome: &Outcome, point: &Point, but: &[String]) -> Vec<String> {
    let others = outcome.scenario.swept.iter().filter(|v| !but.contains(v));
    others.filter_map(|v| Some(format!("{v} = {}", point.vars.get(v)?.text))).collect()
}

fn add(
    all: &mut Vec<Contender>,
    name: String,
    condition: Vec<String>,
    (values, finished): (BySeed, Vec<Finished>),
) {
    let at = all.iter().position(|contender| contender.name == name).unwrap_or_else(|| {
        all.push(Contender { name, goodput: ByCondition::new(), finished: BTreeMap::new() });
        all.len() - 1
    });
    if finished.iter().any(|finished| finished.of > 0) {
        all[at].finished.insert(condition.clone(), finished);
    }
    all[at].goodput.insert(condition, values);
}

impl Contest {
    pub(super) fn of(outcome: &Outcome) -> Contest {
        match Designs::of(&outcome.scenario) {
            Some(designs) => Contest::of_designs(outcome, designs),
            None => Contest::of_flows(outcome),
        }
    }

    fn of_designs(outcome: &Outcome, designs: Designs) -> Contest {
        let measured = measured(outcome, &designs.groups);
        let mut contenders = Vec::new();
        for (point, runs) in outcome.points() {
            let names = designs.names.iter();
            let mut name: Vec<String> = Vec::new();
            for said in names.filter_map(|v| Some(called(outcome, v, point.vars.get(v)?))) {
                // Skip what the label already says.
                if !name.iter().any(|before| before.ends_with(&format!(", {said}"))) {
                    name.push(said);
                }
            }
            let runs = runs.get();
            let values = runs.iter().map(|run| value(&measured, &point.setup, run)).collect();
            let flows = flows(&measured, &point.setup);
            let finished = runs.iter().map(|run| Finished::of_run(&point.setup, run, &flows));
            let condition = condition(outcome, point, &designs.variables);
            add(&mut contenders, name.join(", "), condition, (values, finished.collect()));
        }
        Contest { measured, variables: designs.variables, contenders }
    }

    /// Contest between the flows of each run: by protocol if they differ, otherwise by group.
    fn of_flows(outcome: &Outcome) -> Contest {
        let flows = || outcome.scenario.points.iter().flat_map(|p| &p.setup.flows);
        let protocols: BTreeSet<&str> = flows().map(|f| f.protocol.label.as_str()).collect();
        let mut contenders = Vec::new();
        for (point, runs) in outcome.points() {
            let mut flows: Vec<(&str, Vec<usize>)> = Vec::new();
            for (i, flow) in point.setup.flows.iter().enumerate() {
                let name =
                    if protocols.len() > 1 { &flow.protocol.label } else { &flow.group }.as_str();
                match flows.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, flows)) => flows.push(i),
                    None => flows.push((name, vec![i])),
                }
            }
            let runs = runs.get();
            for (name, flows) in flows {
                let of = |run| of_run(Metric::Goodput, &point.setup, run, Some(&flows));
                let values = runs.iter().map(of).collect();
                let finished = runs.iter().map(|run| Finished::of_run(&point.setup, run, &flows));
                let condition = condition(outcome, point, &[]);
                add(&mut contenders, name.to_owned(), condition, (values, finished.collect()));
            }
        }
        let alone = outcome.scenario.points.iter().all(|point| point.setup.flows.len() < 2);
        let measured = if alone { Measured::Only } else { Measured::Each };
        Contest { measured, variables: Vec::new(), contenders }
    }
}

fn measured(outcome: &Outcome, varied: &BTreeSet<String>) -> Measured {
    let points = || outcome.scenario.points.iter().map(|point| &point.setup);
    let all: BTreeSet<&String> = points().flat_map(|s| &s.flows).map(|f| &f.group).collect();
    let groups: Vec<String> = varied.iter().cloned().collect();
    match groups.as_slice() {
        _ if points().all(|setup| setup.flows.len() == 1) => Measured::Only,
        [one] if points().all(|setup| flows_of(setup, &groups).len() < 2) => {
            Measured::Flow(one.clone())
        }
        [one] => Measured::Group(one.clone()),
        _ if groups.len() == all.len() => Measured::All,
        _ => Measured::Groups(groups),
    }
}

/// The flows that are measured.
fn flows(measured: &Measured, setup: &Setup) -> Vec<usize> {
    match measured {
        Measured::Only | Measured::Each | Measured::All => (0..setup.flows.len()).collect(),
        Measured::Flow(name) | Measured::Group(name) => flows_of(setup, std::slice::from_ref(name)),
        Measured::Groups(names) => flows_of(setup, names),
    }
}

fn value(measured: &Measured, setup: &Setup, run: &RunResult) -> Option<f64> {
    let of = |groups: &[String]| flows_of(setup, groups);
    match measured {
        Measured::Only | Measured::Each | Measured::All => {
            of_run(Metric::Goodput, setup, run, None)
        }
        Measured::Flow(name) | Measured::Group(name) => {
            let flows = of(std::slice::from_ref(name));
            of_run(Metric::Goodput, setup, run, Some(&flows))
        }
        Measured::Groups(names) => total_of(Metric::Goodput, setup, run, &of(names)),
    }
}
