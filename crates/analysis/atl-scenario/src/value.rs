//! Values of scenario variables.

use std::collections::BTreeMap;

use crate::tree::{Kind, Node, Sources};
use crate::units;

/// Value of a scenario variable, as text and where possible as a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// Text as written (`10ms`, `tcp-atl`, `1e-3`), or the label of a labelled value.
    pub text: String,
    /// Number in base units (seconds, bits per second, bytes), if it is one.
    pub number: Option<f64>,
}

impl Value {
    /// True if both are the same value: numbers by value, so that `1e-2` equals `0.01`; texts
    /// literally.
    pub fn matches(&self, other: &Value) -> bool {
        match (self.number, other.number) {
            (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * a.abs().max(b.abs()),
            _ => self.text == other.text,
        }
    }
}

/// Numbers distinct values; those equal by [`Value::matches`] get the same number.
#[derive(Default)]
pub(crate) struct Classes {
    texts: BTreeMap<String, usize>,
    /// Numeric values by sign and magnitude, so that nearly equal ones are neighbours.
    numbers: BTreeMap<(bool, u64), (Value, usize)>,
}

impl Classes {
    /// Number of a value; true if the value is new.
    pub(crate) fn of(&mut self, value: Value) -> (usize, bool) {
        let next = self.texts.len() + self.numbers.len();
        let Some(number) = value.number else {
            let class = *self.texts.entry(value.text).or_insert(next);
            return (class, class == next);
        };
        // Adding zero turns -0 into 0. For one sign, bits are in the order of magnitude.
        let (negative, size) = ((number + 0.0).is_sign_negative(), number.abs());
        let near = [1.0 - 2e-9, 1.0 + 2e-9].map(|factor| (negative, (size * factor).to_bits()));
        let mut around = self.numbers.range(near[0]..=near[1]);
        if let Some((_, (_, class))) = around.find(|(_, (other, _))| other.matches(&value)) {
            return (*class, false);
        }
        self.numbers.insert((negative, size.to_bits()), (value, next));
        (next, true)
    }
}

/// Value of a variable; a labelled value goes by its label.
pub(crate) fn value_of(sources: &Sources, node: &Node) -> Value {
    if let Some((label, _)) = node.labelled() {
        // A label that is a bare number is a number on axes too.
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

/// The number that a label is, if any.
pub(crate) fn number_of(label: &str) -> Option<f64> {
    label.parse().ok().filter(|n: &f64| n.is_finite())
}
