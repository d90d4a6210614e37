//! What a column of a data file is.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;

/// A column of a table whose rows are `R`.
pub(super) struct Column<R> {
    pub(super) name: String,
    pub(super) kind: ColumnType,
    /// What it holds.
    pub(super) about: About,
    read: Read<R>,
}

/// What a column holds, for readers of its file.
#[derive(Clone, Debug, Serialize)]
pub(super) struct About {
    /// Base unit; absent of texts, indices and bare numbers.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) unit: &'static str,
    pub(super) description: Cow<'static, str>,
}

impl About {
    pub(super) fn new(unit: &'static str, description: impl Into<Cow<'static, str>>) -> About {
        About { unit, description: description.into() }
    }
}

/// What the columns hold, as the value of [`COLUMNS`](super::COLUMNS).
pub(super) fn described<R>(columns: &[Column<R>]) -> serde_json::Result<String> {
    let all: BTreeMap<&str, &About> =
        columns.iter().map(|column| (column.name.as_str(), &column.about)).collect();
    serde_json::to_string(&all)
}

/// How a value is read from a row.
enum Read<R> {
    Plain(fn(&R) -> Field),
    /// With what the column is about: a metric, a variable.
    Capturing(Box<dyn Fn(&R) -> Field>),
}

/// Type of a column's values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ColumnType {
    Text,
    Int,
    Float,
}

/// A value, of the column's type or missing.
pub(super) enum Field {
    Text(String),
    Int(i64),
    Float(f64),
    Missing,
}

impl From<Option<f64>> for Field {
    /// A value that is not finite (ssthresh before the first loss) is missing.
    fn from(value: Option<f64>) -> Field {
        value.filter(|v| v.is_finite()).map_or(Field::Missing, Field::Float)
    }
}

impl From<f64> for Field {
    fn from(value: f64) -> Field {
        Field::from(Some(value))
    }
}

impl From<u64> for Field {
    /// Counts stay far below 2^63; the integers of data files are signed.
    fn from(value: u64) -> Field {
        Field::Int(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl From<Option<u64>> for Field {
    fn from(value: Option<u64>) -> Field {
        value.map_or(Field::Missing, Field::from)
    }
}

impl From<&str> for Field {
    fn from(value: &str) -> Field {
        Field::Text(value.to_owned())
    }
}

impl<R> Column<R> {
    pub(super) fn field(&self, row: &R) -> Field {
        match &self.read {
            Read::Plain(read) => read(row),
            Read::Capturing(read) => read(row),
        }
    }

    /// A column that reads each row with what it captures.
    pub(super) fn capturing(
        kind: ColumnType,
        name: &str,
        about: About,
        read: impl Fn(&R) -> Field + 'static,
    ) -> Column<R> {
        Column { name: name.to_owned(), kind, about, read: Read::Capturing(Box::new(read)) }
    }
}

fn column<R>(kind: ColumnType, name: &str, about: About, read: fn(&R) -> Field) -> Column<R> {
    Column { name: name.to_owned(), kind, about, read: Read::Plain(read) }
}

/// A column of words.
pub(super) fn text<R>(name: &str, about: &'static str, read: fn(&R) -> Field) -> Column<R> {
    column(ColumnType::Text, name, About::new("", about), read)
}

/// A column of indices and other bare whole numbers.
pub(super) fn index<R>(name: &str, about: &'static str, read: fn(&R) -> Field) -> Column<R> {
    column(ColumnType::Int, name, About::new("", about), read)
}

/// A column of counts of something.
pub(super) fn count<R>(
    name: &str,
    unit: &'static str,
    about: &'static str,
    read: fn(&R) -> Field,
) -> Column<R> {
    column(ColumnType::Int, name, About::new(unit, about), read)
}

/// A column of numbers with a unit.
pub(super) fn float<R>(
    name: &str,
    unit: &'static str,
    about: &'static str,
    read: fn(&R) -> Field,
) -> Column<R> {
    column(ColumnType::Float, name, About::new(unit, about), read)
}
