//! Values of metrics for selected runs and flows.

use std::ops::Range;

use atl_engine::result::{FlowResult, RunResult, Sample};
use atl_engine::setup::{FlowSetup, Setup, Source};
use atl_scenario::metric::{PartValue, Unit, Value};
use atl_scenario::quote::Selection;
use atl_scenario::scenario::{During, Measure, Metric, Point};

use crate::history::History;
use crate::outcome::Outcome;
use crate::rate;
use crate::recovery::recovery;
use crate::stats::{Estimate, Survival, Waited, jain};

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
            None if metric.descriptor().all_flows && setup.flows.get(flow).is_some_and(ends) => {
                return None;
            }
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
    by_seed(outcome, measure.into(), selection, None)
}

/// Mean over the seeds; `None` if nothing was measured. If some seeds have no value, the estimate
/// says over how many of all it is. A time to an event that a flow did not live to see
/// ([`survival`]) has no mean.
pub fn estimate(
    outcome: &Outcome,
    measure: impl Into<Measure>,
    selection: &Selection,
) -> Option<Estimate> {
    let measure = measure.into();
    if survival(outcome, measure, selection).is_some_and(|survival| !survival.is_complete()) {
        return None;
    }
    of_seeds(&per_seed(outcome, measure, selection), measure.metric)
}

/// Mean over the seeds that have a value, which says how many have none.
pub(crate) fn of_seeds(per_seed: &[Option<f64>], metric: Metric) -> Option<Estimate> {
    let known: Vec<f64> = per_seed.iter().copied().flatten().collect();
    Some(Estimate::within(&known, metric.bounds())?.among(per_seed.len()))
}

/// Values by seed of selections that are to be compared. A time to an event that some flow did not
/// live to see counts no further than the shortest time for which such a flow was watched, in all
/// of the selections alike: the restricted mean (Royston and Parmar 2013). It makes the slow look
/// less slow than they are, but leaves none out.
pub(crate) fn comparable(
    outcome: &Outcome,
    measure: impl Into<Measure>,
    selections: &[&Selection],
) -> Vec<Vec<Option<f64>>> {
    let measure = measure.into();
    let until = restriction(outcome, measure, selections.iter().copied());
    selections.iter().map(|selection| by_seed(outcome, measure, selection, until)).collect()
}

/// Shortest time for which a flow was watched that did not live to see the event; `None` if there
/// is no such flow.
pub(crate) fn restriction<'a>(
    outcome: &Outcome,
    measure: Measure,
    selections: impl Iterator<Item = &'a Selection>,
) -> Option<f64> {
    let all = selections.flat_map(|selection| waits(outcome, measure, selection));
    all.filter(|wait| !wait.ended).map(|wait| wait.time_s).reduce(f64::min)
}

/// Values of two selections, paired by seed. Seeds for which either has none are left out.
pub fn pairs(
    outcome: &Outcome,
    measure: impl Into<Measure>,
    of: &Selection,
    over: &Selection,
) -> Vec<(f64, f64)> {
    match comparable(outcome, measure, &[of, over]).as_slice() {
        [of, over] => pairs_of(of, over),
        _ => Vec::new(),
    }
}

/// Pairs of the seeds for which both have a value.
pub fn pairs_of(of: &[Option<f64>], over: &[Option<f64>]) -> Vec<(f64, f64)> {
    of.iter().zip(over).filter_map(|(a, b)| Some(((*a)?, (*b)?))).collect()
}

/// Values for each seed; with `until`, times to an event count no further than that.
fn by_seed(
    outcome: &Outcome,
    measure: Measure,
    selection: &Selection,
    until: Option<f64>,
) -> Vec<Option<f64>> {
    let mut sums = vec![(0.0, 0_usize); outcome.scenario.seeds.len()];
    for (point, runs) in outcome.points().filter(|(point, _)| selects(selection, point)) {
        let groups = &selection.groups;
        let flows = (!groups.is_empty()).then(|| flows_of(&point.setup, groups));
        if flows.as_ref().is_some_and(Vec::is_empty) {
            continue;
        }
        for (seed, (sum, run)) in sums.iter_mut().zip(&*runs.get()).enumerate() {
            let value = match until {
                Some(until) => {
                    let (metric, flows) = (measure.metric, flows.as_deref());
                    let waits = waits_of_run(metric, &point.setup, run, flows, seed);
                    mean(waits.iter().map(|wait| Some(wait.time_s.min(until))))
                }
                None => of_run(measure, &point.setup, run, flows.as_deref()),
            };
            if let Some(value) = value {
                *sum = (sum.0 + value, sum.1 + 1);
            }
        }
    }
    sums.into_iter().map(|(sum, n)| (n > 0).then(|| sum / n as f64)).collect()
}

/// Time for which a flow was waited for until the event of a metric that is a time to one; `None`
/// for other metrics, and for a flow that the event does not concern: one that does not end by
/// itself, or that was not disturbed.
pub(crate) fn waited(
    metric: Metric,
    setup: &Setup,
    run: &RunResult,
    index: usize,
    seed: usize,
) -> Option<Waited> {
    metric.descriptor().awaits?;
    let (own, flow) = (setup.flows.get(index)?, run.flows.get(index)?);
    let (time_s, ended) = match metric.descriptor().value {
        Value::Recovery => recovery(setup, run, index).map(|r| (r.time_s, r.recovered))?,
        _ => match of_flow(metric, setup, run, index) {
            Some(time_s) => (time_s, true),
            None if ends(own) => {
                let latest = || setup.duration.secs() - own.start.secs();
                (flow.in_run_s.unwrap_or_else(latest).max(0.0), false)
            }
            None => return None,
        },
    };
    // A file of somebody else's results may hold times that are no numbers.
    time_s.is_finite().then_some(Waited { time_s, ended, seed })
}

/// True if a flow ends by itself.
pub(crate) fn ends(flow: &FlowSetup) -> bool {
    let source = match &flow.source {
        Source::Relayed(source) => source,
        source => source,
    };
    matches!(source, Source::Fixed { .. })
}

/// The waits of some flows of a run, or of all.
pub(crate) fn waits_of_run(
    metric: Metric,
    setup: &Setup,
    run: &RunResult,
    flows: Option<&[usize]>,
    seed: usize,
) -> Vec<Waited> {
    let all: Vec<usize> = (0..run.flows.len()).collect();
    let flows = flows.unwrap_or(&all);
    flows.iter().filter_map(|&flow| waited(metric, setup, run, flow, seed)).collect()
}

fn waits(outcome: &Outcome, measure: Measure, selection: &Selection) -> Vec<Waited> {
    let Measure { metric, during: None } = measure else { return Vec::new() };
    if metric.descriptor().awaits.is_none() {
        return Vec::new();
    }
    let mut all = Vec::new();
    for (point, runs) in outcome.points().filter(|(point, _)| selects(selection, point)) {
        let groups = &selection.groups;
        let flows = (!groups.is_empty()).then(|| flows_of(&point.setup, groups));
        for (seed, run) in runs.get().iter().enumerate() {
            all.extend(waits_of_run(metric, &point.setup, run, flows.as_deref(), seed));
        }
    }
    all
}

/// Kaplan-Meier estimate of a metric that is a time to an event, over all flows and seeds of a
/// selection; `None` for other metrics, and if no flow is concerned.
pub fn survival(
    outcome: &Outcome,
    measure: impl Into<Measure>,
    selection: &Selection,
) -> Option<Survival> {
    Survival::of(&waits(outcome, measure.into(), selection))
}
