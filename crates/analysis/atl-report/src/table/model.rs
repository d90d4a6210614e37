//! What a table consists of.

use crate::quantity::Quantity;
use crate::stats::Estimate;
use crate::verdict::Verdict;

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Columns.
    pub columns: Vec<Column>,
    /// Rows, each with a cell for each column.
    pub rows: Vec<Vec<Cell>>,
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Heading, including the unit.
    pub title: String,
    /// Name in a CSV file.
    pub key: String,
    /// What its numbers are; `None` for text.
    pub quantity: Option<Quantity>,
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Text.
    Text(String),
    /// A measurement, in its base unit.
    Number(Estimate),
    /// A verdict.
    Verdict(Verdict),
    /// No run has this number: the host cannot know it, or nothing was measured.
    Absent,
    /// Does not apply.
    Empty,
}
