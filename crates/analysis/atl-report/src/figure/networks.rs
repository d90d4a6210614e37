//! Means of a trace in each network, over the time that the flow spends there, as bars with
//! intervals over the seeds.

use atl_engine::result::RunResult;
use atl_scenario::scenario::{Point, Trace};

use super::chart::{Axis, Chart, ChartKind, Curve, Num};
use super::styles::Styles;
use super::sweep::{At, curve, number_cell, series_of};
use crate::metric::{flows_of, selects};
use crate::outcome::Outcome;
use crate::quantity::Quantity;
use crate::stats::Estimate;
use crate::table::{Cell, Column, Table};
use crate::visits::{Visit, visits};

/// Limit on the networks of a figure.
const MAX_NETWORKS: usize = 12;

/// True if any flow visits several networks.
pub(super) fn roams(outcome: &Outcome) -> bool {
    let flows = |p: &Point| (0..p.setup.flows.len()).any(|f| !visits(&p.setup, f).is_empty());
    outcome.scenario.points.iter().any(flows)
}

/// Mean of a trace over a flow's samples in each network, with their number. A sample covers the
/// time since the one before and counts for the network at the middle of that time.
fn means(
    trace: Trace,
    point: &Point,
    run: &RunResult,
    flow: usize,
    visits: &[Visit<'_>],
) -> Vec<(f64, usize)> {
    let mut sums = vec![(0.0, 0_usize); visits.len()];
    let Some(setup) = point.setup.flows.get(flow) else { return sums };
    let begins = point.setup.warmup.secs().max(setup.start.secs());
    let mut before = 0.0;
    for sample in run.samples.iter().filter(|s| s.flow as usize == flow) {
        let middle = f64::midpoint(before, sample.time_s);
        before = sample.time_s;
        let place = visits.iter().position(|v| v.from_s <= middle && middle < v.to_s);
        let value = (trace.descriptor().value)(setup, sample).filter(|v| v.is_finite());
        if let (Some(place), Some(value), true) = (place, value, middle >= begins) {
            sums[place] = (sums[place].0 + value, sums[place].1 + 1);
        }
    }
    sums
}

/// Value of some flows of a run in a network; `None` if none of them was there.
fn value(
    trace: Trace,
    point: &Point,
    run: &RunResult,
    flows: &[usize],
    network: &str,
    together: bool,
) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0_usize);
    for &flow in flows {
        let visits = visits(&point.setup, flow);
        let here = means(trace, point, run, flow, &visits).into_iter().zip(&visits);
        let (total, samples) = here
            .filter(|(_, visit)| visit.network == network)
            .fold((0.0, 0), |all, (one, _)| (all.0 + one.0, all.1 + one.1));
        if samples > 0 {
            sum += total / samples as f64;
            count += 1;
        }
    }
    match count {
        0 => None,
        _ if together => Some(sum),
        n => Some(sum / n as f64),
    }
}

/// Networks of the selected points in the order of visits, with their links' rate where known.
fn networks(outcome: &Outcome, at: &At) -> Vec<(String, Option<f64>)> {
    let selection = atl_scenario::quote::Selection { at: at.clone(), groups: Vec::new() };
    let mut found: Vec<(String, Option<f64>)> = Vec::new();
    for point in outcome.scenario.points.iter().filter(|p| selects(&selection, p)) {
        for visit in (0..point.setup.flows.len()).flat_map(|flow| visits(&point.setup, flow)) {
            match found.iter().position(|(name, _)| name == visit.network) {
                // The rate is only shown if it is the same at all points.
                Some(i) => found[i].1 = found[i].1.filter(|rate| Some(*rate) == visit.rate_bps),
                None if found.len() < MAX_NETWORKS => {
                    found.push((visit.network.to_owned(), visit.rate_bps));
                }
                None => {}
            }
        }
    }
    found
}

/// A trace in each network, with the numbers; `None` if no flow roams or nothing was recorded.
pub(super) fn bars(
    outcome: &Outcome,
    title: &str,
    trace: Trace,
    (series, at): (&str, &At),
    styles: &mut Styles,
) -> Option<(Chart, Table)> {
    let quantity = Quantity::of_trace(trace);
    let networks = networks(outcome, at);
    let adds_up = trace.descriptor().adds_up;
    let mut rows: Vec<Vec<Cell>> =
        networks.iter().map(|(name, _)| vec![Cell::Text(name.clone())]).collect();
    let word =
        |title: &str| Column { title: title.to_owned(), key: title.to_owned(), quantity: None };
    let mut columns = vec![word("network")];
    let mut curves: Vec<Curve> = Vec::new();
    for (name, selection) in series_of(outcome, at, series) {
        let of_network = |network: &str| -> Option<Estimate> {
            let mut sums = vec![(0.0, 0_usize); outcome.scenario.seeds.len()];
            for (point, runs) in outcome.points().filter(|(p, _)| selects(&selection, p)) {
                let groups = &selection.groups;
                let flows = match groups.is_empty() {
                    true => (0..point.setup.flows.len()).collect(),
                    false => flows_of(&point.setup, groups),
                };
                for (sum, run) in sums.iter_mut().zip(&*runs.get()) {
                    let together = adds_up && groups.is_empty();
                    if let Some(v) = value(trace, point, run, &flows, network, together) {
                        *sum = (sum.0 + v, sum.1 + 1);
                    }
                }
            }
            let values: Vec<f64> =
                sums.iter().filter(|s| s.1 > 0).map(|s| s.0 / s.1 as f64).collect();
            Estimate::within(&values, 0.0..=f64::INFINITY)
        };
        let estimates: Vec<Option<Estimate>> = networks.iter().map(|n| of_network(&n.0)).collect();
        if estimates.iter().all(Option::is_none) {
            continue;
        }
        for (row, estimate) in rows.iter_mut().zip(&estimates) {
            row.push(number_cell(*estimate));
        }
        columns.push(Column { title: name.clone(), key: name.clone(), quantity: Some(quantity) });
        curves.push(curve(name, &estimates, quantity, styles));
    }
    if curves.is_empty() {
        return None;
    }
    let is_rate = matches!(trace, Trace::Goodput | Trace::Throughput);
    let limits: Vec<Num> = networks
        .iter()
        .map(|(_, rate)| Num::of(rate.filter(|_| is_rate).map(|r| r * quantity.factor)))
        .collect();
    let known = limits.iter().any(|limit| limit.get().is_some());
    let names: Vec<String> = networks.into_iter().map(|(name, _)| name).collect();
    let chart = Chart {
        kind: ChartKind::Bars,
        title: title.to_owned(),
        xs: (0..names.len()).map(|i| Num::new(i as f64)).collect(),
        x: Axis { label: "network".to_owned(), log: false, names },
        y: Axis::linear(quantity.title()),
        curves,
        marks: Vec::new(),
        limits: if known { limits } else { Vec::new() },
        seed: None,
    };
    Some((chart, Table { columns, rows }))
}
