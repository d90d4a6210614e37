//! Bounds of numbers, and lists of words.

use std::fmt;

/// Words from a list.
#[derive(Clone, Copy)]
pub struct Words {
    /// What they are (`a protocol`); empty where the list is short enough to be shown.
    pub what: &'static str,
    /// The words.
    pub list: fn() -> Vec<&'static str>,
}

/// Bounds of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The lower bound.
    pub from: f64,
    /// The upper bound.
    pub to: f64,
    /// The lower bound itself is not allowed.
    pub above: bool,
    /// The upper bound itself is not allowed.
    pub below: bool,
}

impl Range {
    /// Both bounds are allowed.
    pub const fn new(from: f64, to: f64) -> Range {
        Range { from, to, above: false, below: false }
    }

    /// Excludes the lower bound.
    pub const fn above(self) -> Range {
        Range { above: true, ..self }
    }

    /// Excludes the upper bound.
    pub const fn below(self) -> Range {
        Range { below: true, ..self }
    }

    /// Whether a number is within the bounds.
    pub fn contains(&self, n: f64) -> bool {
        let low = if self.above { n > self.from } else { n >= self.from };
        let high = if self.below { n < self.to } else { n <= self.to };
        low && high
    }
}

impl fmt::Display for Range {
    /// `from 0.1 to 1000`, `at least 0 and below 1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Range { from, to, .. } = self;
        match (self.above, self.below) {
            (false, false) => write!(f, "from {from} to {to}"),
            (true, false) => write!(f, "above {from} and at most {to}"),
            (false, true) => write!(f, "at least {from} and below {to}"),
            (true, true) => write!(f, "above {from} and below {to}"),
        }
    }
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries((self.list)()).finish()
    }
}
