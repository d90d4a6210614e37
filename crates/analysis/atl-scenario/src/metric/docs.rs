//! Tables of metrics and traces in `docs/scenarios.md`.

use std::fmt::Write as _;

use super::defs::{METRICS, Metric};
use super::trace::TRACES;

/// All metrics with units, documentation and needs.
pub fn metrics_table() -> String {
    let mut out = String::from(
        "| metric | unit | what it is | `during` | needs |\n| --- | --- | --- | --- | --- |\n",
    );
    for (name, metric) in METRICS {
        let about = metric.descriptor();
        let part = if metric.has_parts() { "yes" } else { "" };
        let needs: Vec<&str> = about.needs.iter().map(|need| need.doc()).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "| `{name}` | {} | {} | {part} | {} |",
            about.unit.name(),
            about.doc.trim(),
            needs.join("; ")
        );
    }
    out
}

/// All traces with units and documentation.
pub fn traces_table() -> String {
    let mut out = String::from("| over time | unit | what it is |\n| --- | --- | --- |\n");
    for (name, trace) in TRACES {
        let about = trace.descriptor();
        let _ = writeln!(out, "| `{name}` | {} | {} |", about.unit, about.doc.trim());
    }
    out
}

/// Names of the metrics available over a part of a run, in Markdown: "`throughput`, `goodput`,
/// ...".
pub fn metrics_of_a_part() -> String {
    let names: Vec<String> = Metric::of_a_part().map(|m| format!("`{}`", m.name())).collect();
    names.join(", ")
}
