//! The value of a measure for a selection of runs and flows.

use std::ops::Range;

use atl_scenario::metric::Unit;
use atl_scenario::quote::Selection;
use atl_scenario::result::{MediaResult, RunResult, Sample};
use atl_scenario::scenario::{During, Measure, Metric, Point};
use atl_scenario::setup::Setup;

use crate::cells;
use crate::history::History;
use crate::model_error::model_error;
use crate::outcome::Outcome;
use crate::rate;
use crate::recovery::recovery;
use crate::stats::{Estimate, jain};

/// True if the point has each of the selection's values.
pub fn selects(selection: &Selection, point: &Point) -> bool {
    selection.at.iter().all(|(name, value)| point.vars.get(name).is_some_and(|v| v.matches(value)))
}

/// The measure of one run, in its metric's base unit (bits per second, seconds, shares from 0 to 1).
///
/// With `flows: None` rates are the sum over all flows. With a list of flows rates are the mean over
/// them, so that groups of different sizes compare flow by flow. Everything else is the mean over the
/// flows either way, but Jain's index, which is that of their goodputs. `None` where the run does not tell:
/// no such flow, no RTT sample, no samples over time, a flow that did not complete.
pub fn of_run(
    measure: impl Into<Measure>,
    setup: &Setup,
    run: &RunResult,
    flows: Option<&[usize]>,
) -> Option<f64> {
    let Measure { metric, during } = measure.into();
    let all: Vec<usize>;
    let (flows, total) = match flows {
        Some(flows) => (flows, false),
        None => {
            all = (0..run.flows.len()).collect();
            (all.as_slice(), true)
        }
    };
    let history = during.and_then(|_| History::of(setup, run));
    let of = |metric, flow| match during {
        Some(during) => of_flow_during(metric, setup, history?, during, flow),
        None => of_flow(metric, setup, run, flow),
    };
    if metric == Metric::Jain {
        let shares: Option<Vec<f64>> = flows.iter().map(|&f| of(Metric::Goodput, f)).collect();
        return jain(&shares?);
    }
    let mut sum = 0.0;
    let mut count = 0_usize;
    for &flow in flows {
        run.flows.get(flow)?;
        match of(metric, flow) {
            Some(value) => {
                sum += value;
                count += 1;
            }
            // Leaving out the flows that never finished would make a slow protocol look fast.
            None if metric == Metric::Completion => return None,
            None => {}
        }
    }
    let is_rate = metric.unit() == Unit::BitsPerSecond;
    match count {
        0 => None,
        _ if total && is_rate => Some(sum),
        n => Some(sum / n as f64),
    }
}

/// The metric of one flow over the whole run; Jain's index of one flow is 1.
fn of_flow(metric: Metric, setup: &Setup, run: &RunResult, index: usize) -> Option<f64> {
    let flow = run.flows.get(index)?;
    match metric {
        Metric::Throughput => Some(flow.throughput_bps),
        Metric::Goodput => Some(flow.goodput_bps),
        Metric::Loss => flow.loss(),
        Metric::Retransmissions => flow.retransmitted(),
        Metric::RttMedian => flow.rtt_median_s,
        Metric::RttP95 => flow.rtt_p95_s,
        Metric::Jain => Some(1.0),
        Metric::Timeouts => flow.timeouts_per_s(),
        Metric::Completion => flow.completion_s,
        Metric::Cwnd => mean(measured(setup, run, index)?.map(|s| s.cwnd)),
        Metric::Recovery => recovery(setup, run, index).map(|r| r.time_s),
        Metric::Jitter => flow.jitter_s,
        Metric::GapJitter => flow.gap_jitter_s,
        Metric::LateFrames => of_frames(flow.media?, |media| media.late),
        Metric::IncompleteFrames => of_frames(flow.media?, |media| media.incomplete),
        Metric::Stalled => {
            let media = flow.media?;
            (flow.active_s > 0.0).then(|| media.stalled_s / flow.active_s)
        }
        Metric::EncoderRate => Some(flow.media?.encoder_bps),
        Metric::RateChanges => {
            let own = setup.flows.get(index)?;
            // Nothing changes any more when all has been sent.
            let latest = own.start + own.start_jitter;
            let done = flow.completion_s.map_or(f64::INFINITY, |s| latest.secs() + s);
            let samples = measured(setup, run, index)?.filter(|s| s.time_s <= done);
            rate::changes_per_s(own, samples)
        }
        Metric::Offered => flow.offered_bps,
        Metric::NormalizedThroughput => flow.normalized_throughput(),
        Metric::Delay => flow.delay_s,
        Metric::ModelError(form) => model_error(form, setup.flows.get(index)?, flow),
        Metric::Cells(metric) => cells::of_flow(metric, setup.flows.get(index)?, flow),
    }
}

/// Samples of a flow from when measurement begins.
fn measured<'a>(
    setup: &Setup,
    run: &'a RunResult,
    index: usize,
) -> Option<impl Iterator<Item = &'a Sample>> {
    let from = setup.warmup.secs().max(setup.flows.get(index)?.start.secs());
    Some(run.samples.iter().filter(move |s| s.flow as usize == index && s.time_s >= from))
}

/// Some of the frames, as a share of all whose time has come.
fn of_frames(media: MediaResult, count: fn(MediaResult) -> u64) -> Option<f64> {
    (media.frames > 0).then(|| count(media) as f64 / media.frames as f64)
}

/// The metric of one flow over a part of the run: differences of what is counted since the start, over the
/// part's length, also where the flow starts or ends within it. `None` where samples do not tell.
fn of_flow_during(
    metric: Metric,
    setup: &Setup,
    history: History<'_>,
    during: During,
    flow: usize,
) -> Option<f64> {
    let rate = |count: fn(&Sample) -> u64| {
        let at = |time| history.count_at(flow, time, count);
        let bytes = at(during.to)?.checked_sub(at(during.from)?)?;
        Some(bytes as f64 * 8.0 / during.secs())
    };
    let rows = history.rows_until(during.from.secs())..history.rows_until(during.to.secs());
    let samples = |rows: Range<usize>| rows.filter_map(|row| history.sample(row, flow));
    match metric {
        Metric::Throughput => rate(|s| s.wire_bytes),
        Metric::Goodput => rate(|s| s.delivered_bytes),
        // A sample stands for the time before it.
        Metric::Cwnd => mean(samples(rows).map(|s| s.cwnd)),
        Metric::EncoderRate => mean(samples(rows).map(|s| s.encoder_bps)),
        // A change is one from what there was at the start.
        Metric::RateChanges => {
            let rows = rows.start.saturating_sub(1)..rows.end;
            rate::changes_per_s(setup.flows.get(flow)?, samples(rows))
        }
        _ => None,
    }
}

/// Samples are equally spaced, so their mean is the mean over time.
fn mean(samples: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let (sum, count) =
        samples.flatten().fold((0.0, 0_usize), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / count as f64)
}

/// Indices of the flows of some groups, in their own order.
pub fn flows_of(setup: &Setup, groups: &[String]) -> Vec<usize> {
    (0..setup.flows.len()).filter(|&i| groups.contains(&setup.flows[i].group)).collect()
}

/// One value for each seed, in the scenario's order. Where the selection leaves several points, the mean
/// over them; `None` where a seed has no value.
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
        for (sum, run) in sums.iter_mut().zip(runs) {
            if let Some(value) = of_run(measure, &point.setup, run, flows.as_deref()) {
                *sum = (sum.0 + value, sum.1 + 1);
            }
        }
    }
    sums.into_iter().map(|(sum, n)| (n > 0).then(|| sum / n as f64)).collect()
}

/// The metric's mean over the seeds; `None` if nothing was measured.
pub fn estimate(
    outcome: &Outcome,
    measure: impl Into<Measure>,
    selection: &Selection,
) -> Option<Estimate> {
    let values: Vec<f64> = per_seed(outcome, measure, selection).into_iter().flatten().collect();
    Estimate::of(&values)
}

/// Values of two selections, seed by seed; seeds where either has none are left out.
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

/// Of the flows of a selection that were disturbed, in all runs: how many never got their goodput back, and
/// how many there are.
pub fn never_back(outcome: &Outcome, selection: &Selection) -> (usize, usize) {
    let mut counts = (0, 0);
    for (point, runs) in outcome.points().filter(|(point, _)| selects(selection, point)) {
        let setup = &point.setup;
        let flows = match selection.groups.as_slice() {
            [] => (0..setup.flows.len()).collect(),
            groups => flows_of(setup, groups),
        };
        for run in runs {
            for recovery in flows.iter().filter_map(|&f| recovery(setup, run, f)) {
                counts.0 += usize::from(!recovery.recovered);
                counts.1 += 1;
            }
        }
    }
    counts
}
