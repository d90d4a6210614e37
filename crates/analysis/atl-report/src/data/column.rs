//! Columns of data files: name, type, description, and how a row is read.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;

/// A column of a table whose rows are `R`.
pub(super) struct Column<R> {
    pub(super) name: String,
    pub(super) kind: ColumnType,
    pub(super) about: About,
    read: Read<R>,
}

/// Description of a column, for its readers.
#[derive(Clone, Debug, Serialize)]
pub(super) struct About {
    /// Base unit; empty for texts, indices and bare numbers.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) unit: &'static str,
    pub(super) description: Cow<'static, str>,
}

impl About {
    pub(super) fn new(unit: &'static str, description: impl Into<Cow<'static, str>>) -> About {
        About { unit, description: description.into() }
    }
}

/// The columns' descriptions, as the JSON value of [`COLUMNS`](super::COLUMNS).
pub(super) fn described<R>(columns: &[Column<R>]) -> serde_json::Result<String> {
    let all: BTreeMap<&str, &About> =
        columns.iter().map(|column| (column.name.as_str(), &column.about)).collect();
    serde_json::to_string(&all)
}

/// The function that reads a column's value from a row.
enum Read<R> {
    Plain(fn(&R) -> Field),
    /// Holds on to what the column is made for, such as a metric or variable.
    Capturing(Box<dyn Fn(&R) -> Field>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ColumnType {
    Text,
    Int,
    Float,
}

/// A value of the column's type, or none.
pub(super) enum Field {
    Text(String),
    Int(i64),
    Float(f64),
    Missing,
}

impl From<Option<f64>> for Field {
    /// Not finite means missing, such as ssthresh before the first loss.
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
    /// Data files have signed integers; counts stay far below 2^63.
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

    /// A column whose reader captures values.
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

pub(super) fn text<R>(name: &str, about: &'static str, read: fn(&R) -> Field) -> Column<R> {
    column(ColumnType::Text, name, About::new("", about), read)
}

/// A column of bare whole numbers, such as indices.
pub(super) fn index<R>(name: &str, about: &'static str, read: fn(&R) -> Field) -> Column<R> {
    column(ColumnType::Int, name, About::new("", about), read)
}

/// A column of counts with a unit, such as packets.
pub(super) fn count<R>(
    name: &str,
    unit: &'static str,
    about: &'static str,
    read: fn(&R) -> Field,
) -> Column<R> {
    column(ColumnType::Int, name, About::new(unit, about), read)
}

pub(super) fn float<R>(
    name: &str,
    unit: &'static str,
    about: &'static str,
    read: fn(&R) -> Field,
) -> Column<R> {
    column(ColumnType::Float, name, About::new(unit, about), read)
}
