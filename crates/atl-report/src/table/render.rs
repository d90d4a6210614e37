//! Tables as text: for a terminal, and as CSV.

use comfy_table::{Attribute, Cell as TextCell, CellAlignment, Color, ContentArrangement};

use super::model::{Cell, Column, Table};
use crate::quantity::plus_minus;
use crate::stats::Estimate;
use crate::verdict::Verdict;

/// How a terminal shows a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Width in characters; `None` does not wrap.
    pub width: Option<u16>,
    /// Use colour.
    pub colour: bool,
}

/// A number with its interval, in the column's unit.
pub(crate) fn show(column: &Column, estimate: &Estimate) -> String {
    plus_minus(&estimate.scaled(column.quantity.map_or(1.0, |q| q.factor)))
}

/// The table for a terminal. Width and colour are up to the caller; nothing here queries the terminal.
pub fn terminal(table: &Table, style: Style) -> String {
    let mut out = comfy_table::Table::new();
    out.load_style(comfy_table::presets::UTF8_FULL_CONDENSED);
    out.force_no_tty();
    if style.colour {
        out.enforce_styling();
    }
    if let Some(width) = style.width {
        out.set_content_arrangement(ContentArrangement::Dynamic);
        out.set_width(width);
    }
    out.set_header(table.columns.iter().map(|c| {
        let heading = TextCell::new(&c.title);
        if style.colour { heading.add_attribute(Attribute::Bold) } else { heading }
    }));
    for row in &table.rows {
        out.add_row(row.iter().zip(&table.columns).map(|(cell, column)| match cell {
            Cell::Text(text) => TextCell::new(text),
            Cell::Number(e) => TextCell::new(show(column, e)).set_alignment(CellAlignment::Right),
            Cell::Verdict(v) => {
                let text = TextCell::new(format!("{} {v}", v.symbol()));
                if style.colour { text.fg(colour(*v)) } else { text }
            }
            Cell::Absent => TextCell::new("–").set_alignment(CellAlignment::Right),
            Cell::Empty => TextCell::new(""),
        }));
    }
    out.trim_fmt()
}

const fn colour(verdict: Verdict) -> Color {
    match verdict {
        Verdict::Met => Color::Green,
        Verdict::SameDirection => Color::Yellow,
        Verdict::NotMet => Color::Red,
        Verdict::Undecided | Verdict::TooFewSeeds | Verdict::NotMeasured => Color::DarkGrey,
    }
}

/// A field of a CSV file (RFC 4180), quoted if necessary.
pub(crate) fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// The table as CSV (RFC 4180, but with plain line feeds). Numbers are unrounded and in base units; after each column of
/// numbers comes one with half the width of the 95 % interval, with `_ci95` appended to its name.
pub fn csv(table: &Table) -> String {
    let mut out = String::new();
    let mut line: Vec<String> = Vec::new();
    for column in &table.columns {
        line.push(csv_field(&column.key));
        if column.quantity.is_some() {
            line.push(format!("{}_low", column.key));
            line.push(format!("{}_high", column.key));
        }
    }
    out.push_str(&line.join(","));
    out.push('\n');
    for row in &table.rows {
        line.clear();
        for (cell, column) in row.iter().zip(&table.columns) {
            match cell {
                Cell::Text(text) => line.push(csv_field(text)),
                Cell::Verdict(v) => line.push(v.to_string()),
                Cell::Number(e) => line.push(e.mean.to_string()),
                Cell::Absent | Cell::Empty => line.push(String::new()),
            }
            if column.quantity.is_some() {
                let bounds = match cell {
                    Cell::Number(e) => [e.low(), e.high()],
                    _ => [None; 2],
                };
                line.extend(bounds.map(|b| b.map_or(String::new(), |b| b.to_string())));
            }
        }
        out.push_str(&line.join(","));
        out.push('\n');
    }
    out
}
