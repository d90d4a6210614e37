//! Figures over time, of the first seed's run.

use atl_scenario::quote::Selection;
use atl_scenario::result::{RunResult, Sample};
use atl_scenario::scenario::{Point, Trace};

use super::chart::{Axis, Chart, Curve, Kind, Num, Styles};
use super::marks;
use super::reduce::{self, Series};
use super::sweep::{At, FLOW};
use crate::metric::selects;
use crate::outcome::Outcome;
use crate::quantity::Quantity;

/// More curves than this nobody can tell apart.
const MOST_CURVES: usize = 12;

fn value(trace: Trace, sample: &Sample) -> Option<f64> {
    match trace {
        Trace::Goodput => Some(sample.goodput_bps),
        Trace::Throughput => Some(sample.throughput_bps),
        Trace::Cwnd => Some(sample.cwnd),
        Trace::Srtt => sample.srtt_s,
        Trace::Alpha => sample.alpha,
        Trace::Delivered => Some(sample.delivered_bytes as f64),
    }
}

/// A curve to be: which flows of which point.
struct Wanted<'a> {
    name: String,
    point: &'a Point,
    run: &'a RunResult,
    /// One flow, or all of them together (rates and bytes summed, the rest averaged).
    flow: Option<usize>,
}

/// What of the swept variables tells `point` from the others, apart from `series`.
fn context(
    outcome: &Outcome,
    points: &[(&Point, &RunResult)],
    point: &Point,
    series: &str,
) -> String {
    let differs = |v: &&String| {
        *v != series
            && points.iter().any(|(p, _)| match (p.vars.get(*v), point.vars.get(*v)) {
                (Some(a), Some(b)) => !a.matches(b),
                _ => false,
            })
    };
    let parts = outcome.scenario.swept.iter().filter(differs).filter_map(|v| {
        let value = point.vars.get(v)?;
        let label = outcome.label_of(value);
        Some(if value.number.is_some() { format!("{v} = {label}") } else { label })
    });
    parts.collect::<Vec<_>>().join(", ")
}

fn wanted<'a>(outcome: &'a Outcome, series: &str, at: &At) -> Vec<Wanted<'a>> {
    let selection = Selection { at: at.clone(), group: None };
    let points: Vec<(&Point, &RunResult)> = outcome
        .points()
        .filter(|(point, _)| selects(&selection, point))
        .filter_map(|(point, runs)| Some((point, runs.first()?)))
        .filter(|(_, run)| !run.samples.is_empty())
        .collect();
    let mut all = Vec::new();
    for &(point, run) in &points {
        let context = context(outcome, &points, point, series);
        let named = |name: &str| {
            if context.is_empty() { name.to_owned() } else { format!("{name} ({context})") }
        };
        if series == FLOW {
            for (i, flow) in point.setup.flows.iter().enumerate() {
                all.push(Wanted { name: named(&flow.name), point, run, flow: Some(i) });
            }
        } else if let Some(value) = point.vars.get(series) {
            let label = outcome.label_of(value);
            let name = if value.number.is_some() { format!("{series} = {label}") } else { label };
            all.push(Wanted { name: named(&name), point, run, flow: None });
        }
    }
    all
}

/// How many curves a figure will have: the page's size is shared between them.
pub(super) fn curve_count(outcome: &Outcome, series: &str, at: &At) -> usize {
    wanted(outcome, series, at).len().min(MOST_CURVES)
}

/// The values over time of one curve.
fn series_over_time(trace: Trace, wanted: &Wanted<'_>) -> Series {
    let factor = Quantity::of_trace(trace).factor;
    let adds_up = matches!(trace, Trace::Goodput | Trace::Throughput | Trace::Delivered);
    let mut out: Series = Vec::new();
    let mut count = 0_usize;
    for sample in &wanted.run.samples {
        if wanted.flow.is_some_and(|f| f != sample.flow as usize) {
            continue;
        }
        let Some(v) = value(trace, sample).filter(|v| v.is_finite()) else {
            continue;
        };
        match out.last_mut() {
            // Samples of one time follow each other: all flows together.
            Some(last) if last.0.total_cmp(&sample.time_s).is_eq() => {
                count += 1;
                last.1 = if adds_up {
                    last.1 + v * factor
                } else {
                    last.1 + (v * factor - last.1) / count as f64
                };
            }
            _ => {
                count = 1;
                out.push((sample.time_s, v * factor));
            }
        }
    }
    out
}

/// A sample over time with what to know about it; `None` if there are no samples.
pub(super) fn time(
    outcome: &Outcome,
    title: &str,
    trace: Trace,
    series: &str,
    at: &At,
    most_points: usize,
    styles: &mut Styles,
) -> Option<(Chart, String)> {
    let mut wanted = wanted(outcome, series, at);
    let asked = wanted.len();
    wanted.truncate(MOST_CURVES);
    let data: Vec<Series> = wanted.iter().map(|w| series_over_time(trace, w)).collect();
    let reduced = reduce::together(&data, most_points)?;
    let curves: Vec<Curve> = wanted
        .iter()
        .zip(reduced.ys)
        .map(|(w, y)| Curve {
            style: styles.of(&w.name),
            name: w.name.clone(),
            y: y.into_iter().map(Num).collect(),
            half: Vec::new(),
            half_x: Vec::new(),
        })
        .collect();
    let setups: Vec<(&Point, Option<usize>)> = wanted.iter().map(|w| (w.point, w.flow)).collect();
    let mut note = match outcome.scenario.seeds.first() {
        Some(seed) => format!("One run: seed {seed}."),
        None => String::new(),
    };
    if let Some(width) = reduced.bucket_s {
        note.push_str(&format!(
            " Drawn from the least and greatest of each {} s, so that no peak is lost.",
            crate::quantity::number(width)
        ));
    }
    if asked > MOST_CURVES {
        note.push_str(&format!(" The first {MOST_CURVES} of {asked} curves."));
    }
    let chart = Chart {
        kind: Kind::Time,
        title: title.to_owned(),
        x: Axis::linear("time (s)".to_owned()),
        y: Axis::linear(Quantity::of_trace(trace).title()),
        xs: reduced.xs.into_iter().map(Num::new).collect(),
        curves,
        marks: marks::of(&setups),
    };
    Some((chart, note))
}
