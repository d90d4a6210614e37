//! Contribution of a part of the protocols: the same runs without it and with it.

use atl_scenario::ablation::Ablation;
use atl_scenario::scenario::Metric;
use serde::Serialize;

use super::Difference;
use super::places::{Place, Places, Sums, Value};
use crate::delays::{Delay, in_network, networks_of_run};
use crate::metric::{of_flow, waited};
use crate::outcome::Outcome;
use crate::quantity::Quantity;

/// Metrics compared: rate, delay, time to complete.
const METRICS: [Metric; 3] = [Metric::Goodput, Metric::RttP95, Metric::Completion];

/// Contribution of a part of the protocols, on one engine.
#[derive(Clone, Debug, Serialize)]
pub struct Worth {
    /// Name of the part on the command line.
    pub without: &'static str,
    /// Description of the part.
    pub what: &'static str,
    /// Goodput, 95th percentile of the RTT (in each network where a flow visits several) and
    /// completion time of each flow group at each point where one of them changed, paired by seed.
    /// The first of two values is without the part, the second with it.
    pub differences: Vec<Difference>,
}

/// Compares runs `without` a part of the protocols with the same runs `with` it.
pub fn worth(ablation: Ablation, without: &Outcome, with: &Outcome) -> Worth {
    let (without, with) = (places(without), places(with));
    Worth {
        without: ablation.name(),
        what: ablation.what(),
        differences: without.differences(&with, &METRICS),
    }
}

fn places(outcome: &Outcome) -> Places {
    let scenario = &outcome.scenario;
    let mut sums = Sums::default();
    for (point, runs) in outcome.points() {
        let value = |name: &String| {
            let value = point.vars.get(name).map_or_else(String::new, |v| v.text.clone());
            (name.clone(), value)
        };
        let vars: Vec<(String, String)> = scenario.swept.iter().map(value).collect();
        for (seed, run) in scenario.seeds.iter().zip(&*runs.get()) {
            for (index, flow) in point.setup.flows.iter().enumerate() {
                let place = Place {
                    engine: outcome.engine.name.clone(),
                    // Removed, so that both sides count as the same place.
                    without: None,
                    vars: vars.clone(),
                    group: flow.group.clone(),
                };
                let values = METRICS.into_iter().filter_map(|metric| {
                    let key = Quantity::of(metric).key;
                    if let Some(wait) = waited(metric, &point.setup, run, index, 0) {
                        return Some(Value { key, value: wait.time_s, ended: wait.ended });
                    }
                    let value = of_flow(metric, &point.setup, run, index)?;
                    Some(Value { key, value, ended: true })
                });
                // Cannot overflow in practice: seeds are small, and data files hold them signed.
                let seed = i64::try_from(*seed).unwrap_or(i64::MAX);
                sums.add(place.clone(), seed, values);
                for network in networks_of_run(&point.setup, run, &[index]) {
                    let of = |delay| in_network(delay, &point.setup, run, &[index], &network);
                    let value = of(Delay::RttP95);
                    let key = Quantity::of(Metric::RttP95).key;
                    let mut place = place.clone();
                    place.vars.push(("network".to_owned(), network));
                    let value = value.map(|value| Value { key, value, ended: true });
                    sums.add(place, seed, value);
                }
            }
        }
    }
    sums.means()
}
