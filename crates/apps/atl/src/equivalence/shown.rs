//! A battery's results on the terminal.

use std::path::Path;

use atl_equivalence::judge::Verdict;
use atl_equivalence::measure::What;
use atl_equivalence::report::{
    CaseReport, Report, difference, interval, margin, name, protocol_name, value,
};
use atl_report::table::{Cell, Column, Table};

use crate::format::duration;
use crate::output::Look;

/// Tables, followed by the cases that need attention.
pub(super) fn shown(report: &Report, page: Option<&Path>, took: f64, look: Look) -> String {
    let mut out = String::new();
    if !report.cases.is_empty() {
        out.push_str(&look.table(&cases(report)));
        out.push_str(&look.paragraph("", &format!(
            "Difference of the emulator from the simulator; packets that met another fate, with the planned times and with those at which they really entered; \
             lateness of departures. {} intervals and tests hold together at {} %.",
            report.statements, 100.0 * (1.0 - report.level)
        )));
        out.push_str(&format!("\n{}\n", report.tally()));
        for case in &report.cases {
            out.push_str(&standing_out(case, look));
        }
    }
    let same = report.whole.iter().filter(|whole| whole.same()).count();
    if !report.whole.is_empty() {
        let text = format!(
            "The yardstick: in {same} of {} cases the whole simulator's link counts the same packets as the link on its own.",
            report.whole.len()
        );
        out.push_str(&look.paragraph("", &text));
    }
    if !report.tcp.rows.is_empty() {
        out.push_str(&format!("\n{}\n", look.bold("Kernel TCP beside the simulator's")));
        out.push_str(&look.table(&tcp(report)));
        out.push_str(&look.paragraph(
            "",
            "A comparison, without a verdict: kernels differ in more than the law.",
        ));
    }
    if let Some(why) = &report.tcp.skipped {
        out.push_str(&look.paragraph("", &format!("Kernel TCP was left out: {why}.")));
    }
    out.push_str(&format!("Took {}.\n", duration(took)));
    if let Some(page) = page {
        out.push_str(&format!("Page    {}\n", page.display()));
    }
    out
}

fn table(titles: &[&str], rows: Vec<Vec<String>>) -> Table {
    let column = |title: &&str| Column {
        title: (*title).to_owned(),
        key: (*title).to_owned(),
        quantity: None,
    };
    let cells = |row: Vec<String>| row.into_iter().map(Cell::Text).collect();
    Table {
        columns: titles.iter().map(column).collect(),
        rows: rows.into_iter().map(cells).collect(),
    }
}

fn cases(report: &Report) -> Table {
    let rows = report.cases.iter().map(|case| {
        let of = |what: What| {
            let found = case.measures.iter().find(|judged| judged.what == what);
            found.map_or(String::new(), difference)
        };
        let late = |seconds: f64| format!("{:.0}", 1e6 * seconds);
        let time = &case.timekeeping;
        vec![
            case.name.to_owned(),
            case.verdict.name().to_owned(),
            of(What::Rate),
            of(What::DelayMedian),
            of(What::DelayHigh),
            of(What::DelayDistance),
            of(What::Lost),
            of(What::Dropped),
            format!("{}, {}", case.fates.planned, case.fates.replayed),
            format!("{}, {} us", late(time.p50_s), late(time.p99_s)),
        ]
    });
    let titles = [
        "case",
        "verdict",
        "rate",
        "delay p50",
        "delay p95",
        "KS",
        "lost",
        "dropped",
        "fates",
        "late p50, p99",
    ];
    table(&titles, rows.collect())
}

/// Reasons why a case is not equivalent, or not judged.
fn standing_out(case: &CaseReport, look: Look) -> String {
    if let Some(fault) = &case.timekeeping.fault {
        let text = format!("not judged after {} runs: {fault}", case.attempts);
        return look.paragraph(&format!("  {}: ", case.name), &text);
    }
    let apart = case.measures.iter().filter(|judged| judged.verdict != Verdict::Equivalent);
    apart
        .map(|judged| {
            let range = match interval(judged) {
                range if range.is_empty() => String::new(),
                range => format!(" ({range}, margin {})", margin(judged)),
            };
            let text = format!(
                "{} is {}: emulator {}, simulator {}, {}{range}",
                name(judged.what),
                judged.verdict.name(),
                value(judged.what, judged.observed),
                value(judged.what, judged.expected),
                difference(judged),
            );
            look.paragraph(&format!("  {}: ", case.name), &text)
        })
        .collect()
}

fn tcp(report: &Report) -> Table {
    let mbps = |bps: f64| format!("{:.2}", bps / 1e6);
    let rows = report.tcp.rows.iter().map(|row| {
        let ratio = row.ratio.map_or("–".to_owned(), |ratio| {
            format!("{:.2} ({:.2} to {:.2})", ratio.value, ratio.interval.low, ratio.interval.high)
        });
        let kept = row.runs.iter().filter(|run| run.trusted).count();
        vec![
            row.case.to_owned(),
            row.kernel.name().to_owned(),
            row.kernel_bps.map_or("–".to_owned(), mbps),
            protocol_name(row.protocol).to_owned(),
            mbps(row.simulated_bps),
            ratio,
            format!("{kept} of {}", row.runs.len()),
        ]
    });
    let titles = ["path", "kernel", "Mb/s", "simulator", "Mb/s", "kernel/simulator", "kept time"];
    table(&titles, rows.collect())
}
