//! Contribution of a part of the protocols: the same runs without it and with it.

use atl_scenario::ablation::Ablation;
use atl_scenario::scenario::Metric;
use serde::Serialize;

use super::Difference;
use super::places::{Place, Places, Sums};
use crate::metric::of_flow;
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
    /// Goodput, 95th percentile of the RTT and completion time of each flow group at each point
    /// where one of them changed, paired by seed. The first of two values is without the part, the
    /// second with it.
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
                    let value = of_flow(metric, &point.setup, run, index)?;
                    Some((Quantity::of(metric).key, value))
                });
                // Cannot overflow in practice: seeds are small, and data files hold them signed.
                sums.add(place, i64::try_from(*seed).unwrap_or(i64::MAX), values);
            }
        }
    }
    sums.means()
}
