//! A scenario file as a tree in which every value knows its place.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A place in one of a scenario's texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Loc {
    /// Index of the text: 0 for the file, others for arguments of the command line.
    pub source: usize,
    /// Offset of the first byte.
    pub start: usize,
    /// Offset past the last byte.
    pub end: usize,
}

/// A text with values.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// Name as shown in messages.
    pub name: String,
    /// Text that places refer to.
    pub text: String,
}

/// All texts of a scenario.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources(pub Vec<Source>);

impl Sources {
    /// Adds a text and returns its index.
    pub(crate) fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> usize {
        self.0.push(Source { name: name.into(), text: text.into() });
        self.0.len() - 1
    }

    pub(crate) fn slice(&self, at: Loc) -> &str {
        self.0.get(at.source).and_then(|s| s.text.get(at.start..at.end)).unwrap_or("")
    }
}

/// A value with its place.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Place where it is written.
    pub at: Loc,
    /// Place where it replaced a variable, and the variable's name.
    pub used: Option<(Loc, String)>,
    /// Type of the value with its content.
    pub kind: Kind,
}

/// Type and content of a value.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Str(String),
    Int(i64),
    Float(f64),
    Bool(bool),
    Array(Vec<Node>),
    Table(Vec<Entry>),
    /// A date or a number out of range, which no key takes.
    Other(&'static str),
    /// A mistake that has been reported already.
    Poison,
}

/// A key and its value.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub key: String,
    pub key_at: Loc,
    pub node: Node,
}

impl Node {
    /// Entries of a table; empty for other values.
    pub(crate) fn entries(&self) -> &[Entry] {
        match &self.kind {
            Kind::Table(entries) => entries,
            _ => &[],
        }
    }

    /// Items of a list; empty for other values.
    pub(crate) fn items(&self) -> &[Node] {
        match &self.kind {
            Kind::Array(items) => items,
            _ => &[],
        }
    }

    /// Value under a key of a table.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|e| e.key == key).map(|e| &e.node)
    }

    /// Short description for messages.
    pub(crate) fn what(&self) -> String {
        match &self.kind {
            Kind::Str(s) => format!("the text \"{}\"", shortened(s)),
            Kind::Int(n) => format!("the number {n}"),
            Kind::Float(n) => format!("the number {n}"),
            Kind::Bool(b) => format!("{b}"),
            Kind::Array(_) => "a list".to_owned(),
            Kind::Table(_) => "a table".to_owned(),
            Kind::Other(what) => (*what).to_owned(),
            Kind::Poison => "nothing".to_owned(),
        }
    }

    /// Label and value of a labelled value.
    pub(crate) fn labelled(&self) -> Option<(&str, &Node)> {
        match &self.get("label")?.kind {
            Kind::Str(label) => Some((label, self.get("value")?)),
            _ => None,
        }
    }

    /// Name of the variable that it refers to: `name` for the text `$name`.
    pub(crate) fn variable(&self) -> Option<&str> {
        match &self.kind {
            Kind::Str(s) => s.strip_prefix('$').filter(|name| is_name(name)),
            _ => None,
        }
    }

    /// Calls `f` with each variable used in it, and the place of that use.
    pub(crate) fn variables(&self, f: &mut dyn FnMut(&str, Loc)) {
        match &self.kind {
            Kind::Array(items) => items.iter().for_each(|item| item.variables(f)),
            Kind::Table(entries) => entries.iter().for_each(|e| e.node.variables(f)),
            _ => {
                if let Some(name) = self.variable() {
                    f(name, self.at);
                }
            }
        }
    }
}

/// Shortens a text to at most 40 characters.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// True for valid names of nodes, links, flows, networks and variables: letters, digits, `-` and
/// `_`, at most 64. A dot would make paths such as `link.air.delay` ambiguous.
pub(crate) fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= 64
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

/// Converts a parsed table, with entries in the order of the file.
pub(crate) fn from_table(source: usize, table: &Spanned<DeTable<'_>>) -> Node {
    let span = table.span();
    Node {
        at: Loc { source, start: span.start, end: span.end },
        used: None,
        kind: entries_of(source, 0, table.get_ref()),
    }
}

/// Converts a parsed value that starts `offset` bytes into its source.
pub(crate) fn from_value(source: usize, offset: usize, value: &Spanned<DeValue<'_>>) -> Node {
    let span = value.span();
    let kind = match value.get_ref() {
        DeValue::String(s) => Kind::Str(s.clone().into_owned()),
        DeValue::Integer(n) => i64::from_str_radix(n.as_str(), n.radix())
            .map_or(Kind::Other("a number out of range"), Kind::Int),
        DeValue::Float(n) => {
            n.as_str().parse().map_or(Kind::Other("a strange number"), Kind::Float)
        }
        DeValue::Boolean(b) => Kind::Bool(*b),
        DeValue::Datetime(_) => Kind::Other("a date or time of day"),
        DeValue::Array(items) => {
            Kind::Array(items.iter().map(|v| from_value(source, offset, v)).collect())
        }
        DeValue::Table(table) => entries_of(source, offset, table),
    };
    Node {
        at: Loc { source, start: span.start + offset, end: span.end + offset },
        used: None,
        kind,
    }
}

fn entries_of(source: usize, offset: usize, table: &DeTable<'_>) -> Kind {
    let mut entries: Vec<Entry> = table
        .iter()
        .map(|(key, value)| {
            let span = key.span();
            Entry {
                key: key.get_ref().clone().into_owned(),
                key_at: Loc { source, start: span.start + offset, end: span.end + offset },
                node: from_value(source, offset, value),
            }
        })
        .collect();
    entries.sort_by_key(|e| e.key_at);
    Kind::Table(entries)
}
