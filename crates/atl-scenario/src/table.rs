//! Cursors over the tree: they know their path, read values with a unit and a range, and report what
//! does not fit.

use atl_core::time::Span;
use atl_core::units::{Probability, Rate};

use crate::errors::{Problem, Sink, list};
use crate::keys::Section;
use crate::tree::{Entry, Kind, Loc, Node, Sources, is_name};
use crate::units;
use crate::value::{Value, value_of};

/// What a relative error may be.
const ERROR: &str = "a relative error is from -10 to 10, or \"-1000%\" to \"1000%\"";

/// What every cursor carries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cx<'a> {
    pub sink: &'a Sink,
    pub sources: &'a Sources,
}

/// A value with its path.
#[derive(Clone, Debug)]
pub(crate) struct Field<'a> {
    pub cx: Cx<'a>,
    pub path: String,
    pub node: &'a Node,
}

/// A table whose keys are known.
#[derive(Clone, Debug)]
pub(crate) struct Table<'a> {
    pub cx: Cx<'a>,
    pub path: String,
    pub at: Loc,
    section: &'static Section,
    entries: &'a [Entry],
}

impl<'a> Table<'a> {
    /// The whole file.
    pub fn root(cx: Cx<'a>, node: &'a Node, section: &'static Section) -> Self {
        let table =
            Table { cx, path: String::new(), at: node.at, section, entries: node.entries() };
        table.check_keys();
        table
    }

    /// An empty table in this one's place, for a key that was left out.
    pub fn empty(&self, section: &'static Section) -> Self {
        Table { section, entries: &[], ..self.clone() }
    }

    fn check_keys(&self) {
        if self.section.open {
            return;
        }
        for entry in self.entries.iter().filter(|e| !self.section.keys.contains(&e.key.as_str())) {
            let place = match self.path.as_str() {
                "" => "in this file".to_owned(),
                path => format!("in `{path}`"),
            };
            let problem = Problem::new(format!("unknown key `{}` {place}", entry.key))
                .at(entry.key_at)
                .key(join(&self.path, &entry.key))
                .label("unknown key")
                .nearest(&entry.key, self.section.keys.iter().copied());
            self.cx.sink.report(problem);
        }
    }

    /// The value under a key of the section, if the file gives it.
    pub fn get(&self, key: &'static str) -> Option<Field<'a>> {
        debug_assert!(self.section.keys.contains(&key), "{key} is not in {}", self.section.name);
        self.entries.iter().find(|e| e.key == key).map(|e| self.field(e))
    }

    /// The value under a key that the file must give.
    pub fn need(&self, key: &'static str) -> Option<Field<'a>> {
        let field = self.get(key);
        if field.is_none() {
            let place = match self.path.as_str() {
                "" => "the file".to_owned(),
                path => format!("`{path}`"),
            };
            self.cx.sink.report(
                Problem::new(format!("`{key}` is missing in {place}"))
                    .at(self.at)
                    .key(join(&self.path, key))
                    .label(format!("has no `{key}`")),
            );
        }
        field
    }

    /// Every key that is not one of the section's own.
    pub fn others(&self) -> impl Iterator<Item = (&'a Entry, Field<'a>)> + '_ {
        self.entries
            .iter()
            .filter(|e| !self.section.keys.contains(&e.key.as_str()))
            .map(|e| (e, self.field(e)))
    }

    fn field(&self, entry: &'a Entry) -> Field<'a> {
        Field { cx: self.cx, path: join(&self.path, &entry.key), node: &entry.node }
    }

    /// Reads a key with one of the field's methods, if it is there.
    pub fn read<T>(&self, key: &'static str, f: impl FnOnce(&Field<'a>) -> Option<T>) -> Option<T> {
        self.get(key).and_then(|field| f(&field))
    }

    /// Reports a problem with the table as a whole.
    pub fn report(&self, message: impl Into<String>, label: impl Into<String>) {
        let problem = Problem::new(message).at(self.at).key(self.path.clone()).label(label);
        self.cx.sink.report(problem);
    }
}

pub(crate) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

impl<'a> Field<'a> {
    /// A problem at this value; where a variable put it here, both places are shown.
    pub fn problem(&self, message: impl Into<String>, label: impl Into<String>) -> Problem {
        let problem = Problem::new(message).at(self.node.at).key(self.path.clone()).label(label);
        match &self.node.used {
            Some((at, name)) => problem.related(*at, format!("used here as `${name}`")),
            None => problem,
        }
    }

    pub fn report(&self, problem: Problem) {
        self.cx.sink.report(problem);
    }

    /// Reports that something else is wanted here.
    fn wanted<T>(&self, wanted: &str, help: &str) -> Option<T> {
        if matches!(self.node.kind, Kind::Poison) {
            return None;
        }
        let message = format!("`{}` is not {wanted}", self.path);
        let mut problem =
            self.problem(message, format!("expected {wanted}, found {}", self.node.what()));
        if !help.is_empty() {
            problem = problem.help(help);
        }
        self.report(problem);
        None
    }

    /// Reports that the value is out of its range, or unreadable.
    pub fn bad<T>(&self, label: impl Into<String>) -> Option<T> {
        let value = self.cx.sources.slice(self.node.at).to_owned();
        let message = format!("`{}` cannot be {}", self.path, crate::tree::shortened(&value));
        self.report(self.problem(message, label));
        None
    }

    pub fn text(&self) -> Option<&'a str> {
        match &self.node.kind {
            Kind::Str(s) => Some(s),
            _ => self.wanted("a text", ""),
        }
    }

    pub fn bool(&self) -> Option<bool> {
        match self.node.kind {
            Kind::Bool(b) => Some(b),
            _ => self.wanted("true or false", ""),
        }
    }

    /// A name: see [`is_name`].
    pub fn name(&self) -> Option<&'a str> {
        let text = self.text()?;
        if is_name(text) {
            return Some(text);
        }
        self.bad("a name has letters, digits, `-` and `_`, at most 64 of them")
    }

    /// One of some words.
    pub fn one_of<T: Copy>(&self, words: &[(&str, T)]) -> Option<T> {
        let text = self.text()?;
        if let Some((_, value)) = words.iter().find(|(word, _)| *word == text) {
            return Some(*value);
        }
        let names: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let message = format!("`{}` cannot be `{}`", self.path, crate::tree::shortened(text));
        self.report(
            self.problem(message, format!("expected one of {}", list(&names))).nearest(text, names),
        );
        None
    }

    /// A whole number in a range.
    pub fn whole(&self, from: u64, to: u64) -> Option<u64> {
        let Kind::Int(n) = self.node.kind else {
            return self.wanted("a whole number", "");
        };
        match u64::try_from(n) {
            Ok(n) if (from..=to).contains(&n) => Some(n),
            _ => self.bad(format!("it must be from {from} to {to}")),
        }
    }

    /// A number in a range.
    pub fn number(&self, from: f64, to: f64) -> Option<f64> {
        let n = match self.node.kind {
            Kind::Int(n) => n as f64,
            Kind::Float(n) => n,
            _ => return self.wanted("a number", ""),
        };
        if (from..=to).contains(&n) {
            Some(n)
        } else {
            self.bad(format!("it must be from {from} to {to}"))
        }
    }

    /// A time, zero included.
    pub fn time(&self) -> Option<Span> {
        self.quantity("a time", "s\" or \"", "ms", units::time)
    }

    /// A rate above zero.
    pub fn rate(&self) -> Option<Rate> {
        self.quantity("a rate", "Mb/s\" or \"", "kb/s", units::rate)
    }

    /// A size in bytes.
    pub fn size(&self) -> Option<u64> {
        self.quantity("a size", "B\" or \"", "kB", units::size)
    }

    /// A frequency in Hz, in a range; a bare number is in Hz.
    pub fn frequency(&self, from: f64, to: f64) -> Option<f64> {
        self.or_number(from, to, "Hz", units::hertz)
    }

    /// A level in dB, in a range; a bare number is in dB.
    pub fn decibels(&self, from: f64, to: f64) -> Option<f64> {
        self.or_number(from, to, "dB", units::decibels)
    }

    /// A number in a unit, or in the first unit without one.
    fn or_number(
        &self,
        from: f64,
        to: f64,
        unit: &str,
        read: impl Fn(&str) -> Result<f64, String>,
    ) -> Option<f64> {
        let Kind::Str(text) = &self.node.kind else {
            return self.number(from, to);
        };
        match read(text) {
            Ok(n) if (from..=to).contains(&n) => Some(n),
            Ok(_) => self.bad(format!("it must be from {from} to {to} {unit}")),
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
            Kind::Str(s) => read(s).map_or_else(|error| self.bad(error), Some),
            Kind::Int(_) | Kind::Float(_) => {
                let n = self.cx.sources.slice(self.node.at);
                self.wanted(what, &format!("a number needs a unit: write \"{n}{unit}{n}{other}\""))
            }
            _ => self.wanted(what, ""),
        }
    }

    /// A probability: a number from 0 to 1, or a percentage.
    pub fn probability(&self) -> Option<Probability> {
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

    /// A relative error: a share that may be negative.
    pub fn error(&self) -> Option<f64> {
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

    pub fn table(&self, section: &'static Section) -> Option<Table<'a>> {
        let Kind::Table(entries) = &self.node.kind else {
            return self.wanted("a table", "");
        };
        let table =
            Table { cx: self.cx, path: self.path.clone(), at: self.node.at, section, entries };
        table.check_keys();
        Some(table)
    }

    /// The items of a list.
    pub fn items(&self) -> Option<Vec<Field<'a>>> {
        let Kind::Array(items) = &self.node.kind else {
            return self.wanted("a list", "");
        };
        let field = |(i, node)| Field { cx: self.cx, path: format!("{}.{i}", self.path), node };
        Some(items.iter().enumerate().map(field).collect())
    }

    /// The tables of a list of tables. Their paths hold their names where they have one.
    pub fn tables(&self, section: &'static Section, id: &str) -> Vec<Table<'a>> {
        let mut tables = Vec::new();
        for item in self.items().unwrap_or_default() {
            let named = item.node.get(id).and_then(|n| match &n.kind {
                Kind::Str(s) if is_name(s) => Some(join(&self.path, s)),
                _ => None,
            });
            tables
                .extend(Field { path: named.unwrap_or(item.path.clone()), ..item }.table(section));
        }
        tables
    }

    /// The value of a variable: a text or a number.
    pub fn value(&self) -> Option<Value> {
        match &self.node.kind {
            Kind::Array(_) | Kind::Other(_) => self.wanted("a text or a number", ""),
            Kind::Poison => None,
            Kind::Float(n) if !n.is_finite() => self.bad("it must be finite"),
            _ => Some(value_of(self.cx.sources, self.node)),
        }
    }
}
