//! Draws of values as a scenario file writes them.

use atl_experiment::attack::logarithmic;
use atl_link::random::Stream;
use atl_scenario::keys::{Section, Shape};
use toml::{Table, Value};

/// A stream of random numbers that draws keys and values.
#[derive(Clone, Debug)]
pub(super) struct Dice(Stream);

impl Dice {
    pub(super) fn new(seed: u64, attempt: u32) -> Dice {
        Dice(Stream::new(seed, &format!("swarm/{attempt}")))
    }

    pub(super) fn chance(&mut self, p: f64) -> bool {
        self.0.chance(p)
    }

    /// Below this number, evenly.
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.0.below(n as u64) as usize
    }

    pub(super) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    /// A number with two digits, evenly in its logarithm.
    pub(super) fn number(&mut self, from: f64, to: f64) -> f64 {
        logarithmic(&mut self.0, from, to).clamp(from, to)
    }

    /// A whole number, evenly in its logarithm.
    pub(super) fn whole(&mut self, from: u32, to: u32) -> i64 {
        self.number(f64::from(from), f64::from(to)).round() as i64
    }

    /// A time between two numbers of milliseconds.
    pub(super) fn time(&mut self, from: f64, to: f64) -> Value {
        micros(self.number(from, to) * 1e3)
    }

    /// A time between two shares of another, in ms, evenly.
    pub(super) fn moment(&mut self, ms: f64, from: f64, to: f64) -> f64 {
        (ms * (from + (to - from) * self.0.uniform())).round()
    }

    /// A rate between two numbers of kb/s.
    pub(super) fn rate(&mut self, from: f64, to: f64) -> Value {
        kbps(self.number(from, to))
    }

    /// A word that this key takes, from its declaration: so one that is new is drawn, too.
    ///
    /// # Panics
    /// Panics if there is no such key, or it takes no words.
    pub(super) fn word(&mut self, section: &Section, key: &str) -> &'static str {
        self.pick(&words(section, key))
    }
}

/// The words that a key takes, as it declares them.
///
/// # Panics
/// Panics if there is no such key, or it takes no words.
pub(super) fn words(section: &Section, key: &str) -> Vec<&'static str> {
    let key = section.key(key).unwrap_or_else(|| panic!("no key `{key}` is declared"));
    let words = key.shape.alternatives().iter().filter_map(|shape| match shape {
        Shape::Word(words) => Some((words.list)()),
        _ => None,
    });
    let words: Vec<_> = words.flatten().collect();
    assert!(!words.is_empty(), "`{}` takes no words", key.name);
    words
}

/// A time of so many microseconds.
pub(super) fn micros(us: f64) -> Value {
    Value::String(format!("{}us", us.round().max(1.0)))
}

/// A time of so many milliseconds.
pub(super) fn millis(ms: f64) -> Value {
    Value::String(format!("{}ms", ms.round()))
}

/// A rate of so many kb/s.
pub(super) fn kbps(kbps: f64) -> Value {
    Value::String(format!("{kbps}kb/s"))
}

/// A table of these entries.
pub(super) fn table<const N: usize>(entries: [(&str, Value); N]) -> Table {
    entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// Puts a value into a table.
pub(super) fn put(table: &mut Table, key: &str, value: impl Into<Value>) {
    table.insert(key.to_owned(), value.into());
}
