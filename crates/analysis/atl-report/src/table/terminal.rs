//! Tables for a terminal.

use comfy_table::{Attribute, Cell as TextCell, CellAlignment, Color, ContentArrangement};

use super::model::{Cell, Table};
use super::render::show;
use crate::verdict::Verdict;

/// How a terminal shows a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Width in characters; `None` does not wrap.
    pub width: Option<u16>,
    /// Use colour.
    pub colour: bool,
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
