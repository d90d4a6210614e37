//! Distribution of a metric over all flows and seeds, and its quantiles.

use atl_scenario::metric::Need;
use atl_scenario::scenario::Metric;

use super::chart::{Axis, Chart, ChartKind, Curve, Num};
use super::styles::Styles;
use super::sweep::{At, series_of};
use crate::metric::{ends, flows_of, of_flow, selects};
use crate::outcome::Outcome;
use crate::quantity::Quantity;
use crate::stats::{Estimate, Spread, quantile};
use crate::table::{Cell, Column, Table};

/// Limit on the points of a curve.
const MAX_PLACES: usize = 400;
/// Quantiles of the table, each with the number of flows from which it means something: one flow is
/// expected beyond it.
const QUANTILES: [(&str, f64, usize); 3] = [("p50", 0.5, 2), ("p95", 0.95, 20), ("p99", 0.99, 100)];

/// Values of a series, ascending, and the number of flows including those without a value.
struct Sorted {
    name: String,
    values: Vec<f64>,
    flows: usize,
}

fn collect(outcome: &Outcome, metric: Metric, series: &str, at: &At) -> Vec<Sorted> {
    let awaits = metric.descriptor().needs.contains(&Need::EndingFlow);
    let mut all = Vec::new();
    for (name, selection) in series_of(outcome, at, series) {
        let (mut values, mut count) = (Vec::new(), 0);
        for (point, runs) in outcome.points().filter(|(p, _)| selects(&selection, p)) {
            let flows = match selection.groups.is_empty() {
                true => (0..point.setup.flows.len()).collect(),
                false => flows_of(&point.setup, &selection.groups),
            };
            for run in &*runs.get() {
                for &flow in &flows {
                    let value = of_flow(metric, &point.setup, run, flow);
                    // A flow that could have ended but did not has no completion time, yet counts
                    // as a flow.
                    let counts = value.is_some() || (awaits && ends(&point.setup.flows[flow]));
                    count += usize::from(counts);
                    values.extend(value);
                }
            }
        }
        values.sort_by(f64::total_cmp);
        // A series of which no flow ended has a curve too: it stays at 0.
        if count > 0 {
            all.push(Sorted { name, values, flows: count });
        }
    }
    all
}

/// Positions at which the curves are evaluated: all values, or as many quantiles of them as fit.
fn places(all: &[Sorted]) -> Vec<f64> {
    let mut xs: Vec<f64> = all.iter().flat_map(|s| s.values.iter().copied()).collect();
    xs.sort_by(f64::total_cmp);
    xs.dedup();
    if xs.len() <= MAX_PLACES {
        return xs;
    }
    let last = xs.len() - 1;
    (0..MAX_PLACES).map(|i| xs[i * last / (MAX_PLACES - 1)]).collect()
}

/// Share of the flows whose value is at most `x`.
fn share(sorted: &Sorted, x: f64) -> f64 {
    sorted.values.partition_point(|v| *v <= x) as f64 / sorted.flows as f64
}

/// Distribution of a metric with its quantiles; `None` if no flow has the metric.
pub(super) fn distribution(
    outcome: &Outcome,
    title: &str,
    (metric, log): (Metric, bool),
    (series, at): (&str, &At),
    styles: &mut Styles,
) -> Option<(Chart, Table)> {
    let quantity = Quantity::of(metric);
    let all = collect(outcome, metric, series, at);
    let xs = places(&all);
    let (least, _) = (xs.first()?, xs.last()?);
    let log = log && *least > 0.0;
    let curves = all
        .iter()
        .map(|sorted| Curve {
            style: styles.of(&sorted.name),
            name: sorted.name.clone(),
            y: xs.iter().map(|x| Num::new(100.0 * share(sorted, *x))).collect(),
            ..Curve::default()
        })
        .collect();
    let chart = Chart {
        kind: ChartKind::Distribution,
        title: title.to_owned(),
        x: Axis { label: quantity.title(), log, names: Vec::new() },
        y: Axis::linear("share of the flows (%)".to_owned()),
        xs: xs.iter().map(|x| Num::new(x * quantity.factor)).collect(),
        curves,
        marks: Vec::new(),
        limits: Vec::new(),
        seed: None,
    };
    Some((chart, quantiles(&all, series, quantity)))
}

fn quantiles(all: &[Sorted], series: &str, quantity: Quantity) -> Table {
    let word =
        |title: &str| Column { title: title.to_owned(), key: title.to_owned(), quantity: None };
    let mut columns = vec![word(series), word("flows"), word("of these ended")];
    columns.extend(QUANTILES.iter().map(|(name, ..)| Column {
        title: format!("{name} ({})", quantity.unit),
        key: format!("{}_{name}", quantity.key),
        quantity: Some(quantity),
    }));
    let cell = |sorted: &Sorted, q: f64, fewest: usize| {
        // A flow that did not end took longer than any that did.
        let mut values = sorted.values.clone();
        values.resize(sorted.flows.max(values.len()), f64::INFINITY);
        let value = quantile(&values, q).filter(|v| v.is_finite() && values.len() >= fewest);
        value.map_or(Cell::Absent, |mean| {
            Cell::Number(Estimate {
                mean,
                spread: Spread::TooFew,
                n: values.len(),
                of: values.len(),
            })
        })
    };
    let rows = all.iter().map(|sorted| {
        let counts =
            [sorted.name.clone(), sorted.flows.to_string(), sorted.values.len().to_string()];
        let quantiles = QUANTILES.iter().map(|(_, q, fewest)| cell(sorted, *q, *fewest));
        counts.map(Cell::Text).into_iter().chain(quantiles).collect()
    });
    Table { columns, rows: rows.collect() }
}
