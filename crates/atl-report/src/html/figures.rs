//! The figures of a section: those of the scenario, or default ones if it has none.

use atl_scenario::scenario::{Figure, FigureKind, Metric, Trace};

use super::chart::{Chart, Drawn, Styles};
use super::sweep::{self, At, FLOW, Sweep, values_at};
use super::time::Lines;
use super::{shares, time};
use crate::outcome::Outcome;
use crate::table::{Table, intervals};

/// Default sweep figures at most.
const MAX_DEFAULTS: usize = 6;

/// The figures to draw: the scenario's own, or the default ones.
pub(super) fn wanted(outcome: &Outcome) -> Vec<Figure> {
    if outcome.scenario.figures.is_empty() {
        defaults(outcome)
    } else {
        outcome.scenario.figures.clone()
    }
}

/// Number of curves over time in a section.
pub(super) fn time_curves(outcome: &Outcome, figures: &[Figure]) -> usize {
    figures
        .iter()
        .map(|f| match &f.kind {
            // One more for the times.
            FigureKind::Time { series, at, of, .. } => {
                1 + time::curve_count(outcome, &Lines { series, at, of })
            }
            FigureKind::Shares { at, .. } => 1 + shares::curve_count(outcome, at),
            FigureKind::Sweep { .. } | FigureKind::Metrics { .. } | FigureKind::Scatter { .. } => 0,
        })
        .sum()
}

/// Draws the figures. Curves over time get at most `max_points` points each.
pub(super) fn draw(outcome: &Outcome, figures: &[Figure], max_points: usize) -> Vec<Drawn> {
    let mut styles = Styles::default();
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
        FigureKind::Sweep { x, x_log, y, series, at } => {
            let what = Sweep { x, x_log: *x_log, y: *y, series, at };
            let found = sweep::sweep(outcome, &title, &what, styles);
            with_numbers(outcome, title, caption, found)
        }
        FigureKind::Metrics { x, x_log, ys, at } => {
            let found = sweep::metrics(outcome, &title, (x, *x_log), ys, at, styles);
            with_numbers(outcome, title, caption, found)
        }
        FigureKind::Scatter { x, y, series, at } => {
            let found = sweep::scatter(outcome, &title, (*x, *y), series, at, styles);
            with_numbers(outcome, title, caption, found)
        }
        FigureKind::Time { y, series, at, of } => {
            let lines = Lines { series, at, of };
            let found = time::time(outcome, &title, *y, &lines, max_points, styles);
            over_time(title, caption, found)
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

fn with_numbers(
    outcome: &Outcome,
    title: String,
    caption: String,
    found: Option<(Chart, Table)>,
) -> Drawn {
    let Some((chart, numbers)) = found else {
        return empty(title, caption);
    };
    let note = intervals(outcome.scenario.seeds.len());
    Drawn { title, caption, note, chart: Some(chart), numbers: Some(numbers) }
}

/// Whether all values of a variable are numbers.
fn numeric(outcome: &Outcome, variable: &str) -> bool {
    outcome.values_of(variable).iter().all(|v| v.number.is_some())
}

/// Whether the values of a variable span a range that needs a logarithmic axis.
fn spread(outcome: &Outcome, variable: &str) -> bool {
    let numbers: Vec<f64> = outcome.values_of(variable).iter().filter_map(|v| v.number).collect();
    let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let most = numbers.iter().copied().fold(0.0, f64::max);
    least > 0.0 && most / least >= 50.0
}

/// The swept variable along x: the numeric one with the most values, or else the first one.
fn along(outcome: &Outcome) -> Option<&String> {
    let swept = &outcome.scenario.swept;
    let mut numbers: Vec<&String> = swept.iter().filter(|v| numeric(outcome, v)).collect();
    numbers.sort_by_key(|v| std::cmp::Reverse(outcome.values_of(v).len()));
    numbers.first().copied().or(swept.first())
}

fn several_groups(outcome: &Outcome) -> bool {
    outcome.scenario.points.iter().any(|p| crate::Group::all(&p.setup).len() > 1)
}

/// The values of the swept variables at the first point, except for the variables in `but`.
fn first_point(outcome: &Outcome, but: &[&str]) -> At {
    let Some(point) = outcome.scenario.points.first() else {
        return At::new();
    };
    let others = outcome.scenario.swept.iter().filter(|v| !but.contains(&v.as_str()));
    others.filter_map(|v| Some((v.clone(), point.vars.get(v)?.clone()))).collect()
}

fn defaults(outcome: &Outcome) -> Vec<Figure> {
    let swept = &outcome.scenario.swept;
    let mut figures = Vec::new();
    let x = along(outcome);
    if let Some(x) = x {
        let by_word = swept.iter().find(|v| *v != x && !numeric(outcome, v));
        let series = match by_word.or(swept.iter().find(|v| *v != x)) {
            Some(variable) if !several_groups(outcome) => variable.as_str(),
            _ => FLOW,
        };
        // A figure for each combination of the variables that are neither along x nor curves.
        let mut places = vec![At::new()];
        for variable in swept.iter().filter(|v| *v != x && *v != series) {
            let mut more = Vec::new();
            for at in &places {
                for value in values_at(outcome, at, variable) {
                    let mut at = at.clone();
                    at.insert(variable.clone(), value);
                    more.push(at);
                }
            }
            places = more;
        }
        for at in places.into_iter().take(MAX_DEFAULTS) {
            let place: Vec<String> =
                at.iter().map(|(k, v)| format!("{k} = {}", outcome.label_of(v))).collect();
            let place =
                if place.is_empty() { String::new() } else { format!(", {}", place.join(", ")) };
            figures.push(Figure {
                title: format!("Goodput against {x}{place}"),
                caption: if series == FLOW {
                    "Each curve is a flow group; its goodput is the mean over its flows.".to_owned()
                } else {
                    "Goodput of all flows together.".to_owned()
                },
                kind: FigureKind::Sweep {
                    x: x.clone(),
                    x_log: spread(outcome, x),
                    y: Metric::Goodput.into(),
                    series: series.to_owned(),
                    at,
                },
            });
        }
    }
    if outcome.results.iter().flatten().any(|r| !r.samples.is_empty()) {
        let flows = outcome.scenario.points.iter().any(|p| p.setup.flows.len() > 1);
        let by_word = swept.iter().find(|v| !numeric(outcome, v)).or(swept.first());
        let series = by_word.filter(|_| !flows).map_or(FLOW, String::as_str);
        let paced = outcome
            .scenario
            .points
            .iter()
            .any(|p| p.setup.flows.iter().any(|flow| flow.protocol.tcp().is_none()));
        // Paced flows have no window, but flows with a window have a rate.
        let decided = if paced {
            ("Sending rate over time", Trace::Rate)
        } else {
            ("cwnd over time", Trace::Cwnd)
        };
        for (title, y) in [decided, ("Throughput over time", Trace::Throughput)] {
            let at = first_point(outcome, &[series]);
            let place: Vec<String> =
                at.iter().map(|(k, v)| format!("{k} = {}", outcome.label_of(v))).collect();
            let caption =
                if place.is_empty() { String::new() } else { format!("At {}.", place.join(", ")) };
            let kind = FigureKind::Time { y, series: series.to_owned(), at, of: Vec::new() };
            figures.push(Figure { title: title.to_owned(), caption, kind });
        }
    }
    figures
}
