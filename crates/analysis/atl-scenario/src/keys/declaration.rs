//! Declarations of sections, keys and the shapes of values.

use atl_core::time::Span;

use super::bounds::{Range, Words};
use super::rule::Rule;

/// Declaration of a table of the file.
#[derive(Debug)]
pub struct Section {
    /// Path of the table, which is its heading in the documentation.
    pub name: &'static str,
    /// Description in one line.
    pub about: &'static str,
    /// Keys with fixed names.
    pub keys: &'static [Key],
    /// Keys with other names; `None` if there are none.
    pub others: Option<Others>,
    /// Constraints between its keys.
    pub rules: &'static [Rule],
}

/// Keys whose names the user or a protocol chooses.
#[derive(Clone, Copy, Debug)]
pub struct Others {
    /// Description in one line.
    pub about: &'static str,
    /// Shape of each value.
    pub shape: Shape,
}

/// Declaration of a key.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Name in the file.
    pub name: &'static str,
    /// Shape of its value.
    pub shape: Shape,
    /// Value or behaviour without the key.
    pub default: Default,
    /// Documentation in one line of Markdown.
    pub about: &'static str,
    /// True if `$name` stands for a variable's value in and below it.
    pub variables: bool,
}

/// Value or behaviour where a key is left out.
#[derive(Clone, Copy, Debug)]
pub enum Default {
    /// The key must be given.
    Required,
    /// This value, written as TOML.
    Value(&'static str),
    /// No fixed value: this text describes the behaviour, unless it is empty.
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

    /// Declaration of the key with this name.
    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// Names of the declared keys.
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

/// [`Key::new`], shorter for declarations.
pub(super) const fn key(name: &'static str, shape: Shape, about: &'static str) -> Key {
    Key::new(name, shape, about)
}

/// Type and bounds of a value.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A text of any length.
    Text,
    /// A text of 1 to this many characters.
    ShortText(usize),
    /// A name chosen by the user: letters, digits, `-` and `_`, at most 64.
    Name,
    /// A word from a list.
    Word(Words),
    /// A Boolean, `true` or `false`.
    Bool,
    /// Only `false`, which turns a feature off.
    Off,
    /// A whole number within limits.
    Whole {
        /// Lowest number allowed.
        from: u64,
        /// Highest number allowed.
        to: u64,
    },
    /// A number within a range.
    Number(Range),
    /// A probability or share, as a number or with `%`.
    Probability(Range),
    /// A relative error: a share that may be negative.
    RelativeError,
    /// A time with its unit.
    Time {
        /// Shortest time allowed.
        from: Span,
        /// Longest time allowed.
        to: Span,
    },
    /// A rate with its unit, such as `2Mb/s`.
    Rate,
    /// A size with its unit, at least this many bytes.
    Size(u64),
    /// A frequency in Hz, or with its unit.
    Frequency(Range),
    /// A level in dB, or with its unit.
    Decibels(Range),
    /// A length or a coordinate in metres, or with its unit.
    Length(Range),
    /// A speed with its unit, within bounds in m/s.
    Speed(Range),
    /// A current with its unit, such as `327mA`.
    Current,
    /// A charge with its unit, such as `730mAh`.
    Charge,
    /// A table of this section.
    Table(&'static Section),
    /// A list of values of one shape.
    List {
        /// Shape of the items.
        of: &'static Shape,
        /// Lower limit on the number of items.
        from: usize,
        /// Upper limit on the number of items.
        to: usize,
    },
    /// A value of any of these shapes.
    AnyOf(&'static [Shape]),
    /// Value of a variable: a text, a finite number, `true`, `false` or a table, without variables
    /// in it.
    Value,
    /// A labelled value: a variable's value or a list.
    Anything,
    /// A variable's value at a point of a sweep, for selecting points.
    PointValue,
    /// A number, or a text for one: a quantity with its unit, or a percentage.
    Quantity,
    /// The number that a quote states, in the unit of its metric.
    Expected,
    /// A controller's option, which the controller itself checks.
    Option,
}

impl Shape {
    /// Any time, zero included.
    pub const TIME: Shape = Shape::Time { from: Span::ZERO, to: Span::MAX };
    /// A time of at least 1 ms, as the interval of recurring events: each is simulated.
    pub const PERIOD: Shape = Shape::Time { from: Span::from_millis(1), to: Span::MAX };
    /// A time above zero.
    pub const POSITIVE_TIME: Shape = Shape::Time { from: Span::from_nanos(1), to: Span::MAX };
    /// A probability from 0 to 1.
    pub const PROBABILITY: Shape = Shape::Probability(Range::new(0.0, 1.0));
    /// A probability below 1.
    pub const BELOW_ONE: Shape = Shape::Probability(Range::new(0.0, 1.0).below());
    /// A size above zero.
    pub const SIZE: Shape = Shape::Size(1);

    /// A word from a list short enough to be shown.
    pub(super) const fn word(list: fn() -> Vec<&'static str>) -> Shape {
        Shape::Word(Words { what: "", list })
    }

    /// A whole number from 1.
    pub(super) const fn up_to(to: u64) -> Shape {
        Shape::Whole { from: 1, to }
    }

    /// A number within bounds that are both allowed.
    pub(super) const fn number(from: f64, to: f64) -> Shape {
        Shape::Number(Range::new(from, to))
    }

    /// A list of any length.
    pub(super) const fn list(of: &'static Shape) -> Shape {
        Shape::List { of, from: 0, to: usize::MAX }
    }

    /// The alternatives of [`Shape::AnyOf`], otherwise the shape itself.
    pub fn alternatives(&self) -> &[Shape] {
        match self {
            Shape::AnyOf(shapes) => shapes,
            other => std::slice::from_ref(other),
        }
    }
}
