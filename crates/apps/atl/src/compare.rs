//! The command `atl compare`.

use std::path::Path;

use atl_report::compare::{Change, Comparison, Difference, Side};
use atl_report::table::{Cell, Column, Table};

use crate::ablation::UNFINISHED;
use crate::args::Compare;
use crate::document::Format;
use crate::failure::Failure;
use crate::format::counted;
use crate::output::{self, Look};
use crate::status::Status;

/// Limit on the lines of the scenario shown; the others are counted.
const LINES: usize = 30;

/// Compares two folders of results.
///
/// # Errors
/// If one of them cannot be read, or they share nothing.
pub(crate) fn compare(args: &Compare) -> Result<Status, Failure> {
    let comparison = Comparison::of(&args.first, &args.second)
        .map_err(|unreadable| Failure::Usage(unreadable.to_string()))?;
    if comparison.differences.is_empty() {
        return Err(incomparable(args, &comparison.sides));
    }
    if args.json {
        return output::json(Format::Compare, &comparison);
    }
    output::text(&shown(&comparison, args, Look::of_stdout()))
}

/// The refusal of two folders that have nothing in common. Their scenarios differ in so much that
/// the lines say nothing.
fn incomparable(args: &Compare, [first, second]: &[Side; 2]) -> Failure {
    let about = |side: &Side, path: &Path| about(side, &path.display().to_string());
    Failure::Usage(format!(
        "nothing can be compared: the folders share no engine, point, flow group and seed\n  A  {}\n  B  {}",
        about(first, &args.first),
        about(second, &args.second),
    ))
}

fn shown(comparison: &Comparison, args: &Compare, look: Look) -> String {
    let mut out = String::new();
    let names = [args.first.display().to_string(), args.second.display().to_string()];
    for (letter, (side, name)) in ["A", "B"].iter().zip(comparison.sides.iter().zip(&names)) {
        out.push_str(&look.paragraph(&format!("{letter}  "), &about(side, name)));
    }
    out.push('\n');
    out.push_str(&scenario(comparison, look));
    for (letter, only) in ["A", "B"].iter().zip(&comparison.only) {
        if !only.is_empty() {
            let text = format!("Only {letter} has: {}.", only.join("; "));
            out.push_str(&look.paragraph("", &text));
        }
    }
    out.push_str(&results(comparison, args.all, look));
    out
}

/// Such as `out/a: atl 0.1.0, 10 seeds, atl run showcase/roaming`.
fn about(side: &Side, name: &str) -> String {
    let seeds = counted(side.seeds.len(), "seed");
    let command = side.command.as_deref().unwrap_or("of an unknown command");
    format!("{name}: atl {}, {seeds}, {command}", side.version)
}

/// Changes in the scenario.
fn scenario(comparison: &Comparison, look: Look) -> String {
    let lines = &comparison.scenario;
    if lines.is_empty() {
        let text = match comparison.same_scenario_hash {
            true => "The scenario is the same.",
            false => "The scenario's file is the same; the commands change it.",
        };
        return format!("{text}\n");
    }
    let mut out = format!("The scenario's file differs in {}:\n", counted(lines.len(), "line"));
    for line in lines.iter().take(LINES) {
        let (sign, code) = match line.change {
            Change::Removed => ('-', "31"),
            Change::Added => ('+', "32"),
        };
        out.push_str(&format!("  {}\n", look.painted(&format!("{sign} {}", line.text), code)));
    }
    if lines.len() > LINES {
        out.push_str(&format!("  and {} more\n", lines.len() - LINES));
    }
    out
}

/// Changes in the results.
fn results(comparison: &Comparison, all: bool, look: Look) -> String {
    let compared = comparison.compared();
    if compared == 0 {
        let same = counted(comparison.differences.len(), "value");
        return look.paragraph("", &format!("All results are the same: {same}, with every seed."));
    }
    let real: Vec<&Difference> = comparison.differences.iter().filter(|d| d.real).collect();
    let chance = comparison.by_chance().ceil();
    let text = format!(
        "{} of {} are real: their paired 95 % intervals do not cover 0. If nothing differed, about {chance} would look real by chance.",
        real.len(),
        counted(compared, "difference"),
    );
    let mut out = look.paragraph("", &text);
    let listed: Vec<&Difference> = match all {
        true => comparison.differences.iter().filter(|d| !d.same).collect(),
        false => real,
    };
    if !listed.is_empty() {
        out.push_str(&look.table(&table(&listed)));
        if listed.iter().any(|difference| difference.finished.is_some()) {
            out.push_str(&look.paragraph("", UNFINISHED));
        }
    }
    out
}

fn table(differences: &[&Difference]) -> Table {
    let column =
        |title: &str| Column { title: title.to_owned(), key: title.to_owned(), quantity: None };
    let rows = differences.iter().map(|difference| {
        let show = |estimate| difference.quantity.show(estimate);
        let ratio =
            difference.ratio.as_ref().map_or("–".to_owned(), atl_report::quantity::plus_minus);
        let texts = [
            difference.place.clone(),
            difference.metric.to_owned(),
            difference.shown(0),
            difference.shown(1),
            show(&difference.difference),
            ratio,
        ];
        texts.map(Cell::Text).to_vec()
    });
    let titles = ["where", "metric", "A", "B", "B - A", "B / A"];
    Table { columns: titles.map(column).to_vec(), rows: rows.collect() }
}
