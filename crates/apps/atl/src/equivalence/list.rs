//! The cases of the battery.

use atl_equivalence::battery::{CASES, TCP_CASES};
use atl_report::table::{Cell, Column, Table};
use serde_json::json;

use crate::document::Format;
use crate::failure::Failure;
use crate::output::{self, Look};
use crate::status::Status;

/// Prints the names and descriptions of all cases.
///
/// # Errors
/// If standard output cannot be written to.
pub(super) fn list(as_json: bool) -> Result<Status, Failure> {
    if as_json {
        let probes = CASES.iter().map(|case| {
            json!({
                "name": case.name, "kind": case.kind, "title": case.title, "link": case.link,
                "probes": case.pattern.to_string(), "bytes": case.bytes, "duration_s": case.seconds,
            })
        });
        let tcp = TCP_CASES.iter().map(|case| {
            json!({
                "name": case.name, "kind": "tcp", "title": case.title, "link": case.link,
                "duration_s": case.seconds,
            })
        });
        return output::json(
            Format::Cases,
            &json!({ "cases": probes.chain(tcp).collect::<Vec<_>>() }),
        );
    }
    let column =
        |title: &str| Column { title: title.to_owned(), key: title.to_owned(), quantity: None };
    let row = |cells: [String; 4]| cells.map(Cell::Text).to_vec();
    let probes = CASES.iter().map(|case| {
        let pattern = format!("{}, {} bytes", case.pattern, case.bytes);
        row([case.name.to_owned(), case.kind.name().to_owned(), case.title.to_owned(), pattern])
    });
    let tcp = TCP_CASES.iter().map(|case| {
        row([
            case.name.to_owned(),
            "tcp".to_owned(),
            case.title.to_owned(),
            "kernel TCP (root)".to_owned(),
        ])
    });
    let titles = ["case", "kind", "link", "probes"];
    let table = Table { columns: titles.map(column).to_vec(), rows: probes.chain(tcp).collect() };
    output::text(&Look::of_stdout().table(&table))
}
