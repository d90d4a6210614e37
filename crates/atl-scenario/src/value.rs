//! Values of scenario variables.

/// Value of a scenario variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// As written in the file (`10ms`, `tcp-atl`, `1e-3`), or the label of a value that has one.
    pub text: String,
    /// As a number in base units (seconds, bits per second, bytes), if it is one.
    pub number: Option<f64>,
}

impl Value {
    /// The same value: numbers by value, so that `1e-2` equals `0.01`; text by its letters.
    pub fn matches(&self, other: &Value) -> bool {
        match (self.number, other.number) {
            (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * a.abs().max(b.abs()),
            _ => self.text == other.text,
        }
    }
}
