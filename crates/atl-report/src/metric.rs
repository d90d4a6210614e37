//! The value of a metric for a selection of runs and flows.

use atl_scenario::quote::Selection;
use atl_scenario::result::{FlowResult, RunResult};
use atl_scenario::scenario::{Metric, Point};
use atl_scenario::setup::Setup;

use crate::outcome::Outcome;
use crate::stats::{Estimate, jain};

/// True if the point has each of the selection's values.
pub fn selects(selection: &Selection, point: &Point) -> bool {
    selection.at.iter().all(|(name, value)| point.vars.get(name).is_some_and(|v| v.matches(value)))
}

/// The metric of one run, in its base unit (bits per second, seconds, shares from 0 to 1).
///
/// With `flows: None` rates are the sum over all flows. With a list of flows rates are the mean over
/// them, so that groups of different sizes compare flow by flow. Everything else is the mean over the
/// flows either way, but Jain's index, which is that of their goodputs. `None` where the run does not tell:
/// no such flow, no RTT sample, no samples over time, a flow that did not complete.
pub fn of_run(
    metric: Metric,
    setup: &Setup,
    run: &RunResult,
    flows: Option<&[usize]>,
) -> Option<f64> {
    let all: Vec<usize>;
    let (flows, total) = match flows {
        Some(flows) => (flows, false),
        None => {
            all = (0..run.flows.len()).collect();
            (all.as_slice(), true)
        }
    };
    if metric == Metric::Jain {
        let shares: Option<Vec<f64>> =
            flows.iter().map(|&i| Some(run.flows.get(i)?.goodput_bps)).collect();
        return jain(&shares?);
    }
    let mut sum = 0.0;
    let mut count = 0_usize;
    for &i in flows {
        let flow = run.flows.get(i)?;
        match of_flow(metric, setup, run, i, flow) {
            Some(value) => {
                sum += value;
                count += 1;
            }
            // Leaving out the flows that never finished would make a slow protocol look fast.
            None if metric == Metric::Completion => return None,
            None => {}
        }
    }
    let is_rate = matches!(metric, Metric::Throughput | Metric::Goodput);
    match count {
        0 => None,
        _ if total && is_rate => Some(sum),
        n => Some(sum / n as f64),
    }
}

/// The metric of one flow; Jain's index of one flow is 1.
fn of_flow(
    metric: Metric,
    setup: &Setup,
    run: &RunResult,
    index: usize,
    flow: &FlowResult,
) -> Option<f64> {
    match metric {
        Metric::Throughput => Some(flow.throughput_bps),
        Metric::Goodput => Some(flow.goodput_bps),
        Metric::Loss => Some(flow.loss()),
        Metric::Retransmissions if flow.sent == 0 => Some(0.0),
        Metric::Retransmissions => Some(flow.retransmissions as f64 / flow.sent as f64),
        Metric::RttMedian => flow.rtt_median_s,
        Metric::RttP95 => flow.rtt_p95_s,
        Metric::Jain => Some(1.0),
        Metric::Timeouts => (flow.active_s > 0.0).then(|| flow.timeouts as f64 / flow.active_s),
        Metric::Completion => flow.completion_s,
        Metric::Cwnd => mean_cwnd(setup, run, index),
    }
}

/// Mean cwnd over the samples after the warm-up and the flow's start. Samples are equally spaced, so this
/// is the mean over time.
fn mean_cwnd(setup: &Setup, run: &RunResult, index: usize) -> Option<f64> {
    let from = setup.warmup.secs().max(setup.flows.get(index)?.start.secs());
    let (sum, count) = run
        .samples
        .iter()
        .filter(|s| s.flow as usize == index && s.time_s >= from)
        .fold((0.0, 0_usize), |(sum, count), s| (sum + s.cwnd, count + 1));
    (count > 0).then(|| sum / count as f64)
}

/// Indices of the flows of a group.
pub fn flows_of(setup: &Setup, group: &str) -> Vec<usize> {
    (0..setup.flows.len()).filter(|&i| setup.flows[i].group == group).collect()
}

/// One value for each seed, in the scenario's order. Where the selection leaves several points, the mean
/// over them; `None` where a seed has no value.
pub fn per_seed(outcome: &Outcome, metric: Metric, selection: &Selection) -> Vec<Option<f64>> {
    let mut sums = vec![(0.0, 0_usize); outcome.scenario.seeds.len()];
    for (point, runs) in outcome.points().filter(|(point, _)| selects(selection, point)) {
        let flows = selection.group.as_deref().map(|g| flows_of(&point.setup, g));
        if flows.as_ref().is_some_and(Vec::is_empty) {
            continue;
        }
        for (sum, run) in sums.iter_mut().zip(runs) {
            if let Some(value) = of_run(metric, &point.setup, run, flows.as_deref()) {
                *sum = (sum.0 + value, sum.1 + 1);
            }
        }
    }
    sums.into_iter().map(|(sum, n)| (n > 0).then(|| sum / n as f64)).collect()
}

/// The metric's mean over the seeds; `None` if nothing was measured.
pub fn estimate(outcome: &Outcome, metric: Metric, selection: &Selection) -> Option<Estimate> {
    let values: Vec<f64> = per_seed(outcome, metric, selection).into_iter().flatten().collect();
    Estimate::of(&values)
}

/// Values of two selections, seed by seed; seeds where either has none are left out.
pub fn pairs(
    outcome: &Outcome,
    metric: Metric,
    of: &Selection,
    over: &Selection,
) -> Vec<(f64, f64)> {
    let of = per_seed(outcome, metric, of);
    let over = per_seed(outcome, metric, over);
    of.into_iter().zip(over).filter_map(|(a, b)| Some((a?, b?))).collect()
}
