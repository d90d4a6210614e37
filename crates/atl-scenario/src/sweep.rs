//! Variables, and the points of a sweep over them.

use std::collections::BTreeMap;

use crate::errors::Problem;
use crate::keys;
use crate::labels;
use crate::table::{Cx, Field, Table};
use crate::tree::{Entry, Kind, Loc, Node, Sources, is_name};
use crate::value::{Value, value_of};

/// Maximum number of points of a sweep.
const MAX_POINTS: usize = 10_000;

/// Whether variables are substituted in and below a key of the file: a title may cost "$5".
fn is_substituted(entry: &Entry) -> bool {
    keys::substituted().any(|key| key == entry.key)
}

/// A variable with its values.
pub(crate) type Listed = (String, Vec<Node>);

/// The values of all variables at one point.
pub(crate) type Assignment = Vec<(String, Node)>;

/// The variables of a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vars {
    defaults: Assignment,
    swept: Vec<Listed>,
    also: Vec<Vec<Listed>>,
}

impl Vars {
    /// Reads `[vars]`, `[sweep]` and `[[sweep.also]]`.
    pub(crate) fn read(top: &Table<'_>) -> Vars {
        let mut vars = Vars::default();
        if let Some(table) = top.read("vars", Field::table) {
            for (entry, field) in table.others() {
                if named(entry, &field) && single(&field) {
                    vars.defaults.push((entry.key.clone(), entry.node.clone()));
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
        vars
    }

    fn knows(&self, entry: &Entry, field: &Field<'_>) -> bool {
        let names = self.names();
        let known = names.contains(&entry.key.as_str());
        if !known {
            field.report(unknown_variable(&entry.key, entry.key_at, &names).key(&*field.path));
        }
        known
    }

    /// All variables: swept ones first, in the file's order.
    pub(crate) fn names(&self) -> Vec<&str> {
        let swept = self.swept.iter().map(|(name, _)| name.as_str());
        let other = self.defaults.iter().map(|(name, _)| name.as_str());
        let mut names: Vec<&str> = swept.collect();
        for name in other {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Variables that differ between points: the swept ones, then those that only `also` changes.
    pub(crate) fn swept(&self) -> Vec<String> {
        let mut names: Vec<String> = self.swept.iter().map(|(name, _)| name.clone()).collect();
        names.extend(self.beside().map(|(name, _)| name.to_owned()));
        names
    }

    /// Variables that only `also` changes, with their defaults.
    pub(crate) fn beside(&self) -> impl Iterator<Item = (&str, &Node)> {
        self.defaults
            .iter()
            .filter(|(name, _)| {
                self.swept.iter().all(|(swept, _)| swept != name)
                    && self.also.iter().flatten().any(|(also, _)| also == name)
            })
            .map(|(name, node)| (name.as_str(), node))
    }

    /// The value of a variable that a point does not set: its value in `[vars]`, or else the first one that it is
    /// swept over.
    fn default_of(&self, name: &str) -> Option<&Node> {
        let default = self.defaults.iter().find(|(n, _)| n == name).map(|(_, node)| node);
        default.or_else(|| {
            self.swept.iter().find(|(n, _)| n == name).and_then(|(_, values)| values.first())
        })
    }

    /// The points, with the file's first variable changing slowest, then those of `also`.
    pub(crate) fn points(&self, cx: Cx<'_>, at: Loc) -> Vec<Assignment> {
        let mut points = Vec::new();
        let empty = Vec::new();
        for (i, lists) in std::iter::once(&self.swept).chain(&self.also).enumerate() {
            let lists = if self.swept.is_empty() && i == 0 { &empty } else { lists };
            let size = lists.iter().try_fold(1_usize, |n, (_, l)| n.checked_mul(l.len()));
            if size.is_none_or(|n| n + points.len() > MAX_POINTS) {
                cx.sink.report(
                    Problem::new(format!("the sweep has more than {MAX_POINTS} points"))
                        .at(at)
                        .key("sweep"),
                );
                return points;
            }
            let mut fresh = vec![self.base()];
            for (name, values) in lists {
                fresh = fresh
                    .iter()
                    .flat_map(|point| values.iter().map(|value| with(point, name, value)))
                    .collect();
            }
            if i > 0 {
                fresh.retain(|point| !points.iter().any(|p| same(cx.sources, p, point)));
            }
            points.extend(fresh);
        }
        points
    }

    fn base(&self) -> Assignment {
        let names = self.names().into_iter();
        names.filter_map(|n| Some((n.to_owned(), self.default_of(n)?.clone()))).collect()
    }

    /// Reports unused variables: a sweep over one would repeat the same run.
    pub(crate) fn check_used(&self, tree: &Node, cx: Cx<'_>) {
        let mut used: Vec<String> = Vec::new();
        for entry in tree.entries().iter().filter(|e| is_substituted(e)) {
            entry.node.variables(&mut |name, _| used.push(name.to_owned()));
        }
        for table in ["vars", "sweep"] {
            for entry in tree.get(table).map_or(&[][..], Node::entries) {
                // Invalid names have already been reported.
                let reserved = entry.key == "also" || keys::TOP.key(&entry.key).is_some();
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

/// The error for a name that is not a variable's.
pub(crate) fn unknown_variable(name: &str, at: Loc, names: &[&str]) -> Problem {
    Problem::new(format!("there is no variable `{name}`"))
        .at(at)
        .label("unknown variable")
        .nearest(name, names.iter().copied())
}

fn with(point: &Assignment, name: &str, value: &Node) -> Assignment {
    let mut point = point.clone();
    if let Some(slot) = point.iter_mut().find(|(n, _)| n == name) {
        slot.1 = value.clone();
    }
    point
}

fn same(sources: &Sources, a: &Assignment, b: &Assignment) -> bool {
    a.iter().zip(b).all(|((_, a), (_, b))| value_of(sources, a).matches(&value_of(sources, b)))
}

/// The values of a point, as the report sees them.
pub(crate) fn values_of(sources: &Sources, point: &Assignment) -> BTreeMap<String, Value> {
    point.iter().map(|(name, node)| (name.clone(), value_of(sources, node))).collect()
}

fn named(entry: &Entry, field: &Field<'_>) -> bool {
    let taken =
        keys::TOP.key(&entry.key).is_some() || ["seed", "also"].contains(&entry.key.as_str());
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

/// Whether it is a single value: a text, a number, a Boolean or a table, without variables in it.
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

/// The values of a list without repetitions; with `or_one`, also a single value.
pub(crate) fn values(field: &Field<'_>, or_one: bool) -> Option<Vec<Node>> {
    if or_one && !matches!(field.node.kind, Kind::Array(_)) {
        return single(field).then(|| vec![field.node.clone()]);
    }
    let items = field.items()?;
    let mut seen: Vec<Value> = Vec::new();
    let mut nodes = Vec::new();
    for item in &items {
        let mut node = item.node.clone();
        if single(item) {
            let value = value_of(item.cx.sources, item.node);
            if seen.iter().any(|v| v.matches(&value)) {
                item.bad::<()>("this value is already in the list");
            }
            seen.push(value);
        } else {
            node.kind = Kind::Poison;
        }
        nodes.push(node);
    }
    Some(nodes)
}

/// The tree with every `$name` replaced by the variable's value at a point.
pub(crate) fn substitute(tree: &Node, point: &Assignment, cx: Cx<'_>) -> Node {
    let mut tree = tree.clone();
    if let Kind::Table(entries) = &mut tree.kind {
        for entry in entries.iter_mut().filter(|e| is_substituted(e)) {
            replace(&mut entry.node, point, cx);
        }
    }
    tree
}

fn replace(node: &mut Node, point: &Assignment, cx: Cx<'_>) {
    if let Some(name) = node.variable() {
        let name = name.to_owned();
        match point.iter().find(|(n, _)| *n == name) {
            Some((_, value)) => {
                let value = value.labelled().map_or(value, |(_, value)| value);
                *node = Node { used: Some((node.at, name)), ..value.clone() };
            }
            None => {
                let names: Vec<&str> = point.iter().map(|(n, _)| n.as_str()).collect();
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
