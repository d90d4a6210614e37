//! Figures over time, with means over the seeds and one run.

use atl_engine::result::RunResult;
use atl_engine::setup::FlowSetup;
use atl_scenario::quote::Selection;
use atl_scenario::scenario::{Point, Trace, Value};

use super::chart::{Axis, Chart, ChartKind, Curve, Num};
use super::printed::{self, OverTime};
use super::reduce::{self, Series};
use super::styles::Styles;
use super::sweep::{At, FLOW};
use super::timeline::Timeline;
use super::{bursts, marks};
use crate::metric::selects;
use crate::outcome::{Outcome, Runs};
use crate::quantity::Quantity;
use crate::stats::{Estimate, MIN_SEEDS};

/// Limit on the curves of a figure; more could not be told apart.
pub(super) const MAX_CURVES: usize = 12;

/// Selection of a figure's curves.
#[derive(Clone, Copy)]
pub(super) struct Lines<'a> {
    /// Variable whose values make the curves, or `flow`.
    pub(super) series: &'a str,
    /// Values that these variables must have.
    pub(super) at: &'a At,
    /// Flow groups to include; empty for all.
    pub(super) of: &'a [String],
}

impl Lines<'_> {
    fn include(&self, flow: &FlowSetup) -> bool {
        self.of.is_empty() || self.of.contains(&flow.group)
    }
}

/// A selected curve: a point of the sweep and one or all of its flows.
struct Wanted<'a> {
    name: String,
    point: &'a Point,
    runs: Runs<'a>,
    /// Index of the flow; `None` for all together (rates and bytes are summed, everything else is
    /// averaged).
    flow: Option<usize>,
}

/// Points of a figure with their runs, where these have samples.
pub(super) fn points<'a>(outcome: &'a Outcome, at: &At) -> Vec<(&'a Point, Runs<'a>)> {
    let selection = Selection { at: at.clone(), groups: Vec::new() };
    outcome
        .points()
        .filter(|(point, _)| selects(&selection, point))
        .filter(|(_, runs)| runs.get().first().is_some_and(|run| !run.samples.is_empty()))
        .collect()
}

/// Swept variables other than `series` that distinguish `point` from the other points, with their
/// values.
pub(super) fn context(
    outcome: &Outcome,
    points: &[(&Point, Runs<'_>)],
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
        Some(value_name(outcome, v, value))
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// Name of a curve, with the context that distinguishes it from others of that name.
pub(super) fn named(name: &str, context: &str) -> String {
    if context.is_empty() { name.to_owned() } else { format!("{name} ({context})") }
}

/// Name of a curve from the value of its variable. A number gets the variable's name, since a bare
/// number would mean nothing in a legend.
pub(super) fn value_name(outcome: &Outcome, variable: &str, value: &Value) -> String {
    let label = outcome.label_of(value);
    if value.number.is_some() { outcome.variable(variable).with(&label) } else { label }
}

fn wanted<'a>(outcome: &'a Outcome, lines: &Lines<'_>) -> Vec<Wanted<'a>> {
    let Lines { series, at, .. } = *lines;
    let points = points(outcome, at);
    let mut all = Vec::new();
    for &(point, runs) in &points {
        let context = context(outcome, &points, point, series);
        let named = |name: &str| named(name, &context);
        if series == FLOW {
            let flows = point.setup.flows.iter().enumerate();
            for (i, flow) in flows.filter(|(_, flow)| lines.include(flow)) {
                all.push(Wanted { name: named(&flow.name), point, runs, flow: Some(i) });
            }
        } else if let Some(value) = point.vars.get(series) {
            let name = value_name(outcome, series, value);
            all.push(Wanted { name: named(&name), point, runs, flow: None });
        }
    }
    all
}

/// Number of rows of numbers in a figure, for its share of the page's budget.
pub(super) fn row_count(outcome: &Outcome, lines: &Lines<'_>) -> usize {
    rows_of(outcome, wanted(outcome, lines).len())
}

/// Number of rows of numbers for this many curves.
pub(super) fn rows_of(outcome: &Outcome, curves: usize) -> usize {
    let each = match outcome.scenario.seeds.len() {
        0 | 1 => 1,
        n if n < MIN_SEEDS => 2,
        _ => 4,
    };
    curves.min(MAX_CURVES) * each
}

/// Values over time of one curve in one run.
fn series_over_time(
    trace: Trace,
    wanted: &Wanted<'_>,
    run: &RunResult,
    lines: &Lines<'_>,
) -> Series {
    let about = trace.descriptor();
    let factor = about.scale.factor;
    let mut out: Series = Vec::new();
    let mut count = 0_usize;
    for sample in &run.samples {
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
            // Samples of one time are adjacent and are combined over the flows.
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
    let paced = |w: &Wanted<'_>| w.point.setup.flows.iter().all(|f| f.protocol.paces());
    let y = match Quantity::of_trace(trace) {
        // The alpha of a rate controller is in packets per second.
        alpha if trace == Trace::Alpha && wanted.iter().all(paced) => {
            Quantity { unit: "packets/s per RTT", ..alpha }
        }
        quantity => quantity,
    };
    let curves: Vec<Timeline<'_>> = wanted
        .into_iter()
        .take(MAX_CURVES)
        .map(|w| Timeline {
            runs: w.runs.get().iter().map(|run| series_over_time(trace, &w, run, lines)).collect(),
            name: w.name,
            point: w.point,
            flow: w.flow,
        })
        .collect();
    let burst = trace == Trace::Goodput && bursts::any(&curves, y.factor);
    let shown: Vec<OverTime<'_>> = curves.iter().map(|curve| shown(curve, lines)).collect();
    let (mut chart, mut note) =
        draw(outcome, (title, y.title()), curves, asked, max_points, styles)?;
    let marks = printed::over_time(outcome, trace, &chart.xs, &chart.curves, &shown);
    if !marks.is_empty() {
        note.push_str(printed::NOTE_OVER_TIME);
    }
    chart.curves.extend(marks);
    if burst {
        note.push_str(bursts::NOTE);
    }
    Some((chart, note))
}

/// The content of a curve, in the words of a claim.
fn shown<'a>(curve: &Timeline<'a>, lines: &Lines<'a>) -> OverTime<'a> {
    let flows = &curve.point.setup.flows;
    let mut groups: Vec<&str> = match curve.flow.and_then(|flow| flows.get(flow)) {
        Some(flow) => vec![flow.group.as_str()],
        None => lines.of.iter().map(String::as_str).collect(),
    };
    groups.sort_unstable();
    OverTime { point: curve.point, groups }
}

/// Curves over common times, with a note for the reader; `None` if all are empty. `asked` is the
/// number of curves before the limit.
///
/// With one seed a curve is its run. With several it is their mean, with its interval if there are
/// enough, and beside it the run with the first seed.
pub(super) fn draw(
    outcome: &Outcome,
    (title, y): (&str, String),
    curves: Vec<Timeline<'_>>,
    asked: usize,
    max_points: usize,
    styles: &mut Styles,
) -> Option<(Chart, String)> {
    let setups: Vec<(&Point, Option<usize>)> = curves.iter().map(|c| (c.point, c.flow)).collect();
    let firsts: Vec<&Series> = curves.iter().filter_map(|c| c.runs.first()).collect();
    let reduced = reduce::together(&firsts, max_points)?;
    let drawn = curves.len();
    let seeds = outcome.scenario.seeds.len();
    let numbers = |values: Vec<Option<f64>>| values.into_iter().map(Num::of).collect::<Vec<Num>>();
    let curves: Vec<Curve> = curves
        .iter()
        .zip(reduced.ys)
        .map(|(curve, one)| {
            let name = curve.name.clone();
            let style = styles.of(&name);
            if seeds < 2 {
                return Curve { style, name, y: numbers(one), ..Curve::default() };
            }
            let means = reduce::means(&curve.runs, &reduced.xs, reduced.bucket_s);
            let bound = |of: fn(&Estimate) -> Option<f64>| match seeds >= MIN_SEEDS {
                true => means.iter().map(|e| Num::of(e.as_ref().and_then(of))).collect(),
                false => Vec::new(),
            };
            Curve {
                style,
                name,
                y: means.iter().map(|e| Num::of(e.map(|e| e.mean))).collect(),
                low: bound(Estimate::low),
                high: bound(Estimate::high),
                one: numbers(one),
                ..Curve::default()
            }
        })
        .collect();
    let mut note = about(outcome, reduced.bucket_s);
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
        limits: Vec::new(),
        seed: outcome.scenario.seeds.first().copied().filter(|_| seeds > 1),
    };
    Some((chart, note))
}

/// Note on the curves: one run or means, and the number left out.
fn about(outcome: &Outcome, bucket_s: Option<f64>) -> String {
    let seeds = &outcome.scenario.seeds;
    let width = bucket_s.map(crate::quantity::number);
    let whole = |width: &String| {
        format!(" Shown as the minimum and maximum of each {width} s, so no peak is lost.")
    };
    match (&seeds[..], &width) {
        ([], _) => String::new(),
        ([seed], width) => {
            format!("One run: seed {seed}.") + &width.as_ref().map(whole).unwrap_or_default()
        }
        ([first, ..], width) => {
            let band = match seeds.len() >= MIN_SEEDS {
                true => " The band is its 95 % interval.",
                false => "",
            };
            let of = match bucket_s {
                Some(s) => {
                    format!(" Each point is the mean of {} s.", crate::quantity::number(s / 2.0))
                }
                None => String::new(),
            };
            let one = format!(" “seed {first}” shows one run");
            let one = one
                + &match width {
                    Some(width) => format!(
                        ", as the minimum and maximum of each {width} s, so no peak is lost."
                    ),
                    None => ".".to_owned(),
                };
            format!("Mean over {} seeds.{band}{of}{one}", seeds.len())
        }
    }
}
