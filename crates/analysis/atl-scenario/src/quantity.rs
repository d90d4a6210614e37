//! Reading words, numbers and quantities with a unit within their declared bounds.

use atl_core::time::Span;
use atl_core::units::{Probability, Rate};

use crate::errors::list;
use crate::keys::{Range, Shape};
use crate::table::Field;
use crate::tree::{Kind, is_name, shortened};
use crate::units;
use crate::value::{Value, value_of};

/// Range of a relative error, for messages.
const ERROR: &str = "a relative error is from -10 to 10, or \"-1000%\" to \"1000%\"";

impl<'a> Field<'a> {
    pub(crate) fn text(&self) -> Option<&'a str> {
        match &self.node.kind {
            Kind::Str(s) => Some(s),
            _ => self.wanted("a text", ""),
        }
    }

    pub(crate) fn bool(&self) -> Option<bool> {
        match self.node.kind {
            Kind::Bool(b) => Some(b),
            _ => self.wanted("true or false", ""),
        }
    }

    /// Reads a name; see [`is_name`].
    pub(crate) fn name(&self) -> Option<&'a str> {
        let text = self.text()?;
        if is_name(text) {
            return Some(text);
        }
        self.bad("a name has letters, digits, `-` and `_`, at most 64 of them")
    }

    /// Reads a text of limited length that is not empty.
    pub(crate) fn short_text(&self) -> Option<&'a str> {
        let longest = self.declared("a short text", |shape| match shape {
            Shape::ShortText(longest) => Some(*longest),
            _ => None,
        });
        match self.text()? {
            "" => self.bad("it must not be empty"),
            text if text.chars().count() > longest => {
                self.bad(format!("it must have at most {longest} characters"))
            }
            text => Some(text),
        }
    }

    /// Reads one of some words as its meaning.
    pub(crate) fn one_of<T: Copy>(&self, words: &[(&'static str, T)]) -> Option<T> {
        debug_assert!(
            self.shape.alternatives().iter().all(|shape| match shape {
                Shape::Word(declared) => {
                    let declared = (declared.list)();
                    words.iter().all(|(word, _)| declared.contains(word))
                }
                _ => true,
            }),
            "`{}` takes words that are not declared",
            self.path
        );
        let text = self.text()?;
        if let Some((_, value)) = words.iter().find(|(word, _)| *word == text) {
            return Some(*value);
        }
        let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let message = format!("`{}` cannot be `{}`", self.path, shortened(text));
        self.report(
            self.problem(message, format!("expected one of {}", list(&names))).nearest(text, names),
        );
        None
    }

    pub(crate) fn whole(&self) -> Option<u64> {
        let (from, to) = self.declared("a whole number", |shape| match shape {
            Shape::Whole { from, to } => Some((*from, *to)),
            _ => None,
        });
        let Kind::Int(n) = self.node.kind else {
            return self.wanted("a whole number", "");
        };
        match u64::try_from(n) {
            Ok(n) if (from..=to).contains(&n) => Some(n),
            _ if to == u64::MAX => self.bad(format!("it must be at least {from}")),
            _ => self.bad(format!("it must be from {from} to {to}")),
        }
    }

    /// Reads a whole number into a type that holds the declared range.
    pub(crate) fn whole_as<T: TryFrom<u64>>(&self) -> Option<T> {
        T::try_from(self.whole()?).ok()
    }

    pub(crate) fn number(&self) -> Option<f64> {
        let range = self.declared("a number", |shape| match shape {
            Shape::Number(range) => Some(*range),
            _ => None,
        });
        self.number_in(range)
    }

    /// Reads a number in a range other than the declared one.
    pub(crate) fn number_in(&self, range: Range) -> Option<f64> {
        let n = match self.node.kind {
            Kind::Int(n) => n as f64,
            Kind::Float(n) => n,
            _ => return self.wanted("a number", ""),
        };
        if range.contains(n) { Some(n) } else { self.bad(format!("it must be {range}")) }
    }

    pub(crate) fn time(&self) -> Option<Span> {
        let (from, to) = self.declared("a time", |shape| match shape {
            Shape::Time { from, to } => Some((*from, *to)),
            _ => None,
        });
        match self.any_time()? {
            time if time < from && from.nanos() == 1 => self.bad("it must be greater than zero"),
            time if time < from => self.bad(format!("it must be at least {from}")),
            time if time > to => self.bad(format!("it must be at most {to}")),
            time => Some(time),
        }
    }

    /// Reads a time, zero included, where no time is declared.
    pub(crate) fn any_time(&self) -> Option<Span> {
        self.quantity("a time", "s\" or \"", "ms", units::time)
    }

    pub(crate) fn rate(&self) -> Option<Rate> {
        self.quantity("a rate", "Mb/s\" or \"", "kb/s", units::rate)
    }

    /// Reads a size in bytes.
    pub(crate) fn size(&self) -> Option<u64> {
        let least = self.declared("a size", |shape| match shape {
            Shape::Size(least) => Some(*least),
            _ => None,
        });
        match self.quantity("a size", "B\" or \"", "kB", units::size)? {
            size if size < least => self.bad(format!("it must be at least {least} B")),
            size => Some(size),
        }
    }

    /// Reads a frequency in Hz, which is also the unit of a bare number.
    pub(crate) fn frequency(&self) -> Option<f64> {
        let range = self.declared("a frequency", |shape| match shape {
            Shape::Frequency(range) => Some(*range),
            _ => None,
        });
        self.or_number(range, "Hz", units::hertz)
    }

    /// Reads a level in dB, which is also the unit of a bare number.
    pub(crate) fn decibels(&self) -> Option<f64> {
        let range = self.declared("a level", |shape| match shape {
            Shape::Decibels(range) => Some(*range),
            _ => None,
        });
        self.or_number(range, "dB", units::decibels)
    }

    /// Reads a length or a coordinate in metres, which is also the unit of a bare number.
    pub(crate) fn length(&self) -> Option<f64> {
        let range = self.declared("a length", |shape| match shape {
            Shape::Length(range) => Some(*range),
            _ => None,
        });
        self.or_number(range, "m", units::metres)
    }

    /// Reads a speed in m/s.
    pub(crate) fn speed(&self) -> Option<f64> {
        let range = self.declared("a speed", |shape| match shape {
            Shape::Speed(range) => Some(*range),
            _ => None,
        });
        match self.quantity("a speed", "km/h\" or \"", "m/s", units::metres_per_second)? {
            speed if range.contains(speed) => Some(speed),
            0.0 => self
                .bad("a host that never moves is a user of its cell: let the flow end in the cell"),
            _ => self.bad(format!("it must be {range} m/s")),
        }
    }

    /// Reads a current in amperes.
    pub(crate) fn current(&self) -> Option<f64> {
        self.quantity("a current", "mA", "A", units::amperes)
    }

    /// Reads a charge in ampere seconds.
    pub(crate) fn charge(&self) -> Option<f64> {
        self.quantity("a charge", "mAmin", "As", units::ampere_seconds)
    }

    /// Reads a number with a unit, or in the first unit if bare.
    fn or_number(
        &self,
        range: Range,
        unit: &str,
        read: impl Fn(&str) -> Result<f64, String>,
    ) -> Option<f64> {
        let Kind::Str(text) = &self.node.kind else {
            return self.number_in(range);
        };
        match read(text) {
            Ok(n) if range.contains(n) => Some(n),
            Ok(_) => self.bad(format!("it must be {range} {unit}")),
            Err(error) => self.bad(error),
        }
    }

    fn quantity<T>(
        &self,
        what: &str,
        unit: &str,
        other: &str,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Option<T> {
        match &self.node.kind {
            Kind::Str(text) => match read(text) {
                Ok(value) => Some(value),
                Err(error) => self.unreadable(text, &error),
            },
            Kind::Int(_) | Kind::Float(_) => {
                let n = self.cx.sources.slice(self.node.at);
                self.wanted(what, &format!("a number needs a unit: write \"{n}{unit}{n}{other}\""))
            }
            _ => self.wanted(what, ""),
        }
    }

    /// Reports a text that is not a quantity. Suggests a word that may have been meant.
    fn unreadable<T>(&self, text: &str, error: &str) -> Option<T> {
        let words: Vec<&str> = self
            .shape
            .alternatives()
            .iter()
            .flat_map(|shape| match shape {
                Shape::Word(words) => (words.list)(),
                _ => Vec::new(),
            })
            .collect();
        let value = self.cx.sources.slice(self.node.at).to_owned();
        let message = format!("`{}` cannot be {}", self.path, shortened(&value));
        let mut problem = self.problem(message, error).suggest(text, &words);
        if problem.help.is_empty() && !words.is_empty() {
            problem = problem.help(format!("it can also be {}", list(&words)));
        }
        self.report(problem);
        None
    }

    /// Reads a probability: a number from 0 to 1, or a percentage.
    pub(crate) fn probability(&self) -> Option<Probability> {
        let range = self.declared("a probability", |shape| match shape {
            Shape::Probability(range) => Some(*range),
            _ => None,
        });
        let p = self.any_probability()?;
        if range.contains(p.get()) { Some(p) } else { self.bad(format!("it must be {range}")) }
    }

    /// Reads a probability from 0 to 1 where none is declared.
    pub(crate) fn any_probability(&self) -> Option<Probability> {
        let p = match &self.node.kind {
            Kind::Int(n) => *n as f64,
            Kind::Float(n) => *n,
            Kind::Str(s) => match units::percent(s) {
                Ok(p) => p,
                Err(error) => return self.bad(error),
            },
            _ => return self.wanted("a probability", "write 0.01 or \"1%\""),
        };
        Probability::new(p)
            .or_else(|| self.bad("a probability is from 0 to 1, or \"0%\" to \"100%\""))
    }

    /// Reads a relative error: a share that may be negative.
    pub(crate) fn relative_error(&self) -> Option<f64> {
        let error = match &self.node.kind {
            Kind::Int(n) => *n as f64,
            Kind::Float(n) => *n,
            Kind::Str(s) => {
                let (sign, size) = s.strip_prefix('-').map_or((1.0, s.as_str()), |s| (-1.0, s));
                match units::percent(size) {
                    Ok(size) => sign * size,
                    Err(_) => return self.bad(ERROR),
                }
            }
            _ => return self.wanted("a relative error", "write -0.05 or \"-5%\""),
        };
        if error.abs() <= 10.0 { Some(error) } else { self.bad(ERROR) }
    }

    /// Reads a variable's value: a text or a number.
    pub(crate) fn value(&self) -> Option<Value> {
        match &self.node.kind {
            Kind::Array(_) | Kind::Other(_) => self.wanted("a text or a number", ""),
            Kind::Poison => None,
            Kind::Float(n) if n.is_nan() => self.bad("it must be finite"),
            Kind::Float(n) if n.is_infinite() => {
                self.bad(format!("the number is out of range: at most {:e} in size", f64::MAX))
            }
            _ => Some(value_of(self.cx.sources, self.node)),
        }
    }
}
