//! Ranges of numbers and lists of words.

use std::fmt;

/// A list of allowed words.
#[derive(Clone, Copy)]
pub struct Words {
    /// Their kind, such as `a protocol`; empty where the list is short enough to be shown instead.
    pub what: &'static str,
    /// Produces the words in the order for messages.
    pub list: fn() -> Vec<&'static str>,
}

/// An interval of numbers, with or without its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Lower end of the interval.
    pub from: f64,
    /// Upper end of the interval.
    pub to: f64,
    /// True if the lower end is excluded.
    pub above: bool,
    /// True if the upper end is excluded.
    pub below: bool,
}

impl Range {
    /// The interval with both ends included.
    pub const fn new(from: f64, to: f64) -> Range {
        Range { from, to, above: false, below: false }
    }

    /// Excludes the lower end.
    pub const fn above(self) -> Range {
        Range { above: true, ..self }
    }

    /// Excludes the upper end.
    pub const fn below(self) -> Range {
        Range { below: true, ..self }
    }

    /// True if the number is in the interval.
    pub fn contains(&self, n: f64) -> bool {
        let low = if self.above { n > self.from } else { n >= self.from };
        let high = if self.below { n < self.to } else { n <= self.to };
        low && high
    }
}

impl fmt::Display for Range {
    /// Such as `from 0.1 to 1000`, `at least 0 and below 1`.
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
