use comfy_table::{Attribute, Cell as TextCell, CellAlignment, Color, ContentArrangement};

use super::model::{Cell, Table};
use super::render::{show, show_time};
use crate::verdict::Verdict;

/// Width and colouring of a table in a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Width in characters; `None` for no wrapping.
    pub width: Option<u16>,
    /// True to use colours.
    pub colour: bool,
}

/// Formats a table. The caller decides on width and colour; the terminal is not queried here.
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
            Cell::Time(t) => {
                TextCell::new(show_time(column, t)).set_alignment(CellAlignment::Right)
            }
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
        Verdict::MetUncertain => Color::DarkGreen,
        Verdict::SameDirection => Color::Yellow,
        Verdict::NotMet => Color::Red,
        Verdict::Undecided | Verdict::TooFewSeeds | Verdict::NotMeasured => Color::DarkGrey,
    }
}
