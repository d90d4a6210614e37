//! What a declaration consists of: sections, keys and the shapes of their values.

use atl_core::time::Span;

use super::bounds::{Range, Words};
use super::rule::Rule;

/// A table of the file.
#[derive(Debug)]
pub struct Section {
    /// Its heading in the documentation: the path of the table.
    pub name: &'static str,
    /// What the table describes, in a line.
    pub about: &'static str,
    /// The keys that it may hold.
    pub keys: &'static [Key],
    /// What keys of other names hold; `None` if there are no others.
    pub others: Option<Others>,
    /// What its keys require of each other.
    pub rules: &'static [Rule],
}

/// Keys whose names the declaration does not know: the user's own, or a protocol's.
#[derive(Clone, Copy, Debug)]
pub struct Others {
    /// What such a key is, in a line.
    pub about: &'static str,
    /// What it holds.
    pub shape: Shape,
}

/// A key of a section.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub shape: Shape,
    /// What holds where it is left out.
    pub default: Default,
    /// Its documentation, in a line of Markdown.
    pub about: &'static str,
    /// `$name` stands for a variable's value in and below it.
    pub variables: bool,
}

/// What holds where a key is left out.
#[derive(Clone, Copy, Debug)]
pub enum Default {
    /// The file is wrong without it.
    Required,
    /// This value, as TOML.
    Value(&'static str),
    /// Nothing, or what these words say.
    Otherwise(&'static str),
}

impl Section {
    pub(super) const fn new(
        name: &'static str,
        about: &'static str,
        keys: &'static [Key],
    ) -> Section {
        Section { name, about, keys, others: None, rules: &[] }
    }

    pub(super) const fn others(self, about: &'static str, shape: Shape) -> Section {
        Section { others: Some(Others { about, shape }), ..self }
    }

    pub(super) const fn rules(self, rules: &'static [Rule]) -> Section {
        Section { rules, ..self }
    }

    /// The declaration of a key.
    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// The names of its keys.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.keys.iter().map(|key| key.name)
    }
}

impl Key {
    pub(super) const fn new(name: &'static str, shape: Shape, about: &'static str) -> Key {
        Key { name, shape, default: Default::Otherwise(""), about, variables: false }
    }

    pub(super) const fn required(self) -> Key {
        Key { default: Default::Required, ..self }
    }

    pub(super) const fn default(self, toml: &'static str) -> Key {
        Key { default: Default::Value(toml), ..self }
    }

    pub(super) const fn otherwise(self, words: &'static str) -> Key {
        Key { default: Default::Otherwise(words), ..self }
    }

    pub(super) const fn variables(self) -> Key {
        Key { variables: true, ..self }
    }
}

/// Short for [`Key::new`] in declarations.
pub(super) const fn key(name: &'static str, shape: Shape, about: &'static str) -> Key {
    Key::new(name, shape, about)
}

/// What a value may be.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A text.
    Text,
    /// A text of 1 to this many characters.
    ShortText(usize),
    /// A name of a node, link, flow, network or variable.
    Name,
    /// A word from a list.
    Word(Words),
    /// `true` or `false`.
    Bool,
    /// `false`: the feature is off.
    Off,
    /// A whole number.
    Whole {
        /// The least.
        from: u64,
        /// The largest.
        to: u64,
    },
    /// A number.
    Number(Range),
    /// A probability or share, as a number or in per cent.
    Probability(Range),
    /// A relative error: a share that may be negative.
    RelativeError,
    /// A time with its unit.
    Time {
        /// The least.
        from: Span,
        /// The largest.
        to: Span,
    },
    /// A rate with its unit.
    Rate,
    /// A size with its unit, of at least this many bytes.
    Size(u64),
    /// A frequency in Hz, or with its unit.
    Frequency(Range),
    /// A level in dB, or with its unit.
    Decibels(Range),
    /// A length or a coordinate in metres, or with its unit.
    Length(Range),
    /// A speed with its unit, within bounds in m/s.
    Speed(Range),
    /// A current with its unit.
    Current,
    /// A charge with its unit.
    Charge,
    /// A table.
    Table(&'static Section),
    /// A list.
    List {
        /// What it holds.
        of: &'static Shape,
        /// The least number of items.
        from: usize,
        /// The largest number of items.
        to: usize,
    },
    /// Any of these.
    AnyOf(&'static [Shape]),
    /// A value of a variable: a text, a finite number, `true`, `false` or a table, without variables in it.
    Value,
    /// What a label stands for: a value of a variable, or a list.
    Anything,
    /// A value that names a point of a sweep.
    PointValue,
    /// A number, or a text that stands for one: a quantity with its unit, or a percentage.
    Quantity,
    /// What a quote expects, in the unit of its metric.
    Expected,
    /// An option of a protocol's congestion controller.
    Option,
}

impl Shape {
    /// Any time, zero included.
    pub const TIME: Shape = Shape::Time { from: Span::ZERO, to: Span::MAX };
    /// A time of at least 1 ms: what recurs, recurs event by event.
    pub const PERIOD: Shape = Shape::Time { from: Span::from_millis(1), to: Span::MAX };
    /// A time greater than zero.
    pub const POSITIVE_TIME: Shape = Shape::Time { from: Span::from_nanos(1), to: Span::MAX };
    /// A probability from 0 to 1.
    pub const PROBABILITY: Shape = Shape::Probability(Range::new(0.0, 1.0));
    /// A probability below 1.
    pub const BELOW_ONE: Shape = Shape::Probability(Range::new(0.0, 1.0).below());
    /// A size greater than zero.
    pub const SIZE: Shape = Shape::Size(1);

    /// The words of a short list.
    pub(super) const fn word(list: fn() -> Vec<&'static str>) -> Shape {
        Shape::Word(Words { what: "", list })
    }

    /// A whole number from 1.
    pub(super) const fn up_to(to: u64) -> Shape {
        Shape::Whole { from: 1, to }
    }

    /// A number, both bounds allowed.
    pub(super) const fn number(from: f64, to: f64) -> Shape {
        Shape::Number(Range::new(from, to))
    }

    /// A list of any length.
    pub(super) const fn list(of: &'static Shape) -> Shape {
        Shape::List { of, from: 0, to: usize::MAX }
    }

    /// The alternatives that it has; itself alone if it has none.
    pub fn alternatives(&self) -> &[Shape] {
        match self {
            Shape::AnyOf(shapes) => shapes,
            other => std::slice::from_ref(other),
        }
    }
}
