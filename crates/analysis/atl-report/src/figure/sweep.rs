//! Figures of metrics: against a swept variable, by flow group, or against another metric.

use std::collections::BTreeMap;

use atl_scenario::metric::Unit;
use atl_scenario::quote::Selection;
use atl_scenario::scenario::{Measure, Metric, Point, Value};

use super::axis::places;
use super::chart::{Axis, Chart, ChartKind, Curve, Num};
use super::printed::{Shown, printed};
use super::styles::Styles;
use crate::metric::{estimate, selects, survival};
use crate::outcome::{Group, Outcome};
use crate::quantity::{Quantity, title as title_of};
use crate::stats::Estimate;
use crate::table::{Cell, Column, Table};

/// Value of `series` for one series per flow group.
pub(super) const FLOW: &str = "flow";

/// Values of variables that select points.
pub(super) type At = BTreeMap<String, Value>;

pub(super) fn values_at(outcome: &Outcome, at: &At, variable: &str) -> Vec<Value> {
    let selection = Selection { at: at.clone(), groups: Vec::new() };
    let mut values: Vec<Value> = Vec::new();
    for point in outcome.scenario.points.iter().filter(|p| selects(&selection, p)) {
        if let Some(value) =
            point.vars.get(variable).filter(|v| !values.iter().any(|w| w.matches(v)))
        {
            values.push(value.clone());
        }
    }
    values
}

/// Series of a figure, each with its name and selection.
pub(super) fn series_of(outcome: &Outcome, at: &At, series: &str) -> Vec<(String, Selection)> {
    let base = Selection { at: at.clone(), groups: Vec::new() };
    if series == FLOW {
        let mut groups: Vec<Group> = Vec::new();
        for point in outcome.scenario.points.iter().filter(|p| selects(&base, p)) {
            for group in Group::all(&point.setup) {
                if !groups.iter().any(|g| g.name == group.name) {
                    groups.push(group);
                }
            }
        }
        return groups
            .into_iter()
            .map(|g| (g.name.clone(), Selection { at: at.clone(), groups: vec![g.name] }))
            .collect();
    }
    values_at(outcome, at, series)
        .into_iter()
        .map(|value| {
            let name = outcome.label_of(&value);
            // A bare number would mean nothing in a legend.
            let name = match value.number {
                Some(_) => outcome.variable(series).with(&name),
                None => name,
            };
            let mut selection = base.clone();
            selection.at.insert(series.to_owned(), value);
            (name, selection)
        })
        .collect()
}

pub(super) fn num(estimate: Option<Estimate>, read: impl Fn(Estimate) -> Option<f64>) -> Num {
    Num::of(estimate.and_then(read))
}

pub(super) fn curve(
    name: String,
    estimates: &[Option<Estimate>],
    quantity: Quantity,
    styles: &mut Styles,
) -> Curve {
    let scaled: Vec<Option<Estimate>> =
        estimates.iter().map(|e| e.map(|e| e.scaled(quantity.factor))).collect();
    Curve {
        style: styles.of(&name),
        name,
        y: scaled.iter().map(|e| num(*e, |e| Some(e.mean))).collect(),
        low: scaled.iter().map(|e| num(*e, |e| e.low())).collect(),
        high: scaled.iter().map(|e| num(*e, |e| e.high())).collect(),
        ..Curve::default()
    }
}

/// A metric of a selection, as it is drawn and as its cell shows it. A time to an event is the
/// Kaplan-Meier median, which is not drawn where it is not reached.
fn figure_of(
    outcome: &Outcome,
    measure: Measure,
    selection: &Selection,
) -> (Option<Estimate>, Cell) {
    match survival(outcome, measure, selection) {
        Some(time) => (time.estimate(), Cell::Time(time)),
        None => {
            let estimate = estimate(outcome, measure, selection);
            (estimate, number_cell(estimate))
        }
    }
}

/// Title of an axis: a time to an event is a median, and a rate of all flows together says so.
fn axis_title(measure: Measure, together: bool) -> String {
    let Measure { metric, during } = measure;
    if let (Some(_), None) = (metric.descriptor().awaits, during) {
        return Quantity::median(metric);
    }
    let title = title_of(measure);
    if together && metric.unit() == Unit::BitsPerSecond {
        let name = Quantity::of(metric).name;
        return title.replacen(name, &format!("{name} of all flows"), 1);
    }
    title
}

/// True if a number of a figure with these series is of several flows, whichever they are.
fn is_together(outcome: &Outcome, at: &At, series: &str) -> bool {
    let shown = Selection { at: at.clone(), groups: Vec::new() };
    let several = |point: &Point| selects(&shown, point) && point.setup.flows.len() > 1;
    series != FLOW && outcome.scenario.points.iter().any(several)
}

pub(super) fn number_cell(estimate: Option<Estimate>) -> Cell {
    estimate.map_or(Cell::Empty, Cell::Number)
}

/// Definition of a sweep figure.
pub(super) struct Sweep<'a> {
    pub(super) x: &'a str,
    pub(super) x_log: bool,
    pub(super) y: Measure,
    pub(super) series: &'a str,
    pub(super) at: &'a At,
    pub(super) of: &'a [String],
}

/// A metric against a swept variable, with the numbers; `None` if no run fits.
pub(super) fn sweep(
    outcome: &Outcome,
    title: &str,
    figure: &Sweep<'_>,
    styles: &mut Styles,
) -> Option<(Chart, Table)> {
    let quantity = Quantity::of(figure.y.metric);
    let values = values_at(outcome, figure.at, figure.x);
    if values.is_empty() {
        return None;
    }
    let places = places(outcome, figure.x, values, figure.x_log);
    let mut columns =
        vec![Column { title: places.axis.label.clone(), key: figure.x.to_owned(), quantity: None }];
    let mut rows: Vec<Vec<Cell>> =
        places.values.iter().map(|v| vec![Cell::Text(outcome.label_of(v))]).collect();
    let mut curves = Vec::new();
    let mut shown = Vec::new();
    for (name, mut selection) in series_of(outcome, figure.at, figure.series) {
        if figure.series != FLOW {
            selection.groups = figure.of.to_vec();
        } else if !figure.of.is_empty() && !figure.of.contains(&name) {
            continue;
        }
        let selections: Vec<Selection> = places
            .values
            .iter()
            .map(|value| {
                let mut selection = selection.clone();
                selection.at.insert(figure.x.to_owned(), value.clone());
                selection
            })
            .collect();
        let all = selections.iter().map(|selection| figure_of(outcome, figure.y, selection));
        let (estimates, cells): (Vec<Option<Estimate>>, Vec<Cell>) = all.unzip();
        if cells.iter().all(|cell| *cell == Cell::Empty) {
            continue;
        }
        for (row, cell) in rows.iter_mut().zip(cells) {
            row.push(cell);
        }
        columns.push(Column { title: name.clone(), key: name.clone(), quantity: Some(quantity) });
        let measured = estimates.iter().map(|e| e.map(|e| e.mean)).collect();
        curves.push(curve(name, &estimates, quantity, styles));
        shown.push(Shown { selections, measured });
    }
    if curves.is_empty() {
        return None;
    }
    let together = figure.of.is_empty() && is_together(outcome, figure.at, figure.series);
    let marks = printed(outcome, figure.y, quantity.factor, &curves, &shown);
    curves.extend(marks);
    let chart = Chart {
        kind: ChartKind::Sweep,
        title: title.to_owned(),
        x: places.axis,
        y: Axis::linear(axis_title(figure.y, together)),
        xs: places.xs,
        curves,
        marks: Vec::new(),
        limits: Vec::new(),
        seed: None,
    };
    Some((chart, Table { columns, rows }))
}

/// Several metrics of one unit against a swept variable, a curve for each. If their names share the
/// part before a comma (`error of eq. 10, mended`), that part labels the axis and the curves get
/// the rest.
pub(super) fn metrics(
    outcome: &Outcome,
    title: &str,
    (x, x_log): (&str, bool),
    ys: &[Measure],
    at: &At,
    styles: &mut Styles,
) -> Option<(Chart, Table)> {
    let values = values_at(outcome, at, x);
    let first = axis_title(*ys.first()?, is_together(outcome, at, ""));
    if values.is_empty() {
        return None;
    }
    let places = places(outcome, x, values, x_log);
    let quantities: Vec<Quantity> = ys.iter().map(|y| Quantity::of(y.metric)).collect();
    let parts: Vec<Option<(&str, &str)>> =
        quantities.iter().map(|q| q.name.split_once(", ")).collect();
    let shared = parts[0].map(|(head, _)| head);
    let shared = shared.filter(|head| parts.iter().all(|p| p.is_some_and(|(h, _)| h == *head)));
    let mut columns =
        vec![Column { title: places.axis.label.clone(), key: x.to_owned(), quantity: None }];
    let mut rows: Vec<Vec<Cell>> =
        places.values.iter().map(|v| vec![Cell::Text(outcome.label_of(v))]).collect();
    let mut curves = Vec::new();
    for ((y, quantity), part) in ys.iter().zip(&quantities).zip(&parts) {
        let name = match (shared, part) {
            (Some(_), Some((_, rest))) => *rest,
            _ => quantity.name,
        };
        let all = places.values.iter().map(|value| {
            let mut at = at.clone();
            at.insert(x.to_owned(), value.clone());
            figure_of(outcome, *y, &Selection { at, groups: Vec::new() })
        });
        let (estimates, cells): (Vec<Option<Estimate>>, Vec<Cell>) = all.unzip();
        if cells.iter().all(|cell| *cell == Cell::Empty) {
            continue;
        }
        for (row, cell) in rows.iter_mut().zip(cells) {
            row.push(cell);
        }
        let key = quantity.key.to_owned();
        columns.push(Column { title: name.to_owned(), key, quantity: Some(*quantity) });
        curves.push(curve(name.to_owned(), &estimates, *quantity, styles));
    }
    if curves.is_empty() {
        return None;
    }
    let label = match (shared, ys) {
        (Some(head), _) => format!("{head} ({})", quantities[0].unit),
        (None, [_]) => first,
        (None, _) => quantities[0].unit.to_owned(),
    };
    let chart = Chart {
        kind: ChartKind::Sweep,
        title: title.to_owned(),
        x: places.axis,
        y: Axis::linear(label),
        xs: places.xs,
        curves,
        marks: Vec::new(),
        limits: Vec::new(),
        seed: None,
    };
    Some((chart, Table { columns, rows }))
}

/// A metric by flow group, for scenarios without a sweep.
pub(super) fn groups(
    outcome: &Outcome,
    title: &str,
    y: Metric,
    styles: &mut Styles,
) -> Option<(Chart, Table)> {
    let quantity = Quantity::of(y);
    let series = series_of(outcome, &At::new(), FLOW);
    let names: Vec<String> = series.iter().map(|s| s.0.clone()).collect();
    let all = series.iter().map(|(_, s)| figure_of(outcome, y.into(), s));
    let (estimates, cells): (Vec<Option<Estimate>>, Vec<Cell>) = all.unzip();
    if cells.iter().all(|cell| *cell == Cell::Empty) {
        return None;
    }
    // Each group is a curve, to have its own colour and mark.
    let curves = names
        .iter()
        .enumerate()
        .map(|(i, name)| {
            let mut own = vec![None; names.len()];
            own[i] = estimates[i];
            curve(name.clone(), &own, quantity, styles)
        })
        .collect();
    let columns = vec![
        Column { title: "flows".to_owned(), key: FLOW.to_owned(), quantity: None },
        Column { title: quantity.title(), key: quantity.key.to_owned(), quantity: Some(quantity) },
    ];
    let rows = names.iter().zip(cells).map(|(n, cell)| vec![Cell::Text(n.clone()), cell]).collect();
    let chart = Chart {
        kind: ChartKind::Sweep,
        title: title.to_owned(),
        xs: (0..names.len()).map(|i| Num::new(i as f64)).collect(),
        x: Axis { label: "flows".to_owned(), log: false, names },
        y: Axis::linear(quantity.title()),
        curves,
        marks: Vec::new(),
        limits: Vec::new(),
        seed: None,
    };
    Some((chart, Table { columns, rows }))
}

/// A point of a scatter plot.
struct Dot {
    /// Index of its series.
    series: usize,
    x: Estimate,
    y: Estimate,
    /// The point of the sweep in words.
    point: String,
    /// The same without the variable that makes the series.
    beside: String,
}

/// One metric against another, with a mark for each point of the sweep.
pub(super) fn scatter(
    outcome: &Outcome,
    title: &str,
    (x, y): (Measure, Measure),
    series: &str,
    at: &At,
    styles: &mut Styles,
) -> Option<(Chart, Table)> {
    let (across, up) = (Quantity::of(x.metric), Quantity::of(y.metric));
    let (mut dots, mut off) = (Vec::new(), Vec::new());
    let mut names = Vec::new();
    for (name, selection) in series_of(outcome, at, series) {
        for point in outcome.scenario.points.iter().filter(|p| selects(&selection, p)) {
            let here = Selection { at: point.vars.clone(), groups: selection.groups.clone() };
            let own = |but: &str| {
                let others = outcome.scenario.swept.iter().filter(|v| *v != but);
                let with = |v: &String| {
                    Some(outcome.variable(v).with(&outcome.label_of(point.vars.get(v)?)))
                };
                others.filter_map(with).collect::<Vec<_>>().join(", ")
            };
            match (figure_of(outcome, x, &here), figure_of(outcome, y, &here)) {
                ((Some(a), _), (Some(b), _)) => dots.push(Dot {
                    series: names.len(),
                    x: a,
                    y: b,
                    point: own(""),
                    beside: own(series),
                }),
                // A median that is not reached has no place in the plot, but stays in the table.
                ((_, a @ Cell::Time(_)), (_, b)) | ((_, a), (_, b @ Cell::Time(_))) => {
                    off.push(vec![Cell::Text(name.clone()), Cell::Text(own("")), a, b]);
                }
                _ => {}
            }
        }
        names.push(name);
    }
    if dots.is_empty() {
        return None;
    }
    dots.sort_by(|a, b| a.x.mean.total_cmp(&b.x.mean));
    let curves = names
        .iter()
        .enumerate()
        .map(|(i, name)| {
            let own = |e: Estimate, s: usize, factor: f64| (s == i).then_some(e.scaled(factor));
            let ys: Vec<Option<Estimate>> =
                dots.iter().map(|d| own(d.y, d.series, up.factor)).collect();
            let xs: Vec<Option<Estimate>> =
                dots.iter().map(|d| own(d.x, d.series, across.factor)).collect();
            let alone = dots.iter().filter(|d| d.series == i).count() == 1;
            let words = dots.iter().map(|d| match d.series == i {
                true if alone => name.clone(),
                true => d.beside.clone(),
                false => String::new(),
            });
            Curve {
                style: styles.of(name),
                name: name.clone(),
                y: ys.iter().map(|e| num(*e, |e| Some(e.mean))).collect(),
                low: ys.iter().map(|e| num(*e, |e| e.low())).collect(),
                high: ys.iter().map(|e| num(*e, |e| e.high())).collect(),
                low_x: xs.iter().map(|e| num(*e, |e| e.low())).collect(),
                high_x: xs.iter().map(|e| num(*e, |e| e.high())).collect(),
                words: words.collect(),
                ..Curve::default()
            }
        })
        .collect();
    let together = is_together(outcome, at, series);
    let column = |m: Measure, q: Quantity| Column {
        title: axis_title(m, together),
        key: q.key.to_owned(),
        quantity: Some(q),
    };
    let word = |w: &str| Column { title: w.to_owned(), key: w.to_owned(), quantity: None };
    let rows = dots
        .iter()
        .map(|d| {
            vec![
                Cell::Text(names[d.series].clone()),
                Cell::Text(d.point.clone()),
                Cell::Number(d.x),
                Cell::Number(d.y),
            ]
        })
        .chain(off)
        .collect();
    let chart = Chart {
        kind: ChartKind::Scatter,
        title: title.to_owned(),
        x: Axis::linear(axis_title(x, together)),
        y: Axis::linear(axis_title(y, together)),
        xs: dots.iter().map(|d| Num::new(d.x.mean * across.factor)).collect(),
        curves,
        marks: Vec::new(),
        limits: Vec::new(),
        seed: None,
    };
    Some((
        chart,
        Table {
            columns: vec![word(series), word("point"), column(x, across), column(y, up)],
            rows,
        },
    ))
}
