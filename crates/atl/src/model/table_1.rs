//! Table 1 of the AAL-T paper compared with eq. 2, from which it was computed.

use atl_aal::aalt::payload::{LengthRule, PayloadLength};
use atl_core::units::Probability;
use atl_report::table::{Cell, Column, Table};
use serde_json::{Value, json};

use super::line::error_ratio;
use crate::failure::Failure;
use crate::output::{self, Look};
use crate::status::Status;

/// Bit error ratios that Table 1 prints for each number of cells.
const PRINTED: [(u16, &str); 9] = [
    (1, "2e-4 or higher"),
    (2, "4e-5 to 1e-4"),
    (3, "2e-5 to 3e-5"),
    (5, "8e-6 to 1e-5"),
    (6, "6e-6 to 7e-6"),
    (7, "4e-6 to 5e-6"),
    (9, "3e-6"),
    (10, "2e-6"),
    (15, "1e-6"),
];
/// Longest payload in the table, in cells.
const LAST: u16 = 15;

/// A payload length, and the bit error ratios for which eq. 2 gives it.
struct Row {
    length: PayloadLength,
    /// Lower end, excluded; 0 for the longest payload.
    from: f64,
    /// Upper end, included.
    to: f64,
    /// Numbers of cells that Table 1 gives in this range, in ascending order.
    table: Vec<u16>,
}

/// `atl model aal-t --table`.
///
/// # Errors
/// If standard output cannot be written to.
pub(super) fn table_1(json: bool) -> Result<Status, Failure> {
    let rows: Vec<Row> = (1..=LAST).filter_map(row).collect();
    if json { as_json(&rows) } else { as_table(&rows) }
}

/// Payload length by a rule, in cells; decreases as the bit error ratio grows.
fn cells(rule: LengthRule, ratio: f64) -> u16 {
    rule.length(Probability::clamped(ratio), PayloadLength::LONGEST).cells()
}

/// Largest bit error ratio at which a rule gives at least this many cells.
fn largest_ratio(rule: LengthRule, least: u16) -> f64 {
    if least <= 1 {
        return 1.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if cells(rule, middle) >= least { low = middle } else { high = middle }
    }
    low
}

fn row(count: u16) -> Option<Row> {
    let optimum = |least| largest_ratio(LengthRule::Optimum, least);
    let (from, to) = (optimum(count + 1), optimum(count));
    // The table falls in steps: its values at both ends and at each step in between are all its values in the range.
    let steps = (1..=LAST).map(|least| largest_ratio(LengthRule::Table1, least));
    let inside = steps.filter(|ratio| *ratio > from && *ratio < to);
    let mut table: Vec<u16> =
        inside.chain([to]).map(|ratio| cells(LengthRule::Table1, ratio)).collect();
    table.push(cells(LengthRule::Table1, from * (1.0 + 1e-9)));
    table.sort_unstable();
    table.dedup();
    Some(Row { length: PayloadLength::from_cells(count)?, from, to, table })
}

impl Row {
    fn printed(&self) -> Option<&'static str> {
        PRINTED.iter().find(|(cells, _)| *cells == self.length.cells()).map(|(_, text)| *text)
    }

    fn differs(&self) -> bool {
        self.table != [self.length.cells()]
    }
}

fn as_table(rows: &[Row]) -> Result<Status, Failure> {
    let head = ["cells", "payload L", "P_b by eq. 2", "P_b in Table 1", "cells by Table 1"];
    let column =
        |title: &str| Column { title: title.to_owned(), key: title.to_owned(), quantity: None };
    let shown = rows.iter().map(|row| {
        let there: Vec<String> = row.table.iter().map(u16::to_string).collect();
        let there = match (&there[..], row.differs()) {
            ([one], true) => format!("{one}, not {}", row.length.cells()),
            (all, true) => all.join(" or "),
            _ => "the same".to_owned(),
        };
        let band = if row.length.cells() == 1 {
            format!("above {}", error_ratio(row.from))
        } else {
            format!("{} to {}", error_ratio(row.from), error_ratio(row.to))
        };
        [
            row.length.cells().to_string(),
            format!("{} bytes", row.length.octets()),
            band,
            row.printed().unwrap_or("–").to_owned(),
            there,
        ]
        .map(Cell::Text)
        .to_vec()
    });
    let table = Table { columns: head.map(column).to_vec(), rows: shown.collect() };
    let look = Look::of_stdout();
    let mut out = look.table(&table);
    out.push_str(&look.paragraph(
        "",
        "Eq. 2 and Table 1 agree on every ratio that the table prints. Its ranges end at ratios of one digit and leave gaps; \
         here a ratio in a gap is rounded to one digit. Below 1e-6, where the table ends, eq. 2 goes on: 47 cells at 1e-7, \
         466 at 1e-9.",
    ));
    output::text(&out)
}

fn as_json(rows: &[Row]) -> Result<Status, Failure> {
    let rows: Vec<Value> = rows
        .iter()
        .map(|row| {
            json!({
                "cells": row.length.cells(),
                "payload_bytes": row.length.octets(),
                "ber_above": row.from,
                "ber_up_to": row.to,
                "printed": row.printed(),
                "table_1_cells": row.table,
                "differs": row.differs(),
            })
        })
        .collect();
    output::json(&json!({ "model": "aal-t", "inputs": {}, "rows": rows, "notes": [] }))
}
