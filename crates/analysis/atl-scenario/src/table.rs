//! Cursors over the tree that know the path and declaration of a value, and report mistakes.

use crate::defaults::default_of;
use crate::effects::Effects;
use crate::errors::{Problem, Sink};
use crate::keys::{Default, Section, Shape};
use crate::rules::{Broken, broken};
use crate::solved::Solved;
use crate::tree::{Entry, Kind, Loc, Node, Sources, is_name, shortened};

/// State shared by all cursors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cx<'a> {
    pub sink: &'a Sink,
    pub effects: &'a Effects,
    pub sources: &'a Sources,
    pub solved: &'a Solved,
}

/// A value with its path and its declared shape.
#[derive(Clone, Debug)]
pub(crate) struct Field<'a> {
    pub cx: Cx<'a>,
    pub path: String,
    pub node: &'a Node,
    pub shape: &'static Shape,
}

/// A table with its path and its declared section.
#[derive(Clone, Debug)]
pub(crate) struct Table<'a> {
    pub cx: Cx<'a>,
    pub path: String,
    pub at: Loc,
    pub section: &'static Section,
    /// True unless it has keys that exclude each other.
    pub consistent: bool,
    entries: &'a [Entry],
}

impl<'a> Table<'a> {
    /// Cursor to the whole file.
    pub(crate) fn root(cx: Cx<'a>, node: &'a Node, section: &'static Section) -> Self {
        Table::unchecked(cx, node, section).checked()
    }

    /// Cursor to the file as written. Missing keys are no mistake, since the command line may
    /// supply them.
    pub(crate) fn unchecked(cx: Cx<'a>, node: &'a Node, section: &'static Section) -> Self {
        let (path, entries) = (String::new(), node.entries());
        Table { cx, path, at: node.at, section, consistent: true, entries }
    }

    /// An empty table at this one's place, for a key that was left out.
    pub(crate) fn empty(&self, section: &'static Section) -> Self {
        Table { section, entries: &[], ..self.clone() }
    }

    /// An empty table at the place of a value that is short for one.
    pub(crate) fn empty_of(field: &Field<'a>, section: &'static Section) -> Self {
        let Field { cx, path, node, .. } = field;
        let (cx, path) = (*cx, path.clone());
        Table { cx, path, at: node.at, section, consistent: true, entries: &[] }
    }

    /// Reports unknown keys, missing keys and violated constraints.
    fn checked(mut self) -> Self {
        let known = |key: &str| self.section.key(key).is_some() || self.section.others.is_some();
        let unknown: Vec<_> = self.entries.iter().filter(|entry| !known(&entry.key)).collect();
        for entry in &unknown {
            let place =
                if self.path.is_empty() { "this file" } else { &format!("`{}`", self.path) };
            let problem = Problem::new(format!("unknown key `{}` in {place}", entry.key))
                .at(entry.key_at)
                .key(join(&self.path, &entry.key))
                .label("unknown key");
            self.cx.sink.report(match self.cx.sink.is_full() {
                true => problem,
                false => problem.nearest(&entry.key, self.section.names()),
            });
        }
        for key in self.section.keys {
            if matches!(key.default, Default::Required) && self.get(key.name).is_none() {
                self.missing(key.name);
            }
        }
        for broken in self.section.rules.iter().flat_map(|rule| broken(rule, self.entries)) {
            match broken {
                Broken::Apart(entries, label) => {
                    let names: Vec<_> = entries.iter().map(|e| format!("`{}`", e.key)).collect();
                    let message = format!("{} exclude each other", names.join(" and "));
                    let mut by_place = entries.clone();
                    by_place.sort_by_key(|entry| entry.key_at);
                    let problem = match &by_place[..] {
                        [first, .., last] => Problem::new(message)
                            .at(last.key_at)
                            .key(join(&self.path, &last.key))
                            .label(label)
                            .related(first.key_at, format!("`{}` is here", first.key)),
                        _ => Problem::new(message).at(self.at).key(self.path.clone()).label(label),
                    };
                    self.cx.sink.report(problem);
                    // The keys that are missing depend on which of these is meant.
                    self.consistent = false;
                    break;
                }
                // With unknown keys in the table, a misspelling is the likelier cause and has been
                // reported.
                Broken::None(message, label) if unknown.is_empty() => {
                    self.report(format!("`{}` {message}", self.path), label);
                }
                Broken::None(..) => {}
                Broken::Missing(key) => self.missing(key),
                Broken::Misplaced(entry, label) => {
                    self.field(entry).bad::<()>(label);
                }
            }
        }
        self
    }

    /// The value under a declared key, if the file gives it.
    pub(crate) fn get(&self, key: &'static str) -> Option<Field<'a>> {
        debug_assert!(self.section.key(key).is_some(), "{key} is not in {}", self.section.name);
        self.entries.iter().find(|e| e.key == key).map(|e| self.field(e))
    }

    /// The value under a declared key, otherwise its declared default.
    pub(crate) fn or_default(&self, key: &'static str) -> Option<Field<'a>> {
        self.get(key).or_else(|| {
            let declared = self.section.key(key)?;
            let node = default_of(self.section, key)?;
            Some(Field { cx: self.cx, path: join(&self.path, key), node, shape: &declared.shape })
        })
    }

    pub(crate) fn missing(&self, key: &str) {
        let place = if self.path.is_empty() { "the file" } else { &format!("`{}`", self.path) };
        self.cx.sink.report(
            Problem::new(format!("`{key}` is missing in {place}"))
                .at(self.at)
                .key(join(&self.path, key))
                .label(format!("has no `{key}`")),
        );
    }

    /// Keys that are not declared by name.
    pub(crate) fn others(&self) -> impl Iterator<Item = (&'a Entry, Field<'a>)> + '_ {
        self.entries
            .iter()
            .filter(|e| self.section.key(&e.key).is_none())
            .map(|e| (e, self.field(e)))
    }

    fn field(&self, entry: &'a Entry) -> Field<'a> {
        let others = || self.section.others.as_ref().map_or(&Shape::Text, |others| &others.shape);
        let shape = self.section.key(&entry.key).map_or_else(others, |key| &key.shape);
        Field { cx: self.cx, path: join(&self.path, &entry.key), node: &entry.node, shape }
    }

    /// Reads a key that may be left out.
    pub(crate) fn read<T>(
        &self,
        key: &'static str,
        f: impl FnOnce(&Field<'a>) -> Option<T>,
    ) -> Option<T> {
        self.get(key).and_then(|field| f(&field))
    }

    /// Reads a key, otherwise its declared default.
    pub(crate) fn value<T>(
        &self,
        key: &'static str,
        f: impl FnOnce(&Field<'a>) -> Option<T>,
    ) -> Option<T> {
        self.or_default(key).and_then(|field| f(&field))
    }

    pub(crate) fn report(&self, message: impl Into<String>, label: impl Into<String>) {
        let problem = Problem::new(message).at(self.at).key(self.path.clone()).label(label);
        self.cx.sink.report(problem);
    }
}

pub(crate) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

impl<'a> Field<'a> {
    /// A problem at this value. If a variable supplied the value, both places are marked.
    pub(crate) fn problem(&self, message: impl Into<String>, label: impl Into<String>) -> Problem {
        let problem = Problem::new(message).at(self.node.at).key(self.path.clone()).label(label);
        match &self.node.used {
            Some((at, name)) => problem.related(*at, format!("used here as `${name}`")),
            None => problem,
        }
    }

    pub(crate) fn report(&self, problem: Problem) {
        self.cx.sink.report(problem);
    }

    /// Reports a value of the wrong type.
    pub(crate) fn wanted<T>(&self, wanted: &str, help: &str) -> Option<T> {
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

    /// Reports a value that is out of range or unreadable.
    pub(crate) fn bad<T>(&self, label: impl Into<String>) -> Option<T> {
        let value = self.cx.sources.slice(self.node.at).to_owned();
        let message = format!("`{}` cannot be {}", self.path, shortened(&value));
        self.report(self.problem(message, label));
        None
    }

    /// Finds the declaration among the alternatives that this value may have.
    pub(crate) fn declared<T>(&self, what: &str, of: impl Fn(&'static Shape) -> Option<T>) -> T {
        match self.shape.alternatives().iter().find_map(of) {
            Some(declared) => declared,
            None => unreachable!("`{}` is not declared as {what}", self.path),
        }
    }

    /// True for `false`, which turns a feature off.
    pub(crate) fn is_off(&self) -> bool {
        matches!(self.node.kind, Kind::Bool(false))
    }

    /// True if the value is this text.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        matches!(&self.node.kind, Kind::Str(text) if text == word)
    }

    pub(crate) fn is_text(&self) -> bool {
        matches!(self.node.kind, Kind::Str(_))
    }

    pub(crate) fn is_list(&self) -> bool {
        matches!(self.node.kind, Kind::Array(_))
    }

    pub(crate) fn is_table(&self) -> bool {
        matches!(self.node.kind, Kind::Table(_))
    }

    /// The value as its declared table.
    pub(crate) fn table(&self) -> Option<Table<'a>> {
        let section = self.declared("a table", |shape| match shape {
            Shape::Table(section) => Some(*section),
            _ => None,
        });
        self.table_of(section)
    }

    /// The value as a table of a section other than the declared one.
    pub(crate) fn table_of(&self, section: &'static Section) -> Option<Table<'a>> {
        let Kind::Table(entries) = &self.node.kind else {
            return self.wanted("a table", "");
        };
        let (cx, path, at) = (self.cx, self.path.clone(), self.node.at);
        Some(Table { cx, path, at, section, consistent: true, entries }.checked())
    }

    /// The items of a list, checked for number.
    pub(crate) fn items(&self) -> Option<Vec<Field<'a>>> {
        let (shape, from, to) = self.declared("a list", |shape| match shape {
            Shape::List { of, from, to } => Some((*of, *from, *to)),
            _ => None,
        });
        let Kind::Array(items) = &self.node.kind else {
            return self.wanted("a list", "");
        };
        if !(from..=to).contains(&items.len()) {
            return self.bad(match (from, to) {
                (1, usize::MAX) => "the list must not be empty".to_owned(),
                (from, usize::MAX) => format!("the list must have at least {from} items"),
                (from, to) if from == to => format!("the list must have {from} items"),
                (from, to) => format!("the list must have from {from} to {to} items"),
            });
        }
        let (cx, path) = (self.cx, &self.path);
        let field = |(i, node)| Field { cx, path: format!("{path}.{i}"), node, shape };
        Some(items.iter().enumerate().map(field).collect())
    }

    /// The tables in a list. Their paths have their names where there is one.
    pub(crate) fn tables(&self, id: &str) -> Vec<Table<'a>> {
        let mut tables = Vec::new();
        for item in self.items().unwrap_or_default() {
            let named = item.node.get(id).and_then(|n| match &n.kind {
                Kind::Str(s) if is_name(s) => Some(join(&self.path, s)),
                _ => None,
            });
            tables.extend(Field { path: named.unwrap_or(item.path.clone()), ..item }.table());
        }
        tables
    }
}
