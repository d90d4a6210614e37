//! A chart, or a table of results, as a LaTeX table (package `booktabs`).

use super::chart::{Chart, ChartKind, Curve};
use super::range::label;
use crate::quantity::plus_minus;
use crate::stats::{Estimate, Spread};
use crate::table::{Cell, Table, show, show_time};

/// Limit on the rows of a chart's table; a picture shows more better.
pub const MAX_ROWS: usize = 60;

/// Escapes all characters that LaTeX treats specially.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '{' | '}' | '$' | '&' | '#' | '_' | '%' => out.extend(['\\', c]),
            '–' => out.push_str("--"),
            '±' => out.push_str("$\\pm$"),
            '∞' => out.push_str("$\\infty$"),
            '>' => out.push_str("$>$"),
            'µ' => out.push_str("$\\mu$"),
            '\n' | '\r' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// Text as a LaTeX comment on one line.
pub(super) fn comment(text: &str) -> String {
    format!("% {}\n", text.replace(['\n', '\r'], " "))
}

fn table(columns: &str, header: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("  {} \\\\\n", cells.join(" & "));
    let mut out =
        format!("\\begin{{tabular}}{{{columns}}}\n  \\toprule\n{}  \\midrule\n", line(header));
    for row in rows {
        out.push_str(&line(row));
    }
    out.push_str("  \\bottomrule\n\\end{tabular}\n");
    out
}

/// The numbers of a chart: a row for each position along x and a column for each curve; for a
/// scatter plot a row for each point. `None` if there are more than [`MAX_ROWS`] rows.
pub fn latex(chart: &Chart, cite: &str) -> Option<String> {
    let head = comment(&chart.title) + &comment(cite) + &comment("\\usepackage{booktabs}");
    let (columns, header, rows) = match chart.kind {
        ChartKind::Scatter => dots(chart),
        _ => wide(chart),
    };
    (rows.len() <= MAX_ROWS).then(|| head + &table(&columns, &header, &rows))
}

fn estimate(curve: &Curve, place: usize) -> Option<Estimate> {
    let mean = curve.y.get(place)?.get()?;
    let spread = match curve.interval(place) {
        Some((low, high)) => Spread::Interval { low, high },
        None => Spread::TooFew,
    };
    Some(Estimate { mean, spread, n: 0, of: 0 })
}

fn shown(estimate: Option<Estimate>) -> String {
    estimate.map_or_else(String::new, |e| escaped(&plus_minus(&e)))
}

fn wide(chart: &Chart) -> (String, Vec<String>, Vec<Vec<String>>) {
    let names = chart.curves.iter().map(|curve| escaped(&curve.name));
    let header: Vec<String> = std::iter::once(escaped(&chart.x.label)).chain(names).collect();
    let place = |x: f64| match chart.x.names.get(x as usize) {
        Some(name) => escaped(name),
        None => label(x),
    };
    let rows = chart.xs.iter().enumerate().filter_map(|(i, x)| {
        let numbers = chart.curves.iter().map(|curve| shown(estimate(curve, i)));
        Some(std::iter::once(place(x.get()?)).chain(numbers).collect())
    });
    let columns = format!("l{}", "r".repeat(chart.curves.len()));
    (columns, header, rows.collect())
}

fn dots(chart: &Chart) -> (String, Vec<String>, Vec<Vec<String>>) {
    let header = ["series", "", &chart.x.label, &chart.y.label].map(escaped).to_vec();
    let mut rows = Vec::new();
    for curve in &chart.curves {
        for (i, x) in chart.xs.iter().enumerate() {
            let (Some(x), Some(y)) = (x.get(), estimate(curve, i)) else { continue };
            let ends = [&curve.low_x, &curve.high_x].map(|e| e.get(i).and_then(|n| n.get()));
            let spread = match ends {
                [Some(low), Some(high)] => Spread::Interval { low, high },
                _ => Spread::TooFew,
            };
            let words = curve.words.get(i).filter(|words| **words != curve.name);
            rows.push(vec![
                escaped(&curve.name),
                words.map_or_else(String::new, |words| escaped(words)),
                shown(Some(Estimate { mean: x, spread, n: 0, of: 0 })),
                shown(Some(y)),
            ]);
        }
    }
    ("llrr".to_owned(), header, rows)
}

/// A table of the report as LaTeX.
pub fn of_table(source: &Table, cite: &str) -> String {
    let columns: String =
        source.columns.iter().map(|c| if c.quantity.is_some() { 'r' } else { 'l' }).collect();
    let header: Vec<String> = source.columns.iter().map(|c| escaped(&c.title)).collect();
    let rows: Vec<Vec<String>> = source
        .rows
        .iter()
        .map(|row| {
            let cells = row.iter().zip(&source.columns);
            cells
                .map(|(cell, column)| match cell {
                    Cell::Text(text) => escaped(text),
                    Cell::Number(estimate) => escaped(&show(column, estimate)),
                    Cell::Time(time) => escaped(&show_time(column, time)),
                    Cell::Verdict(verdict) => escaped(verdict.words()),
                    Cell::Absent => "--".to_owned(),
                    Cell::Empty => String::new(),
                })
                .collect()
        })
        .collect();
    comment(cite) + &comment("\\usepackage{booktabs}") + &table(&columns, &header, &rows)
}
