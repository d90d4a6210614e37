//! Values of metrics for selected runs and flows.

use std::ops::Range;

use atl_engine::result::{FlowResult, RunResult, Sample};
use atl_engine::setup::{FlowSetup, Setup};
use atl_scenario::metric::{PartValue, Unit, Value};
use atl_scenario::quote::Selection;
use atl_scenario::scenario::{During, Measure, Metric, Point};

use crate::history::History;
use crate::outcome::Outcome;
use crate::rate;
use crate::recovery::recovery;
use crate::stats::{Estimate, jain};

/// True if the point matches every value of the selection.
pub fn selects(selection: &Selection, point: &Point) -> bool {
    selection.at.iter().all(|(name, value)| point.vars.get(name).is_some_and(|v| v.matches(value)))
}

/// A metric of one run, in its base unit (bits per second, seconds, shares from 0 to 1).
///
/// The rate of a flow is over its own active time. Rates are averaged over the given flows, so that
/// groups of different sizes compare flow by flow. With `flows: None` the rate of several flows is
/// their total: all their bits over the measured interval, which is the same for all, so that flows
/// active one after another do not add up to more than was carried. A single flow has no total. All
/// other metrics are averaged over the flows, except Jain's index, which is that of their goodputs.
/// `None` if the run has no value: no such flow, no RTT sample, no samples over time, a flow that
/// did not complete.
pub fn of_run(
    measure: impl Into<Measure>,
    setup: &Setup,
    run: &RunResult,
    flows: Option<&[usize]>,
) -> Option<f64> {
    match flows {
        Some(flows) => over(measure.into(), setup, run, flows, false),
        None => total_of(measure, setup, run, &(0..run.flows.len()).collect::<Vec<_>>()),
    }
}

/// A metric of some flows of a run, computed as [`of_run`] does with `flows: None`: rates are
/// totals.
pub(crate) fn total_of(
    measure: impl Into<Measure>,
    setup: &Setup,
    run: &RunResult,
    flows: &[usize],
) -> Option<f64> {
    over(measure.into(), setup, run, flows, true)
}

fn over(
    Measure { metric, during }: Measure,
    setup: &Setup,
    run: &RunResult,
    flows: &[usize],
    total: bool,
) -> Option<f64> {
    let history = during.and_then(|_| History::of(setup, run));
    let of = |metric, flow| match during {
        Some(during) => of_flow_during(metric, setup, history?, during, flow),
        None => of_flow(metric, setup, run, flow),
    };
    if let Value::Fairness = metric.descriptor().value {
        let shares: Option<Vec<f64>> = flows.iter().map(|&f| of(Metric::Goodput, f)).collect();
        return jain(&shares?);
    }
    let is_rate = metric.unit() == Unit::BitsPerSecond;
    let total = total && is_rate;
    // Rates over a part of the run are already relative to the length of the part.
    let weight = |flow: usize| match during {
        None if total && flows.len() > 1 => active_share(setup, &run.flows[flow]),
        _ => 1.0,
    };
    let mut sum = 0.0;
    let mut count = 0_usize;
    for &flow in flows {
        run.flows.get(flow)?;
        match of(metric, flow) {
            Some(value) => {
                sum += value * weight(flow);
                count += 1;
            }
            None if metric.descriptor().all_flows => return None,
            None => {}
        }
    }
    match count {
        0 => None,
        _ if total => Some(sum),
        n => Some(sum / n as f64),
    }
}

/// Share of the measured interval, from the end of the warm-up to the end of the run, in which a
/// flow was active.
fn active_share(setup: &Setup, flow: &FlowResult) -> f64 {
    let interval_s = setup.duration.secs() - setup.warmup.secs();
    if interval_s > 0.0 { flow.active_s / interval_s } else { 0.0 }
}

/// A metric of one flow over the whole run.
pub(crate) fn of_flow(metric: Metric, setup: &Setup, run: &RunResult, index: usize) -> Option<f64> {
    let (own, flow) = (setup.flows.get(index)?, run.flows.get(index)?);
    match metric.descriptor().value {
        Value::Flow(value) => value(own, flow),
        Value::MeanOfSamples(value) => mean(measured(setup, own, run, index).map(value)),
        Value::RateChanges => {
            // Later samples do not change once the flow has completed.
            let latest = own.start + own.start_jitter;
            let done = flow.completion_s.map_or(f64::INFINITY, |s| latest.secs() + s);
            let samples = measured(setup, own, run, index).filter(|s| s.time_s <= done);
            rate::changes_per_s(own, samples)
        }
        Value::Recovery => recovery(setup, run, index).map(|r| r.time_s),
        Value::Fairness => Some(1.0),
    }
}

/// Samples of a flow since the end of the warm-up.
fn measured<'a>(
    setup: &Setup,
    own: &FlowSetup,
    run: &'a RunResult,
    index: usize,
) -> impl Iterator<Item = &'a Sample> {
    let from = setup.warmup.secs().max(own.start.secs());
    run.samples.iter().filter(move |s| s.flow as usize == index && s.time_s >= from)
}

/// A metric of one flow over a part of the run: differences of counters divided by the length of
/// the part, even where the flow starts or ends within it. `None` for metrics that samples do not
/// give.
fn of_flow_during(
    metric: Metric,
    setup: &Setup,
    history: History<'_>,
    during: During,
    flow: usize,
) -> Option<f64> {
    let rows = history.rows_until(during.from.secs())..history.rows_until(during.to.secs());
    let samples = |rows: Range<usize>| rows.filter_map(|row| history.sample(row, flow));
    match metric.descriptor().part {
        PartValue::Unknown => None,
        PartValue::Counted(count) => {
            let at = |time| history.count_at(flow, time, count);
            let bytes = at(during.to)?.checked_sub(at(during.from)?)?;
            Some(bytes as f64 * 8.0 / during.secs())
        }
        // A sample stands for the interval before it.
        PartValue::MeanOfSamples(value) => mean(samples(rows).map(value)),
        // Includes the sample before the part, to detect a change at its start.
        PartValue::RateChanges => {
            let rows = rows.start.saturating_sub(1)..rows.end;
            rate::changes_per_s(setup.flows.get(flow)?, samples(rows))
        }
        PartValue::Fairness => Some(1.0),
    }
}

/// Mean of the known values. Samples are equally spaced, so this is the mean over time.
fn mean(samples: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let (sum, count) =
        samples.flatten().fold((0.0, 0_usize), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / count as f64)
}

/// Indices of the flows that belong to one of the groups, in the setup's order.
pub fn flows_of(setup: &Setup, groups: &[String]) -> Vec<usize> {
    (0..setup.flows.len()).filter(|&i| groups.contains(&setup.flows[i].group)).collect()
}

/// Value for each seed in the scenario's order, as a mean over the selected points. `None` for
/// seeds without a value.
pub fn per_seed(
    outcome: &Outcome,
    measure: impl Into<Measure>,
    selection: &Selection,
) -> Vec<Option<f64>> {
    let measure = measure.into();
    let mut sums = vec![(0.0, 0_usize); outcome.scenario.seeds.len()];
    for (point, runs) in outcome.points().filter(|(point, _)| selects(selection, point)) {
        let groups = &selection.groups;
        let flows = (!groups.is_empty()).then(|| flows_of(&point.setup, groups));
        if flows.as_ref().is_some_and(Vec::is_empty) {
            continue;
        }
        for (sum, run) in sums.iter_mut().zip(&*runs.get()) {
            if let Some(value) = of_run(measure, &point.setup, run, flows.as_deref()) {
                *sum = (sum.0 + value, sum.1 + 1);
            }
        }
    }
    sums.into_iter().map(|(sum, n)| (n > 0).then(|| sum / n as f64)).collect()
}

/// Mean over the seeds; `None` if nothing was measured.
pub fn estimate(
    outcome: &Outcome,
    measure: impl Into<Measure>,
    selection: &Selection,
) -> Option<Estimate> {
    let measure = measure.into();
    let values: Vec<f64> = per_seed(outcome, measure, selection).into_iter().flatten().collect();
    Estimate::within(&values, measure.metric.bounds())
}

/// Values of two selections, paired by seed. Seeds for which either has none are left out.
pub fn pairs(
    outcome: &Outcome,
    measure: impl Into<Measure>,
    of: &Selection,
    over: &Selection,
) -> Vec<(f64, f64)> {
    let measure = measure.into();
    let of = per_seed(outcome, measure, of);
    let over = per_seed(outcome, measure, over);
    of.into_iter().zip(over).filter_map(|(a, b)| Some((a?, b?))).collect()
}

/// Number of disturbed flows of a selection, over all runs, that never recovered their goodput; and
/// number of all disturbed flows.
pub fn unrecovered(outcome: &Outcome, selection: &Selection) -> (usize, usize) {
    let mut counts = (0, 0);
    for (point, runs) in outcome.points().filter(|(point, _)| selects(selection, point)) {
        let setup = &point.setup;
        let flows = match selection.groups.as_slice() {
            [] => (0..setup.flows.len()).collect(),
            groups => flows_of(setup, groups),
        };
        for run in &*runs.get() {
            for recovery in flows.iter().filter_map(|&f| recovery(setup, run, f)) {
                counts.0 += usize::from(!recovery.recovered);
                counts.1 += 1;
            }
        }
    }
    counts
}
