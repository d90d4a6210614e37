//! `atl model aal-t --table`: Table 1 of the AAL-T paper compared with eq. 2.

use atl_aal::aalt::table_1::LengthRange;
use atl_report::table::{Cell, Column, Table};
use serde_json::{Value, json};

use super::line::error_ratio;
use crate::document::Format;
use crate::failure::Failure;
use crate::output::{self, Look};
use crate::status::Status;

/// Evaluates `atl model aal-t --table`.
///
/// # Errors
/// If standard output cannot be written to.
pub(super) fn table_1(json: bool) -> Result<Status, Failure> {
    let rows = LengthRange::all();
    if json { as_json(&rows) } else { as_table(&rows) }
}

fn as_table(rows: &[LengthRange]) -> Result<Status, Failure> {
    let head = ["cells", "payload L", "P_b by eq. 2", "P_b in Table 1", "cells by Table 1"];
    let column =
        |title: &str| Column { title: title.to_owned(), key: title.to_owned(), quantity: None };
    let shown = rows.iter().map(|row| {
        let there: Vec<String> = row.table_1.iter().map(u16::to_string).collect();
        let there = match (&there[..], row.differs()) {
            ([one], true) => format!("{one}, not {}", row.length.cells()),
            (all, true) => all.join(" or "),
            _ => "the same".to_owned(),
        };
        let band = if row.length.cells() == 1 {
            format!("above {}", error_ratio(row.above))
        } else {
            format!("{} to {}", error_ratio(row.above), error_ratio(row.up_to))
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

fn as_json(rows: &[LengthRange]) -> Result<Status, Failure> {
    let rows: Vec<Value> = rows
        .iter()
        .map(|row| {
            json!({
                "cells": row.length.cells(),
                "payload_bytes": row.length.octets(),
                "ber_above": row.above,
                "ber_up_to": row.up_to,
                "printed": row.printed(),
                "table_1_cells": row.table_1,
                "differs": row.differs(),
            })
        })
        .collect();
    output::json(
        Format::Model,
        &json!({ "model": "aal-t", "inputs": {}, "rows": rows, "notes": [] }),
    )
}
