//! Variables and the points of a sweep over them.

use std::collections::{BTreeMap, BTreeSet};

use crate::errors::Problem;
use crate::keys;
use crate::labels;
use crate::points::{Assignment, Distinct, Lists, Points, size};
use crate::table::{Cx, Field, Table};
use crate::tree::{Entry, Kind, Loc, Node, Sources, is_name};
use crate::value::{Classes, Value, value_of};

/// Limit on the points of a sweep.
const MAX_POINTS: usize = 10_000;
/// Limit on the variables of a file.
const MAX_VARIABLES: usize = 1_000;

/// True if variables are substituted in and below a top-level key. They are not in texts: a title
/// may say "$5".
fn is_substituted(entry: &Entry) -> bool {
    keys::substituted().any(|key| key == entry.key)
}

/// A variable and its list of values.
pub(crate) type Listed = (String, Vec<Node>);

#[derive(Clone, Debug, Default)]
pub(crate) struct Vars {
    defaults: Vec<(String, Node)>,
    swept: Vec<Listed>,
    also: Vec<Vec<Listed>>,
}

impl Vars {
    /// Reads `[vars]`, `[sweep]` and `[[sweep.also]]`; `None` if there are too many variables.
    pub(crate) fn read(top: &Table<'_>) -> Option<Vars> {
        let mut vars = Vars::default();
        let tables = ["vars", "sweep"].map(|key| top.get(key));
        let all = |field: &Field<'_>| field.node.entries().len();
        if let Some(field) = tables.iter().flatten().max_by_key(|field| all(field))
            && all(field) > MAX_VARIABLES
        {
            let found = format!("`{}` has {} variables", field.path, all(field));
            let message = format!("{found}: at most {MAX_VARIABLES} are allowed");
            field.report(field.problem(message, "too many"));
            return None;
        }
        if let Some(table) = top.read("vars", Field::table) {
            for (entry, field) in table.others() {
                if named(entry, &field) {
                    let mut node = entry.node.clone();
                    // A variable with a wrong value still counts as defined.
                    if !single(&field) {
                        node.kind = Kind::Poison;
                    }
                    vars.defaults.push((entry.key.clone(), node));
                }
            }
        }
        if let Some(table) = top.read("sweep", Field::table) {
            for (entry, field) in table.others() {
                if named(entry, &field)
                    && let Some(values) = values(&field, false)
                {
                    vars.swept.push((entry.key.clone(), values));
                }
            }
            for item in table.read("also", Field::items).unwrap_or_default() {
                let Some(point) = item.table() else {
                    continue;
                };
                vars.also.push(
                    point
                        .others()
                        .filter(|(entry, field)| vars.knows(entry, field))
                        .filter_map(|(entry, f)| Some((entry.key.clone(), values(&f, true)?)))
                        .collect(),
                );
            }
        }
        Some(vars)
    }

    fn knows(&self, entry: &Entry, field: &Field<'_>) -> bool {
        let names = self.names();
        let known = names.contains(&entry.key.as_str());
        if !known {
            field.report(unknown_variable(&entry.key, entry.key_at, &names).key(&*field.path));
        }
        known
    }

    /// Names of all variables: swept ones first, in the file's order.
    pub(crate) fn names(&self) -> Vec<&str> {
        let swept = self.swept.iter().map(|(name, _)| name.as_str());
        let other = self.defaults.iter().map(|(name, _)| name.as_str());
        let mut seen = BTreeSet::new();
        swept.chain(other).filter(|name| seen.insert(*name)).collect()
    }

    /// Names of the variables that differ between points: the swept ones, then those that only
    /// `also` changes.
    pub(crate) fn swept(&self) -> Vec<String> {
        let mut names: Vec<String> = self.swept.iter().map(|(name, _)| name.clone()).collect();
        names.extend(self.beside().map(|(name, _)| name.to_owned()));
        names
    }

    /// Variables that only `also` changes, with their default values.
    pub(crate) fn beside(&self) -> impl Iterator<Item = (&str, &Node)> {
        self.defaults
            .iter()
            .filter(|(name, _)| {
                self.swept.iter().all(|(swept, _)| swept != name)
                    && self.also.iter().flatten().any(|(also, _)| also == name)
            })
            .map(|(name, node)| (name.as_str(), node))
    }

    /// Value of a variable that a point does not set: that in `[vars]`, otherwise the first in its
    /// list of the sweep.
    fn default_of(&self, name: &str) -> Option<&Node> {
        let default = self.defaults.iter().find(|(n, _)| n == name).map(|(_, node)| node);
        default.or_else(|| {
            self.swept.iter().find(|(n, _)| n == name).and_then(|(_, values)| values.first())
        })
    }

    /// The points. The file's first variable changes slowest; those of `also` come last.
    pub(crate) fn points<'a>(&'a self, cx: Cx<'_>, at: Loc) -> Points<'a> {
        let base = self.base();
        let mut points: Option<Distinct<'a>> = None;
        for lists in std::iter::once(&self.swept).chain(&self.also) {
            let lists: Lists<'a> = lists.iter().map(|(n, l)| (n.as_str(), l.as_slice())).collect();
            let before = points.as_ref().map_or(0, Distinct::len);
            if size(&lists).saturating_add(before) > MAX_POINTS {
                cx.sink.report(
                    Problem::new(format!("the sweep has more than {MAX_POINTS} points"))
                        .at(at)
                        .key("sweep"),
                );
                break;
            }
            match &mut points {
                Some(points) => points.add(lists, cx.sources),
                None => points = Some(Distinct::first(base.clone(), lists, cx.sources)),
            }
        }
        points.map_or_else(|| Points::over(base), Distinct::points)
    }

    fn base(&self) -> Assignment<'_> {
        self.names().into_iter().filter_map(|name| Some((name, self.default_of(name)?))).collect()
    }

    /// Reports unused variables: a sweep over one would repeat the same run.
    pub(crate) fn check_used(&self, tree: &Node, cx: Cx<'_>) {
        let mut used: BTreeSet<String> = BTreeSet::new();
        for entry in tree.entries().iter().filter(|e| is_substituted(e)) {
            entry.node.variables(&mut |name, _| {
                used.insert(name.to_owned());
            });
        }
        for table in ["vars", "sweep"] {
            for entry in tree.get(table).map_or(&[][..], Node::entries) {
                // Invalid names have already been reported.
                let reserved = entry.key == "also" || keys::reserved().any(|key| key == entry.key);
                if !reserved && !used.contains(&entry.key) {
                    cx.sink.report(
                        Problem::new(format!("nothing uses the variable `{}`", entry.key))
                            .at(entry.key_at)
                            .key(format!("{table}.{}", entry.key))
                            .label("not used")
                            .help(format!("write \"${}\" where its value belongs", entry.key)),
                    );
                }
            }
        }
    }
}

/// The error for an unknown variable.
pub(crate) fn unknown_variable(name: &str, at: Loc, names: &[&str]) -> Problem {
    Problem::new(format!("there is no variable `{name}`"))
        .at(at)
        .label("unknown variable")
        .nearest(name, names.iter().copied())
}

/// Values at a point in the form for reports.
pub(crate) fn values_of(sources: &Sources, point: &Assignment<'_>) -> BTreeMap<String, Value> {
    point.iter().map(|(name, node)| ((*name).to_owned(), value_of(sources, node))).collect()
}

fn named(entry: &Entry, field: &Field<'_>) -> bool {
    let taken = keys::reserved().chain(["seed", "also"]).any(|key| key == entry.key);
    let label = if taken {
        "this is the name of a key of the file: choose another"
    } else if !is_name(&entry.key) {
        "a name has letters, digits, `-` and `_`, at most 64 of them"
    } else {
        return true;
    };
    let message = format!("a variable cannot be called `{}`", entry.key);
    field.report(Problem::new(message).at(entry.key_at).key(&*field.path).label(label));
    false
}

/// True for a text, a number, a Boolean or a table, without variables in it.
fn single(field: &Field<'_>) -> bool {
    let mut plain = true;
    field.node.variables(&mut |name, _| {
        plain = false;
        let message = format!("`${name}` cannot stand in the value of a variable");
        field.report(field.problem(message, "variables cannot refer to each other"));
    });
    if matches!(field.node.kind, Kind::Array(_)) {
        let label = "expected a single value, found a list";
        let help = "a list as a value needs a label: { label = \"...\", value = [...] }";
        field.report(field.problem(format!("`{}` is not a value", field.path), label).help(help));
        return false;
    }
    plain && labels::check(field) && field.value().is_some()
}

/// Reads a list of values without repetitions; with `or_one` also a single value.
pub(crate) fn values(field: &Field<'_>, or_one: bool) -> Option<Vec<Node>> {
    if or_one && !matches!(field.node.kind, Kind::Array(_)) {
        return single(field).then(|| vec![field.node.clone()]);
    }
    let items = field.items()?;
    let mut seen = Classes::default();
    let mut nodes = Vec::new();
    for item in &items {
        let mut node = item.node.clone();
        if single(item) {
            let value = value_of(item.cx.sources, item.node);
            if !seen.of(value).1 {
                item.bad::<()>("this value is already in the list");
            }
        } else {
            node.kind = Kind::Poison;
        }
        nodes.push(node);
    }
    Some(nodes)
}

/// Number of flows at a point, without reading them. A wrong number counts as one.
pub(crate) fn flow_count(tree: &Node, point: &Assignment<'_>) -> u64 {
    let resolved = |node| resolved(node, point);
    let Some(flows) = tree.get("flow").map(resolved) else { return 0 };
    let count = |flow| match resolved(flow).get("count").map(resolved).map(|n| &n.kind) {
        Some(Kind::Int(n)) => u64::try_from(*n).unwrap_or(1),
        _ => 1,
    };
    flows.items().iter().map(count).fold(0, u64::saturating_add)
}

/// The value, or that of the variable that it refers to.
fn resolved<'a>(node: &'a Node, point: &Assignment<'a>) -> &'a Node {
    let Some(name) = node.variable() else { return node };
    let value = point.iter().find(|(n, _)| *n == name).map_or(node, |(_, value)| *value);
    value.labelled().map_or(value, |(_, value)| value)
}

/// The tree with every `$name` replaced by the variable's value at this point.
pub(crate) fn substitute(tree: &Node, point: &Assignment<'_>, cx: Cx<'_>) -> Node {
    let mut tree = tree.clone();
    if let Kind::Table(entries) = &mut tree.kind {
        for entry in entries.iter_mut().filter(|e| is_substituted(e)) {
            replace(&mut entry.node, point, cx);
        }
    }
    tree
}

fn replace(node: &mut Node, point: &Assignment<'_>, cx: Cx<'_>) {
    if let Some(name) = node.variable() {
        let name = name.to_owned();
        match point.iter().find(|(n, _)| *n == name) {
            Some(&(_, value)) => {
                let value = value.labelled().map_or(value, |(_, value)| value);
                *node = Node { used: Some((node.at, name)), ..value.clone() };
            }
            None => {
                let names: Vec<&str> = point.iter().map(|(n, _)| *n).collect();
                let problem = unknown_variable(&name, node.at, &names);
                cx.sink.report(problem.help("variables are defined in [vars] or [sweep]"));
                node.kind = Kind::Poison;
            }
        }
        return;
    }
    match &mut node.kind {
        Kind::Array(items) => items.iter_mut().for_each(|item| replace(item, point, cx)),
        Kind::Table(entries) => entries.iter_mut().for_each(|e| replace(&mut e.node, point, cx)),
        _ => {}
    }
}
