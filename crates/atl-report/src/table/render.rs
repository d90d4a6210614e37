//! How tables are written down.

use comfy_table::{Attribute, Cell as TextCell, CellAlignment, Color, ContentArrangement};
use std::fmt::Write as _;

use super::{Cell, Column, Table};
use crate::html::escape;
use crate::quantity::plus_minus;
use crate::stats::Estimate;
use crate::verdict::Verdict;

/// How a terminal shows a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Columns of characters to fit into; `None` does not wrap.
    pub width: Option<u16>,
    /// Use colour.
    pub colour: bool,
}

fn show(column: &Column, estimate: &Estimate) -> String {
    plus_minus(&estimate.scaled(column.quantity.map_or(1.0, |q| q.factor)))
}

/// The table for a terminal. Widths and colours come from the caller: nothing here asks the terminal.
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
        Verdict::NotMeasured => Color::DarkGrey,
    }
}

/// A field of a CSV file (RFC 4180): quoted if it must be.
pub(crate) fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// The table as CSV (RFC 4180, but with plain line feeds). Numbers are in base units and unrounded; each
/// column of them is followed by one with half the width of its 95 % interval, its name ending in `_ci95`.
pub fn csv(table: &Table) -> String {
    let mut out = String::new();
    let mut line: Vec<String> = Vec::new();
    for column in &table.columns {
        line.push(csv_field(&column.key));
        if column.quantity.is_some() {
            line.push(format!("{}_ci95", column.key));
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
                Cell::Empty => line.push(String::new()),
            }
            if column.quantity.is_some() {
                line.push(match cell {
                    Cell::Number(Estimate { half_width: Some(h), .. }) => h.to_string(),
                    _ => String::new(),
                });
            }
        }
        out.push_str(&line.join(","));
        out.push('\n');
    }
    out
}

/// The table as HTML, within a container that scrolls sideways on a narrow screen.
pub fn html(table: &Table, caption: &str) -> String {
    let mut out =
        String::from("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"");
    let _ = write!(out, "{}\"><table class=\"data\">\n<thead><tr>", escape(caption));
    for column in &table.columns {
        let class = if column.quantity.is_some() { " class=\"num\"" } else { "" };
        let _ = write!(out, "<th scope=\"col\"{class}>{}</th>", escape(&column.title));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for (cell, column) in row.iter().zip(&table.columns) {
            let class = if column.quantity.is_some() { " class=\"num\"" } else { "" };
            let _ = match cell {
                Cell::Text(text) => write!(out, "<td{class}>{}</td>", escape(text)),
                Cell::Number(e) => write!(out, "<td{class}>{}</td>", show(column, e)),
                Cell::Verdict(v) => write!(out, "<td>{}</td>", verdict_html(*v)),
                Cell::Empty => write!(out, "<td{class}></td>"),
            };
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    out
}

/// A verdict as sign, word and colour.
pub(crate) fn verdict_html(verdict: Verdict) -> String {
    let class = verdict.words().replace(' ', "-");
    format!(
        "<span class=\"verdict {class}\"><span aria-hidden=\"true\">{}</span> {}</span>",
        verdict.symbol(),
        verdict.words()
    )
}
