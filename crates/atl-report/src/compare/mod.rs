//! Two folders of results: what changed in the scenario, what in the results, and which differences are real.
//!
//! Runs are paired by host, point of the sweep, flow group and seed. A difference is real if its paired 95 % interval does
//! not cover 0. Of many comparisons one in twenty looks real by chance: [`Comparison::by_chance`] says how many.

mod lines;
mod read;

use std::collections::BTreeMap;
use std::path::Path;

use atl_scenario::scenario::Metric;
use serde::Serialize;

pub use lines::{Change, Line};
pub use read::Unreadable;
use read::{Flows, Place};

use crate::quantity::Quantity;
use crate::stats::{CONFIDENCE, Estimate, paired_difference, paired_ratio};

/// Two folders of results, compared.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// What stands in the metadata of both.
    pub sides: [Side; 2],
    /// Lines of the scenario file that only one of them has, in order; empty if the files are the same.
    pub scenario: Vec<Line>,
    /// True if all that decides results is the same, the command line's changes included: the scenario's hash.
    pub same_hash: bool,
    /// Flow groups at points that only one of them has.
    pub only: [Vec<String>; 2],
    /// Metrics of flow groups at points that both have.
    pub differences: Vec<Difference>,
}

/// One of the folders.
#[derive(Clone, Debug, Serialize)]
pub struct Side {
    /// The command that made it; absent in files of earlier versions.
    pub command: Option<String>,
    /// Version of the program that made it.
    pub version: String,
    /// Seeds.
    pub seeds: Vec<i64>,
}

/// A metric of a flow group at a point, in both.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// Host, point and flow group, as far as they differ within the folder.
    pub place: String,
    /// Name of the metric.
    pub metric: &'static str,
    /// Key and unit of the metric for people and for machines.
    #[serde(skip)]
    pub quantity: Quantity,
    /// Its means over the common seeds.
    pub means: [Estimate; 2],
    /// The second minus the first, paired by seed.
    pub difference: Estimate,
    /// The second over the first, paired by seed; absent where the first is 0.
    pub ratio: Option<Estimate>,
    /// True if the interval of the difference does not cover 0.
    pub real: bool,
    /// True if all pairs are equal.
    pub same: bool,
}

impl Comparison {
    /// Compares the data in two folders, as `atl run` writes them.
    ///
    /// # Errors
    /// If a folder has no data files, or they cannot be read.
    pub fn of(first: &Path, second: &Path) -> Result<Comparison, Unreadable> {
        let [a, b] = [Flows::read(first)?, Flows::read(second)?];
        let text = |flows: &Flows| flows.scenario.clone().unwrap_or_default();
        let mut differences = Vec::new();
        for (place, runs) in &a.values {
            if let Some(others) = b.values.get(place) {
                differences.extend(
                    Metric::all()
                        .filter_map(|metric| difference(&a.name(place), metric, runs, others)),
                );
            }
        }
        let only = |one: &Flows, other: &Flows| {
            let places = one.values.keys().filter(|place| !other.values.contains_key(*place));
            places.map(|place| one.name(place)).collect()
        };
        Ok(Comparison {
            scenario: lines::changes(&text(&a), &text(&b)),
            same_hash: a.hash == b.hash,
            only: [only(&a, &b), only(&b, &a)],
            differences,
            sides: [a.side(), b.side()],
        })
    }

    /// Pairs of values that could differ: those that are not the same in every run.
    pub fn compared(&self) -> usize {
        self.differences.iter().filter(|difference| !difference.same).count()
    }

    /// How many comparisons look real by chance if nothing differs.
    pub fn by_chance(&self) -> f64 {
        self.compared() as f64 * (1.0 - CONFIDENCE)
    }
}

/// Values of a flow group by seed, each with the metrics that it has.
type Runs = BTreeMap<i64, BTreeMap<&'static str, f64>>;

fn difference(place: &str, metric: Metric, runs: &Runs, others: &Runs) -> Option<Difference> {
    let quantity = Quantity::of(metric);
    let pairs: Vec<(f64, f64)> = runs
        .iter()
        .filter_map(|(seed, values)| {
            let other = others.get(seed)?.get(quantity.key)?;
            Some((*values.get(quantity.key)?, *other))
        })
        .collect();
    let column = |side: fn(&(f64, f64)) -> f64| {
        let values: Vec<f64> = pairs.iter().map(side).collect();
        Estimate::within(&values, metric.bounds())
    };
    let turned: Vec<(f64, f64)> = pairs.iter().map(|(a, b)| (*b, *a)).collect();
    let difference = paired_difference(&turned)?;
    Some(Difference {
        place: place.to_owned(),
        metric: quantity.name,
        quantity,
        means: [column(|pair| pair.0)?, column(|pair| pair.1)?],
        real: difference.excludes(0.0),
        difference,
        ratio: paired_ratio(&turned),
        same: pairs.iter().all(|(a, b)| (a - b).abs() <= 0.0),
    })
}

impl Flows {
    fn side(&self) -> Side {
        let mut seeds: Vec<i64> = self.values.values().flat_map(BTreeMap::keys).copied().collect();
        seeds.sort_unstable();
        seeds.dedup();
        Side { command: self.command.clone(), version: self.version.clone(), seeds }
    }

    /// A place in words: only what differs within the folder.
    fn name(&self, place: &Place) -> String {
        let varies = |part: fn(&Place) -> &str| {
            let mut seen = self.values.keys().map(part);
            let first = seen.next();
            seen.any(|other| Some(other) != first)
        };
        let mut parts: Vec<String> =
            place.vars.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        if varies(|place| &place.group) {
            parts.push(place.group.clone());
        }
        if varies(|place| &place.host) {
            parts.push(format!("on {}", place.host));
        }
        if parts.is_empty() { place.group.clone() } else { parts.join(", ") }
    }
}
