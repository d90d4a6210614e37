//! What figures and quotes refer to: points of the sweep and groups of flows.

use std::collections::BTreeMap;

use crate::errors::{Problem, list};
use crate::keys;
use crate::quote::Selection;
use crate::scenario::{Metric, Value};
use crate::sweep::{Vars, unknown_variable, values_of};
use crate::table::{Cx, Field, Table, value_of};
use crate::tree::{Kind, Node};

/// What there is to refer to.
pub(crate) struct World<'a> {
    cx: Cx<'a>,
    vars: &'a Vars,
    /// Points of the sweep as the file has it: a quote stays right when the command line narrows it.
    points: Vec<BTreeMap<String, Value>>,
    /// Groups of flows.
    groups: Vec<String>,
    /// Samples are recorded.
    records: bool,
    /// Some flow ends by itself.
    ends: bool,
}

impl<'a> World<'a> {
    /// `tree` and `vars` are the file's own, before the command line changed anything.
    pub fn new(cx: Cx<'a>, tree: &Node, vars: &'a Vars) -> Self {
        let points = vars.points(cx, tree.at);
        let flows = match tree.get("flow").map(|f| &f.kind) {
            Some(Kind::Array(flows)) => flows.as_slice(),
            _ => &[],
        };
        let name = |flow: &Node| match &flow.get("group").or_else(|| flow.get("name"))?.kind {
            Kind::Str(name) => Some(name.clone()),
            _ => None,
        };
        let ends = |flow: &Node| {
            flow.get("source").is_some_and(|s| s.get("bytes").is_some() || s.variable().is_some())
        };
        World {
            cx,
            vars,
            points: points.iter().map(|p| values_of(cx.sources, p)).collect(),
            groups: flows.iter().filter_map(name).collect(),
            records: tree.get("record").is_some(),
            ends: flows.iter().any(ends),
        }
    }

    /// A variable that the field names, or `flow` if that will do.
    pub fn variable(&self, field: &Field<'_>, or_flow: bool) -> Option<String> {
        let name = field.text()?;
        let mut names = self.vars.names();
        if or_flow {
            names.push("flow");
        }
        if names.contains(&name) {
            return Some(name.to_owned());
        }
        field.report(unknown_variable(name, field.node.at, &names).key(&*field.path));
        None
    }

    /// A metric that the scenario can measure.
    pub fn metric(&self, field: &Field<'_>) -> Option<Metric> {
        let metric = field.one_of(crate::metric::METRICS)?;
        match metric {
            Metric::Cwnd if !self.records => {
                field.bad("cwnd needs samples: add [record] with every = \"1s\"")
            }
            Metric::Completion if !self.ends => {
                field.bad("no flow ends by itself: give one source = { bytes = \"10MB\" }")
            }
            metric => Some(metric),
        }
    }

    /// Reports a figure over time of a scenario that records nothing.
    pub fn needs_samples(&self, table: &Table<'_>) {
        if !self.records {
            table.report(
                "a figure over time needs samples",
                "add [record] with every = \"1s\" to the file",
            );
        }
    }

    /// The points and the group that a quote picks. `along` is left open.
    pub fn selection(&self, field: &Field<'_>, along: Option<&str>) -> Option<Selection> {
        let table = field.table(&keys::SELECTION)?;
        let group = table.read("flow", |f| {
            let name = f.text()?;
            if self.groups.iter().any(|g| g == name) {
                return Some(name.to_owned());
            }
            let problem = f.problem(format!("there is no flow `{name}`"), "unknown flow");
            f.report(problem.nearest(name, self.groups.iter().map(String::as_str)));
            None
        });
        let free: Vec<&str> = along.into_iter().collect();
        Some(Selection { at: self.at(&table, &free, true)?, group })
    }

    /// The values that a table pins variables to. With `one`, every other variable but the `free` ones
    /// must have a single value there, or a mean over unlike things would be shown.
    pub fn at(
        &self,
        table: &Table<'_>,
        free: &[&str],
        one: bool,
    ) -> Option<BTreeMap<String, Value>> {
        let mut at = BTreeMap::new();
        let mut fine = true;
        for (entry, field) in table.others() {
            let names = self.vars.names();
            if !names.contains(&entry.key.as_str()) {
                let problem = unknown_variable(&entry.key, entry.key_at, &names);
                field.report(problem.key(&*field.path));
                fine = false;
                continue;
            }
            let Some(value) = field.value() else {
                fine = false;
                continue;
            };
            let known = self.values(&entry.key, &BTreeMap::new());
            if !known.iter().any(|v| v.matches(&value)) {
                let known: Vec<&str> = known.iter().map(|v| v.text.as_str()).collect();
                let message = format!("`{}` is never `{}`", entry.key, value.text);
                let problem = field.problem(message, "no point has this value");
                field.report(problem.nearest(&value.text, known));
                fine = false;
            }
            at.insert(entry.key.clone(), value);
        }
        for (name, default) in self.vars.beside() {
            if one && !free.contains(&name) && !at.contains_key(name) {
                at.insert(name.to_owned(), value_of(self.cx.sources, default));
            }
        }
        if fine && !self.points.is_empty() && !self.points.iter().any(|p| matches(p, &at)) {
            table.report("no point of the sweep has all these values", "nothing is measured here");
            fine = false;
        }
        if fine && one {
            fine = self.single(table, free, &at);
        }
        fine.then_some(at)
    }

    fn single(&self, table: &Table<'_>, free: &[&str], at: &BTreeMap<String, Value>) -> bool {
        let mut fine = true;
        for name in self.vars.swept() {
            if free.contains(&name.as_str()) || at.contains_key(&name) {
                continue;
            }
            let values = self.values(&name, at);
            if values.len() > 1 {
                let known: Vec<&str> = values.iter().map(|v| v.text.as_str()).collect();
                table.cx.sink.report(
                    Problem::new(format!("which `{name}`?"))
                        .at(table.at)
                        .key(&*table.path)
                        .label(format!("leaves `{name}` open, which is swept"))
                        .help(format!("pin it to one of {}", list(&known))),
                );
                fine = false;
            }
        }
        fine
    }

    /// The values that a variable has at the points that match, each once.
    fn values(&self, name: &str, at: &BTreeMap<String, Value>) -> Vec<&Value> {
        let mut values: Vec<&Value> = Vec::new();
        for value in self.points.iter().filter(|p| matches(p, at)).filter_map(|p| p.get(name)) {
            if !values.iter().any(|v| v.matches(value)) {
                values.push(value);
            }
        }
        values
    }
}

/// Whether a point has all the values.
pub(super) fn matches(point: &BTreeMap<String, Value>, at: &BTreeMap<String, Value>) -> bool {
    at.iter().all(|(name, value)| point.get(name).is_some_and(|v| v.matches(value)))
}
