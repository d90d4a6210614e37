//! Figures over time, for the run with the first seed.

use atl_scenario::quote::Selection;
use atl_scenario::result::RunResult;
use atl_scenario::scenario::{Point, Trace, Value};
use atl_scenario::setup::FlowSetup;

use super::chart::{Axis, Chart, ChartKind, Curve, Num, Styles};
use super::marks;
use super::reduce::{self, Series};
use super::sweep::{At, FLOW};
use crate::metric::selects;
use crate::outcome::Outcome;
use crate::quantity::Quantity;

/// Curves of a figure at most; more could not be told apart.
pub(super) const MAX_CURVES: usize = 12;

/// A curve to be drawn.
pub(super) struct Timeline<'a> {
    pub(super) name: String,
    pub(super) point: &'a Point,
    /// The flow that it shows; `None`: all of them together.
    pub(super) flow: Option<usize>,
    pub(super) values: Series,
}

/// Which curves a figure has.
#[derive(Clone, Copy)]
pub(super) struct Lines<'a> {
    /// The variable whose values are the curves, or `flow`.
    pub(super) series: &'a str,
    /// Only the points where these variables have these values.
    pub(super) at: &'a At,
    /// Only the flows of these groups; empty: all flows.
    pub(super) of: &'a [String],
}

impl Lines<'_> {
    fn include(&self, flow: &FlowSetup) -> bool {
        self.of.is_empty() || self.of.contains(&flow.group)
    }
}

/// A curve that is wanted: which flows of which point.
struct Wanted<'a> {
    name: String,
    point: &'a Point,
    run: &'a RunResult,
    /// One flow, or all of them together (rates and bytes are summed, everything else is averaged).
    flow: Option<usize>,
}

/// The points of a figure with their first runs, if these have samples.
pub(super) fn points<'a>(outcome: &'a Outcome, at: &At) -> Vec<(&'a Point, &'a RunResult)> {
    let selection = Selection { at: at.clone(), groups: Vec::new() };
    outcome
        .points()
        .filter(|(point, _)| selects(&selection, point))
        .filter_map(|(point, runs)| Some((point, runs.first()?)))
        .filter(|(_, run)| !run.samples.is_empty())
        .collect()
}

/// The swept variables other than `series` that distinguish `point` from the other points, with their values.
pub(super) fn context(
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

/// A curve's name, with what distinguishes it from other curves of that name.
pub(super) fn named(name: &str, context: &str) -> String {
    if context.is_empty() { name.to_owned() } else { format!("{name} ({context})") }
}

/// A curve's name by the value of its variable. A number gets the variable's name, because a bare number means nothing in
/// a legend.
pub(super) fn value_name(outcome: &Outcome, variable: &str, value: &Value) -> String {
    let label = outcome.label_of(value);
    if value.number.is_some() { format!("{variable} = {label}") } else { label }
}

fn wanted<'a>(outcome: &'a Outcome, lines: &Lines<'_>) -> Vec<Wanted<'a>> {
    let Lines { series, at, .. } = *lines;
    let points = points(outcome, at);
    let mut all = Vec::new();
    for &(point, run) in &points {
        let context = context(outcome, &points, point, series);
        let named = |name: &str| named(name, &context);
        if series == FLOW {
            let flows = point.setup.flows.iter().enumerate();
            for (i, flow) in flows.filter(|(_, flow)| lines.include(flow)) {
                all.push(Wanted { name: named(&flow.name), point, run, flow: Some(i) });
            }
        } else if let Some(value) = point.vars.get(series) {
            let name = value_name(outcome, series, value);
            all.push(Wanted { name: named(&name), point, run, flow: None });
        }
    }
    all
}

/// The number of curves of a figure; they share the page's budget.
pub(super) fn curve_count(outcome: &Outcome, lines: &Lines<'_>) -> usize {
    wanted(outcome, lines).len().min(MAX_CURVES)
}

/// The values over time of one curve.
fn series_over_time(trace: Trace, wanted: &Wanted<'_>, lines: &Lines<'_>) -> Series {
    let about = trace.descriptor();
    let factor = about.scale.factor;
    let mut out: Series = Vec::new();
    let mut count = 0_usize;
    for sample in &wanted.run.samples {
        if wanted.flow.is_some_and(|f| f != sample.flow as usize) {
            continue;
        }
        let flow = wanted.point.setup.flows.get(sample.flow as usize);
        let Some(flow) = flow.filter(|flow| lines.include(flow)) else {
            continue;
        };
        let Some(v) = (about.value)(flow, sample).filter(|v| v.is_finite()) else {
            continue;
        };
        match out.last_mut() {
            // Samples of one time are adjacent: all flows together.
            Some(last) if last.0.total_cmp(&sample.time_s).is_eq() => {
                count += 1;
                last.1 = if about.adds_up {
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

/// A trace over time, with a note for the reader; `None` if there are no samples.
pub(super) fn time(
    outcome: &Outcome,
    title: &str,
    trace: Trace,
    lines: &Lines<'_>,
    max_points: usize,
    styles: &mut Styles,
) -> Option<(Chart, String)> {
    let wanted = wanted(outcome, lines);
    let asked = wanted.len();
    let paced = |w: &Wanted<'_>| w.point.setup.flows.iter().all(|f| f.protocol.tcp().is_none());
    let y = match Quantity::of_trace(trace) {
        // For a rate, alpha is in packets per second.
        alpha if trace == Trace::Alpha && wanted.iter().all(paced) => {
            Quantity { unit: "packets/s per RTT", ..alpha }
        }
        quantity => quantity,
    };
    let curves = wanted
        .into_iter()
        .take(MAX_CURVES)
        .map(|w| Timeline {
            values: series_over_time(trace, &w, lines),
            name: w.name,
            point: w.point,
            flow: w.flow,
        })
        .collect();
    draw(outcome, (title, y.title()), curves, asked, max_points, styles)
}

/// Curves over common times, with a note for the reader, given the titles of the figure and of its y axis; `None` if all
/// are empty. `asked` is the number of curves before the limit.
pub(super) fn draw(
    outcome: &Outcome,
    (title, y): (&str, String),
    curves: Vec<Timeline<'_>>,
    asked: usize,
    max_points: usize,
    styles: &mut Styles,
) -> Option<(Chart, String)> {
    let setups: Vec<(&Point, Option<usize>)> = curves.iter().map(|c| (c.point, c.flow)).collect();
    let (names, data): (Vec<String>, Vec<Series>) =
        curves.into_iter().map(|c| (c.name, c.values)).unzip();
    let reduced = reduce::together(&data, max_points)?;
    let drawn = names.len();
    let curves: Vec<Curve> = names
        .into_iter()
        .zip(reduced.ys)
        .map(|(name, y)| Curve {
            style: styles.of(&name),
            name,
            y: y.into_iter().map(Num).collect(),
            low: Vec::new(),
            high: Vec::new(),
            low_x: Vec::new(),
            high_x: Vec::new(),
        })
        .collect();
    let mut note = match outcome.scenario.seeds.first() {
        Some(seed) => format!("One run: seed {seed}."),
        None => String::new(),
    };
    if let Some(width) = reduced.bucket_s {
        note.push_str(&format!(
            " Shown as the minimum and maximum of each {} s, so no peak is lost.",
            crate::quantity::number(width)
        ));
    }
    if asked > drawn {
        note.push_str(&format!(" Only the first {drawn} of {asked} curves are shown."));
    }
    let chart = Chart {
        kind: ChartKind::Time,
        title: title.to_owned(),
        x: Axis::linear("time (s)".to_owned()),
        y: Axis::linear(y),
        xs: reduced.xs.into_iter().map(Num::new).collect(),
        curves,
        marks: marks::of(&setups),
    };
    Some((chart, note))
}
