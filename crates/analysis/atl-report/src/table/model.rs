//! The model of a table.

use crate::quantity::Quantity;
use crate::stats::{Estimate, Survival};
use crate::verdict::Verdict;

/// A table, independent of where it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Columns from left to right.
    pub columns: Vec<Column>,
    /// Rows with a cell for each column.
    pub rows: Vec<Vec<Cell>>,
}

/// Heading and type of a column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Heading with the unit of its numbers.
    pub title: String,
    /// Name in CSV files.
    pub key: String,
    /// Unit and name of its numbers; `None` for text.
    pub quantity: Option<Quantity>,
}

/// The content of a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Plain text, not escaped.
    Text(String),
    /// A measurement in the base unit.
    Number(Estimate),
    /// A time to an event that some flows did not live to see, in seconds.
    Time(Survival),
    /// A verdict, shown with sign and colour.
    Verdict(Verdict),
    /// A number that no run has: the engine cannot know it, or nothing was measured.
    Absent,
    /// The column does not apply to the row.
    Empty,
}
