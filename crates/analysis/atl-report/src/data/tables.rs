//! The content of the data files in memory, column by column.

use super::column::{Column, ColumnType, Field, described};
use super::columns::{flow_columns, link_columns, run_columns, sample_columns};
use super::rows::{flow_rows, link_rows, run_rows, sample_rows};
use super::{COLUMNS, FILES, about};
use crate::outcome::Outcome;

/// Rows in a chunk.
const CHUNK: usize = 128 * 1024;

/// The content of the data file of the same name, in the same order.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// One of [`FILES`].
    pub name: &'static str,
    /// Metadata of its Parquet file, by key.
    pub about: Vec<(&'static str, String)>,
    /// Names and types of its columns.
    pub columns: Vec<(String, Kind)>,
    /// Its rows in chunks; each chunk has the values of all columns.
    pub chunks: Vec<Vec<Values>>,
}

/// The type of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text in UTF-8.
    Text,
    /// A 64-bit signed integer.
    Int,
    /// A 64-bit floating-point number.
    Float,
}

/// Values of a column; `None` where one is missing.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Values of a column of [`Kind::Text`].
    Text(Vec<Option<String>>),
    /// Values of a column of [`Kind::Int`].
    Int(Vec<Option<i64>>),
    /// Values of a column of [`Kind::Float`].
    Float(Vec<Option<f64>>),
}

/// The tables that [`write`](super::write) would write; `samples` only if there are any.
pub fn tables(outcomes: &[Outcome]) -> Vec<Table> {
    if outcomes.is_empty() {
        return Vec::new();
    }
    let [runs, flows, links, samples] = FILES;
    let mut tables = vec![
        table(runs, outcomes, &run_columns(outcomes), run_rows(outcomes)),
        table(flows, outcomes, &flow_columns(outcomes), flow_rows(outcomes)),
        table(links, outcomes, &link_columns(outcomes), link_rows(outcomes)),
    ];
    let samples = table(samples, outcomes, &sample_columns(outcomes), sample_rows(outcomes));
    if !samples.chunks.is_empty() {
        tables.push(samples);
    }
    tables
}

fn table<R>(
    name: &'static str,
    outcomes: &[Outcome],
    columns: &[Column<R>],
    mut rows: impl Iterator<Item = R>,
) -> Table {
    let next = || {
        let rows: Vec<R> = rows.by_ref().take(CHUNK).collect();
        (!rows.is_empty()).then_some(rows)
    };
    let chunks = std::iter::from_fn(next);
    let kind = |column: &Column<R>| match column.kind {
        ColumnType::Text => Kind::Text,
        ColumnType::Int => Kind::Int,
        ColumnType::Float => Kind::Float,
    };
    let mut about: Vec<(&str, String)> =
        about(outcomes).into_iter().map(|(key, text)| (key, text.to_owned())).collect();
    // Serialisation of texts does not fail.
    about.extend(described(columns).ok().map(|columns| (COLUMNS, columns)));
    Table {
        name,
        about,
        columns: columns.iter().map(|column| (column.name.clone(), kind(column))).collect(),
        chunks: chunks
            .map(|rows| columns.iter().map(|column| values(column, &rows)).collect())
            .collect(),
    }
}

fn values<R>(column: &Column<R>, rows: &[R]) -> Values {
    let fields = rows.iter().map(|row| column.field(row));
    match column.kind {
        ColumnType::Text => Values::Text(
            fields.map(|f| if let Field::Text(text) = f { Some(text) } else { None }).collect(),
        ),
        ColumnType::Int => Values::Int(
            fields.map(|f| if let Field::Int(n) = f { Some(n) } else { None }).collect(),
        ),
        ColumnType::Float => Values::Float(
            fields.map(|f| if let Field::Float(x) = f { Some(x) } else { None }).collect(),
        ),
    }
}
