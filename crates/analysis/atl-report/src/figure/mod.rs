//! Figures: from a scenario's definitions and results to charts as data, and from those to files.
//!
//! [`Chart`] alone defines what a figure shows. The page draws it on a screen; [`svg()`],
//! [`pgf()`], [`csv()`] and [`latex()`] write it for papers, [`text()`] for a terminal, and `atl`
//! makes pictures of the SVG.

mod axis;
mod bursts;
mod chart;
mod csv;
mod defaults;
mod distribution;
pub mod latex;
mod marks;
mod networks;
pub mod palette;
mod pgf;
mod printed;
mod provenance;
mod range;
mod reduce;
mod shares;
mod styles;
pub mod svg;
mod sweep;
pub mod text;
mod time;
mod timeline;

use atl_scenario::scenario::{Figure, FigureKind, Measure, Metric};

pub use self::chart::{Axis, Chart, ChartKind, Curve, Drawn, Mark, Num};
pub use self::csv::csv;
pub use self::latex::latex;
pub use self::pgf::pgf;
pub use self::provenance::{bibtex, cite};
use self::styles::Styles;
pub use self::styles::looks;
pub use self::svg::svg;
use self::sweep::Sweep;
pub use self::text::text;
use self::time::Lines;
use crate::outcome::Outcome;
use crate::table::{Cell, Table, intervals, show_time};

/// Limit on the points of a curve in a figure of its own: more than any screen or paper shows.
const POINTS: usize = 1000;

/// Draws all figures of an outcome.
pub fn all(outcome: &Outcome) -> Vec<Drawn> {
    draw(outcome, &wanted(outcome), POINTS)
}

/// The scenario's figures, or the default ones if it has none.
pub(crate) fn wanted(outcome: &Outcome) -> Vec<Figure> {
    if outcome.scenario.figures.is_empty() {
        defaults::defaults(outcome)
    } else {
        outcome.scenario.figures.clone()
    }
}

/// Number of rows of numbers over all figures of a section with time along x.
pub(crate) fn time_rows(outcome: &Outcome, figures: &[Figure]) -> usize {
    figures
        .iter()
        .map(|f| match &f.kind {
            // Plus one for the times.
            FigureKind::Time { series, at, of, .. } => {
                1 + time::row_count(outcome, &Lines { series, at, of })
            }
            FigureKind::Shares { at, .. } => 1 + shares::row_count(outcome, at),
            FigureKind::Sweep { .. }
            | FigureKind::Metrics { .. }
            | FigureKind::Scatter { .. }
            | FigureKind::Networks { .. }
            | FigureKind::Distribution { .. } => 0,
        })
        .sum()
}

/// Draws figures. Curves over time get at most `max_points` points each.
pub(crate) fn draw(outcome: &Outcome, figures: &[Figure], max_points: usize) -> Vec<Drawn> {
    let mut styles = Styles::new(outcome);
    let mut drawn = Vec::new();
    if outcome.scenario.figures.is_empty() && outcome.scenario.swept.is_empty() {
        let caption = "Goodput of each flow group (mean over its flows).".to_owned();
        let found = sweep::groups(outcome, "Goodput", Metric::Goodput, &mut styles);
        drawn.push(with_numbers(outcome, "Goodput".to_owned(), caption, found));
    }
    drawn.extend(figures.iter().map(|f| draw_one(outcome, f, max_points, &mut styles)));
    drawn
}

fn draw_one(outcome: &Outcome, figure: &Figure, max_points: usize, styles: &mut Styles) -> Drawn {
    let (title, caption) = (figure.title.clone(), figure.caption.clone());
    match &figure.kind {
        FigureKind::Sweep { x, x_log, y, series, at, of } => {
            let what = Sweep { x, x_log: *x_log, y: *y, series, at, of };
            let found = sweep::sweep(outcome, &title, &what, styles);
            mixed(outcome, with_numbers(outcome, title, caption, found), &[*y])
        }
        FigureKind::Metrics { x, x_log, ys, at } => {
            let found = sweep::metrics(outcome, &title, (x, *x_log), ys, at, styles);
            with_numbers(outcome, title, caption, found)
        }
        FigureKind::Scatter { x, y, series, at } => {
            let found = sweep::scatter(outcome, &title, (*x, *y), series, at, styles);
            let drawn = with_numbers(outcome, title, caption, found);
            mixed(outcome, drawn, &[*x, *y])
        }
        FigureKind::Time { y, series, at, of } => {
            let lines = Lines { series, at, of };
            let found = time::time(outcome, &title, *y, &lines, max_points, styles);
            over_time(title, caption, found)
        }
        FigureKind::Networks { y, series, at } => {
            let found = networks::bars(outcome, &title, *y, (series, at), styles);
            with_numbers(outcome, title, caption, found)
        }
        FigureKind::Distribution { x, x_log, series, at } => {
            let what = (*x, *x_log);
            let found = distribution::distribution(outcome, &title, what, (series, at), styles);
            let note = "All flows of all seeds; one that did not end counts as longer than all that did. A quantile \
                        needs enough flows beyond it: 20 for p95, 100 for p99.";
            Drawn { note: note.to_owned(), ..with_numbers(outcome, title, caption, found) }
        }
        FigureKind::Shares { share, series, at } => {
            let lines = (series.as_deref(), at);
            let found = shares::shares(outcome, &title, share, lines, max_points, styles);
            over_time(title, caption, found)
        }
    }
}

fn over_time(title: String, caption: String, found: Option<(Chart, String)>) -> Drawn {
    match found {
        Some((chart, note)) => Drawn { title, caption, note, chart: Some(chart), numbers: None },
        None => empty(title, caption),
    }
}

fn empty(title: String, caption: String) -> Drawn {
    let note = "Nothing to draw: no run fits this figure.".to_owned();
    Drawn { title, caption, note, chart: None, numbers: None }
}

/// Says why there is no percentile of the RTT over several networks.
fn mixed(outcome: &Outcome, drawn: Drawn, measures: &[Measure]) -> Drawn {
    let of_rtt = |measure: &Measure| matches!(measure.metric, Metric::RttMedian | Metric::RttP95);
    if drawn.chart.is_some() || !measures.iter().any(of_rtt) || !networks::roams(outcome) {
        return drawn;
    }
    let note = "Nothing to draw: a percentile of the RTT over packets of several networks says most of how many took \
                which. Take `queueing-p95` instead; the table has the RTT in each network.";
    Drawn { note: note.to_owned(), ..drawn }
}

fn with_numbers(
    outcome: &Outcome,
    title: String,
    caption: String,
    found: Option<(Chart, Table)>,
) -> Drawn {
    let Some((chart, numbers)) = found else {
        return empty(title, caption);
    };
    let mut note = intervals(outcome.scenario.seeds.len(), &numbers) + &off_the_plot(&numbers);
    if chart.curves.iter().any(|curve| curve.open) {
        note.push_str(printed::NOTE);
    }
    Drawn { title, caption, note, chart: Some(chart), numbers: Some(numbers) }
}

/// Sentence on medians that are not reached, which no curve can show; empty if there are none.
fn off_the_plot(numbers: &Table) -> String {
    let mut places: Vec<String> = Vec::new();
    for row in &numbers.rows {
        for (cell, column) in row.iter().zip(&numbers.columns) {
            if let (Cell::Time(time), Some(Cell::Text(first))) = (cell, row.first())
                && time.median_s.is_none()
            {
                let (title, shown) = (&column.title, show_time(column, time));
                places.push(format!("{first} ({title}: {shown})"));
            }
        }
    }
    if places.is_empty() {
        return String::new();
    }
    format!(" Beyond the plot, since the median is not reached: {}.", places.join("; "))
}
