//! Delays of flows in each network that they visit.
//!
//! A percentile over packets of different paths says most of how many of them took which, so that a
//! sender that hardly uses a slow network would seem to have short delays. Flows that visit several
//! networks have percentiles in each, and none over all.

use atl_engine::result::{NetworkDelay, RunResult};
use atl_engine::setup::Setup;
use atl_scenario::scenario::Metric;

use crate::outcome::Outcome;
use crate::quantity::Quantity;
use crate::visits::network_name;

/// A delay in one network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delay {
    /// Median of the RTT samples.
    RttMedian,
    /// 95th percentile of the RTT samples.
    RttP95,
    /// 95th percentile of the RTT above its minimum.
    QueueingP95,
}

impl Delay {
    /// All delays, in the order of columns.
    pub const ALL: [Delay; 3] = [Delay::RttMedian, Delay::RttP95, Delay::QueueingP95];

    /// The metric of the same name for flows that stay in one network.
    pub const fn metric(self) -> Metric {
        match self {
            Delay::RttMedian => Metric::RttMedian,
            Delay::RttP95 => Metric::RttP95,
            Delay::QueueingP95 => Metric::QueueingP95,
        }
    }

    /// Display form, with the short name of headings.
    pub fn quantity(self) -> Quantity {
        Quantity::heading(self.metric())
    }

    fn of(self, delay: &NetworkDelay) -> Option<f64> {
        match self {
            Delay::RttMedian => delay.rtt_median_s,
            Delay::RttP95 => delay.rtt_p95_s,
            Delay::QueueingP95 => delay.queueing_p95_s(),
        }
    }
}

/// The delays of a flow by network, those that it was in while it was measured.
fn visited<'a>(
    setup: &'a Setup,
    run: &'a RunResult,
    flow: usize,
) -> impl Iterator<Item = (&'a str, &'a NetworkDelay)> {
    let delays = run.flows.get(flow).map_or(&[][..], |flow| &flow.delays);
    delays
        .iter()
        .filter(|delay| delay.time_s > 0.0)
        .filter_map(move |delay| Some((network_name(setup, flow, delay.network)?, delay)))
}

/// Names of the networks in which flows of a run have delays of their own, in order of first
/// visits.
pub fn networks_of_run(setup: &Setup, run: &RunResult, flows: &[usize]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (name, _) in flows.iter().flat_map(|&flow| visited(setup, run, flow)) {
        if names.iter().all(|known| known != name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// The same over all points of an outcome.
pub fn networks(outcome: &Outcome) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    if !outcome.results.present().delays {
        return names;
    }
    for (point, runs) in outcome.points() {
        for run in &*runs.get() {
            let flows: Vec<usize> = (0..run.flows.len()).collect();
            for name in networks_of_run(&point.setup, run, &flows) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
    }
    names
}

/// A delay of some flows of a run in a network, in seconds: the mean over those that were there.
/// `None` if none was, or if one of them has no sample.
pub fn in_network(
    delay: Delay,
    setup: &Setup,
    run: &RunResult,
    flows: &[usize],
    network: &str,
) -> Option<f64> {
    let here = flows.iter().flat_map(|&flow| visited(setup, run, flow));
    let values: Option<Vec<f64>> =
        here.filter(|(name, _)| *name == network).map(|(_, there)| delay.of(there)).collect();
    let values = values.filter(|values| !values.is_empty())?;
    Some(values.iter().sum::<f64>() / values.len() as f64)
}
