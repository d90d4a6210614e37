//! Values of scenario variables.

use crate::tree::{Kind, Node, Sources};
use crate::units;

/// Value of a scenario variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// As written in the file (`10ms`, `tcp-atl`, `1e-3`), or the label of a value that has one.
    pub text: String,
    /// As a number in base units (seconds, bits per second, bytes), if it is one.
    pub number: Option<f64>,
}

impl Value {
    /// Whether both are the same value: numbers by value, so that `1e-2` equals `0.01`; texts literally.
    pub fn matches(&self, other: &Value) -> bool {
        match (self.number, other.number) {
            (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * a.abs().max(b.abs()),
            _ => self.text == other.text,
        }
    }
}

/// A node as a variable's value; a labelled value goes by its label.
pub(crate) fn value_of(sources: &Sources, node: &Node) -> Value {
    if let Some((label, _)) = node.labelled() {
        // A label that is a bare number stands on an axis as one.
        return Value { text: label.to_owned(), number: number_of(label) };
    }
    let written = || sources.slice(node.at).to_owned();
    let (text, number) = match &node.kind {
        Kind::Str(s) => (s.clone(), units::number(s)),
        Kind::Int(n) => (written(), Some(*n as f64)),
        Kind::Float(n) => (written(), Some(*n).filter(|n| n.is_finite())),
        _ => (written(), None),
    };
    Value { text, number }
}

/// The number that a label is, if it is one.
pub(crate) fn number_of(label: &str) -> Option<f64> {
    label.parse().ok().filter(|n: &f64| n.is_finite())
}
