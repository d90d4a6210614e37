//! Values by point, flow group and seed, and their differences.

use std::collections::BTreeMap;

use atl_scenario::scenario::Metric;

use super::Difference;
use crate::quantity::Quantity;
use crate::ranking::Finished;
use crate::stats::{Estimate, paired_difference, paired_ratio};

/// All that identifies a value but its seed.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) engine: String,
    /// The ablation of the runs; `None` for runs of everything.
    pub(super) without: Option<String>,
    /// Variables and their values, in the file's order.
    pub(super) vars: Vec<(String, String)>,
    pub(super) group: String,
}

/// A metric of a flow.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    /// Key of the metric.
    pub(super) key: &'static str,
    /// Its value; for a time to an event that the flow did not live to see, the time for which it
    /// was watched.
    pub(super) value: f64,
    /// False if it is such a time.
    pub(super) ended: bool,
}

/// A metric of a flow group in one run.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    mean: f64,
    flows: Finished,
}

/// Values of a flow group by seed, each with the metrics that it has.
type Runs = BTreeMap<i64, BTreeMap<&'static str, Mean>>;

/// Means over the flows of a group, by place and seed.
#[derive(Clone, Debug, Default)]
pub(super) struct Places(BTreeMap<Place, Runs>);

/// Sum over the flows of a group and number of flows that have the metric, by place and seed.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums(BTreeMap<(Place, i64), Metrics>);

/// Sum and number of flows, by key of the metric.
type Metrics = BTreeMap<&'static str, (f64, Finished)>;

impl Sums {
    /// Adds a flow's metrics.
    pub(super) fn add(&mut self, place: Place, seed: i64, values: impl IntoIterator<Item = Value>) {
        let metrics = self.0.entry((place, seed)).or_default();
        for Value { key, value, ended } in values {
            let (sum, flows) = metrics.entry(key).or_default();
            *sum += value;
            *flows = *flows + Finished { ended: usize::from(ended), of: 1 };
        }
    }

    /// Means over the flows of each group.
    pub(super) fn means(self) -> Places {
        let mut places = Places::default();
        for ((place, seed), metrics) in self.0 {
            let means = metrics
                .into_iter()
                .map(|(key, (sum, flows))| (key, Mean { mean: sum / flows.of as f64, flows }));
            places.0.entry(place).or_default().insert(seed, means.collect());
        }
        places
    }
}

impl Places {
    /// Differences of these metrics, other minus self, at the places in both.
    pub(super) fn differences(&self, other: &Places, metrics: &[Metric]) -> Vec<Difference> {
        let mut differences = Vec::new();
        for (place, runs) in &self.0 {
            let Some(others) = other.0.get(place) else { continue };
            let name = self.name(place);
            let each = metrics.iter();
            differences.extend(each.filter_map(|metric| difference(&name, *metric, runs, others)));
        }
        differences
    }

    /// Names of the places that the other lacks.
    pub(super) fn only(&self, other: &Places) -> Vec<String> {
        let places = self.0.keys().filter(|place| !other.0.contains_key(*place));
        places.map(|place| self.name(place)).collect()
    }

    pub(super) fn seeds(&self) -> Vec<i64> {
        let mut seeds: Vec<i64> = self.0.values().flat_map(BTreeMap::keys).copied().collect();
        seeds.sort_unstable();
        seeds.dedup();
        seeds
    }

    /// A place in words, without what is the same for all of these.
    fn name(&self, place: &Place) -> String {
        let varies = |part: fn(&Place) -> &str| {
            let mut seen = self.0.keys().map(part);
            let first = seen.next();
            seen.any(|other| Some(other) != first)
        };
        let mut parts: Vec<String> =
            place.vars.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        if varies(|place| &place.group) {
            parts.push(place.group.clone());
        }
        if varies(|place| &place.engine) {
            parts.push(format!("on {}", place.engine));
        }
        if let Some(without) = &place.without {
            parts.push(format!("without {without}"));
        }
        if parts.is_empty() { place.group.clone() } else { parts.join(", ") }
    }
}

fn difference(place: &str, metric: Metric, runs: &Runs, others: &Runs) -> Option<Difference> {
    let quantity = Quantity::of(metric);
    let both = || {
        runs.iter().filter_map(|(seed, values)| {
            Some((values.get(quantity.key)?, others.get(seed)?.get(quantity.key)?))
        })
    };
    let pairs: Vec<(f64, f64)> = both().map(|(a, b)| (a.mean, b.mean)).collect();
    let flows = [both().map(|(a, _)| a.flows).sum(), both().map(|(_, b)| b.flows).sum()];
    let some_left = flows.iter().any(|flows: &Finished| flows.ended < flows.of);
    let seeds = runs.keys().filter(|seed| others.contains_key(seed)).count();
    let column = |side: fn(&(f64, f64)) -> f64| {
        let values: Vec<f64> = pairs.iter().map(side).collect();
        Some(Estimate::within(&values, metric.bounds())?.among(seeds))
    };
    let turned: Vec<(f64, f64)> = pairs.iter().map(|(a, b)| (*b, *a)).collect();
    let difference = paired_difference(&turned)?;
    Some(Difference {
        place: place.to_owned(),
        metric: quantity.name,
        quantity,
        means: [column(|pair| pair.0)?, column(|pair| pair.1)?],
        finished: some_left.then_some(flows),
        real: difference.excludes(0.0),
        difference,
        ratio: paired_ratio(&turned),
        same: pairs.iter().all(|(a, b)| (a - b).abs() <= 0.0),
    })
}
