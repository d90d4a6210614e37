//! Labels that stand for values of variables.

use std::collections::BTreeMap;

use crate::errors::{Problem, Sink};
use crate::keys;
use crate::table::Field;
use crate::tree::{Entry, Kind, Node};
use crate::value::number_of;

/// Labelled values of a file.
#[derive(Default)]
pub(crate) struct Labels {
    /// Values by variable and label.
    all: BTreeMap<(String, String), Labelled>,
    /// Labels that are numbers, by variable and the number's bits.
    numbers: BTreeMap<(String, u64), String>,
}

struct Labelled {
    /// Table with label and value.
    node: Node,
    /// Index of its table among those that give variables their values.
    table: usize,
}

impl Labels {
    /// Collects the labels of `[vars]`, `[sweep]` and `[[sweep.also]]`.
    pub(crate) fn of(tree: &Node, sink: &Sink) -> Labels {
        let mut labels = Labels::default();
        for (index, table) in lists(tree).into_iter().enumerate() {
            for entry in table.entries().iter().filter(|e| e.key != "also") {
                let values = match &entry.node.kind {
                    Kind::Array(items) => items.as_slice(),
                    _ => std::slice::from_ref(&entry.node),
                };
                for value in values {
                    labels.add(entry, value, index, sink);
                }
            }
        }
        labels
    }

    fn add(&mut self, entry: &Entry, value: &Node, table: usize, sink: &Sink) {
        let Some((label, _)) = value.labelled() else {
            return;
        };
        match self.find(&entry.key, label) {
            None => {
                let name = |label: &str| (entry.key.clone(), label.to_owned());
                if let Some(number) = number_of(label) {
                    let number = (entry.key.clone(), bits(number));
                    self.numbers.entry(number).or_insert_with(|| label.to_owned());
                }
                self.all.insert(name(label), Labelled { node: value.clone(), table });
            }
            // Repetitions within one list are reported there.
            Some(other) if other.table == table => {}
            Some(_) => sink.report(
                Problem::new(format!("`{}` has two values with the label `{label}`", entry.key))
                    .at(value.at)
                    .key(&*entry.key)
                    .label("this label is taken")
                    .help(format!("to name the same value again write \"{label}\"")),
            ),
        }
    }

    fn find(&self, variable: &str, label: &str) -> Option<&Labelled> {
        self.all.get(&(variable.to_owned(), label.to_owned()))
    }

    /// The value whose label is this number, whatever its notation.
    fn find_number(&self, variable: &str, number: f64) -> Option<&Labelled> {
        self.find(variable, self.numbers.get(&(variable.to_owned(), bits(number)))?)
    }

    /// Replaces labels by their values wherever a variable is given one.
    pub(crate) fn resolve(&self, tree: &mut Node) {
        if self.all.is_empty() {
            return;
        }
        let Kind::Table(entries) = &mut tree.kind else {
            return;
        };
        for entry in entries.iter_mut().filter(|e| e.key == "vars" || e.key == "sweep") {
            self.resolve_table(&mut entry.node);
        }
    }

    fn resolve_table(&self, table: &mut Node) {
        let Kind::Table(entries) = &mut table.kind else {
            return;
        };
        for entry in entries {
            match &mut entry.node.kind {
                Kind::Array(points) if entry.key == "also" => {
                    points.iter_mut().for_each(|point| self.resolve_table(point));
                }
                Kind::Array(items) => items.iter_mut().for_each(|n| self.put(&entry.key, n)),
                _ => self.put(&entry.key, &mut entry.node),
            }
        }
    }

    fn put(&self, variable: &str, node: &mut Node) {
        let value = match node.kind {
            Kind::Str(ref text) => self.find(variable, text),
            Kind::Int(n) => self.find_number(variable, n as f64),
            Kind::Float(n) => self.find_number(variable, n),
            _ => None,
        };
        if let Some(value) = value {
            *node = value.node.clone();
        }
    }
}

/// Bits for comparing numbers: adding zero turns -0 into 0, so that equal numbers have the same.
fn bits(number: f64) -> u64 {
    (number + 0.0).to_bits()
}

/// Tables that give variables their values.
fn lists(tree: &Node) -> Vec<&Node> {
    let also = tree.get("sweep").and_then(|sweep| sweep.get("also"));
    let points = match also.map(|also| &also.kind) {
        Some(Kind::Array(points)) => points.as_slice(),
        _ => &[],
    };
    tree.get("vars").into_iter().chain(tree.get("sweep")).chain(points).collect()
}

/// False if the value has a label without a valid value.
pub(crate) fn check(field: &Field<'_>) -> bool {
    if field.node.get("value").is_none() {
        return true;
    }
    let table = field.table_of(&keys::LABELLED);
    table.is_some_and(|table| table.read("label", Field::short_text).is_some())
}
