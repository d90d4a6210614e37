//! One scenario on several engines: their differences, and the size of these against the variation
//! over seeds.
//!
//! Runs are paired by point, flow group and seed: with the same seed both engines draw the same
//! random numbers. A difference counts if its paired 95 % interval does not cover 0. It is also
//! given as a multiple of the standard deviation over the seeds on the first engine.

mod trust;

use std::collections::BTreeMap;

use atl_engine::result::RunResult;
use atl_scenario::scenario::{Metric, Point};
use serde::Serialize;

pub use trust::Trust;

use crate::delays::{Delay, in_network, networks_of_run};
use crate::metric::of_run;
use crate::outcome::{Group, Outcome};
use crate::quantity::Quantity;
use crate::stats::{CONFIDENCE, Estimate, MIN_SEEDS, paired_difference, paired_ratio};
use crate::table::{Cell, Column, Table};

/// Metrics compared, where both engines know them.
const COMPARED: [Metric; 8] = [
    Metric::Throughput,
    Metric::Goodput,
    Metric::Loss,
    Metric::RttMedian,
    Metric::RttP95,
    Metric::EncoderRate,
    Metric::LateFrames,
    Metric::IncompleteFrames,
];

/// Multiple of the standard deviation beyond which no number is given: that the seeds hardly vary
/// says little of the engines.
const MANY: f64 = 10.0;

/// A scenario's results on two engines.
#[derive(Clone, Debug, Serialize)]
pub struct EngineComparison {
    /// Name of the scenario.
    pub scenario: String,
    /// Name of the reference engine.
    pub first: String,
    /// Name of the engine compared with it.
    pub second: String,
    /// Variables of the scenario's sweep.
    #[serde(skip)]
    swept: Vec<String>,
    /// Each metric of each flow group at each point.
    pub differences: Vec<EngineDifference>,
}

/// A metric of a flow group at a point on both engines.
#[derive(Clone, Debug, Serialize)]
pub struct EngineDifference {
    /// Values of the swept variables by name.
    pub vars: BTreeMap<String, String>,
    /// Name of the flow group.
    pub group: String,
    /// Key of the metric, which names its unit.
    pub metric: &'static str,
    #[serde(skip)]
    quantity: Quantity,
    /// Means on the first and the second engine.
    pub means: [Estimate; 2],
    /// Second engine's value minus the first's, paired by seed.
    pub difference: Estimate,
    /// Second engine's value over the first's, paired by seed; absent where the first is 0.
    pub ratio: Option<Estimate>,
    /// Standard deviation over the seeds on the first engine; absent with one seed.
    pub seeds_deviation: Option<f64>,
    /// True if the interval of the difference does not cover 0.
    pub outside: bool,
}

impl EngineComparison {
    /// Compares two outcomes of one scenario; `None` if they are of different scenarios or of the
    /// same engine.
    pub fn of(first: &Outcome, second: &Outcome) -> Option<EngineComparison> {
        if first.scenario.hash != second.scenario.hash || first.engine.name == second.engine.name {
            return None;
        }
        let mut differences = Vec::new();
        for ((point, runs), (_, others)) in first.points().zip(second.points()) {
            let (runs, others) = (runs.get(), others.get());
            let vars: BTreeMap<String, String> = first
                .scenario
                .swept
                .iter()
                .filter_map(|name| Some((name.clone(), first.label_of(point.vars.get(name)?))))
                .collect();
            for group in Group::all(&point.setup) {
                for metric in COMPARED {
                    let value = |run| of_run(metric, &point.setup, run, Some(&group.flows));
                    let pairs: Vec<(f64, f64)> = runs
                        .iter()
                        .zip(&*others)
                        .filter_map(|(run, other)| Some((value(other)?, value(run)?)))
                        .collect();
                    let place = (vars.clone(), group.name.clone());
                    differences.extend(difference(place, metric, &pairs, runs.len()));
                }
                differences.extend(in_networks(&vars, point, &group, (&runs, &others)));
            }
        }
        Some(EngineComparison {
            scenario: first.scenario.name.clone(),
            first: first.engine.name.clone(),
            second: second.engine.name.clone(),
            swept: first.scenario.swept.clone(),
            differences,
        })
    }

    /// Compares each further outcome of a scenario with the first of that scenario.
    pub fn all(outcomes: &[Outcome]) -> Vec<EngineComparison> {
        (0..outcomes.len()).filter_map(|index| EngineComparison::at(outcomes, index)).collect()
    }

    /// Compares the outcome at `index` with the first of the same scenario, unless it is the first.
    pub(crate) fn at(outcomes: &[Outcome], index: usize) -> Option<EngineComparison> {
        let outcome = &outcomes[index];
        let same = |other: &&Outcome| {
            other.scenario.name == outcome.scenario.name
                && other.scenario.hash == outcome.scenario.hash
        };
        EngineComparison::of(outcomes.iter().find(same)?, outcome)
    }

    /// Summary of the comparison in sentences.
    pub fn words(&self) -> String {
        let EngineComparison { first, second, differences, .. } = self;
        let enough = differences.iter().any(|d| d.difference.n >= MIN_SEEDS);
        let what = format!("`{second}` against `{first}`, paired by seed.");
        if !enough {
            return format!(
                "{what} Fewer than {MIN_SEEDS} seeds: no interval says which differences are real."
            );
        }
        let outside = differences.iter().filter(|d| d.outside).count();
        let chance = differences.len() as f64 * (1.0 - CONFIDENCE);
        format!(
            "{what} {outside} of {} differences have a 95 % interval without 0; if the engines were alike, some {chance:.0} \
             would by chance. “in SDs of the seeds” divides the difference by the standard deviation over the seeds on \
             `{first}`: below 1, another seed changes more than the other engine.",
            differences.len()
        )
    }

    /// Table with a row for each point, flow group and metric.
    pub fn table(&self) -> Table {
        let plain = |title: &str, key: &str| Column {
            title: title.to_owned(),
            key: key.to_owned(),
            quantity: None,
        };
        let groups = self.differences.iter().map(|d| &d.group);
        let several = groups.clone().any(|group| Some(group) != groups.clone().next());
        let mut columns: Vec<Column> = self.swept.iter().map(|name| plain(name, name)).collect();
        if several {
            columns.push(plain("flows", "flows"));
        }
        columns.extend([
            plain("metric", "metric"),
            plain(&self.first, "first"),
            plain(&self.second, "second"),
            plain("difference", "difference"),
            plain("ratio", "ratio"),
        ]);
        // Too few seeds tell neither how much they vary nor what differs.
        let enough = self.differences.iter().any(|d| d.difference.n >= MIN_SEEDS);
        if enough {
            columns.extend([
                plain("in SDs of the seeds", "seed_deviations"),
                plain("differs", "differs"),
            ]);
        }
        let rows = self.differences.iter().map(|d| {
            let text = |estimate: &Estimate| Cell::Text(d.quantity.show(estimate));
            let vars = self.swept.iter().map(|name| {
                d.vars.get(name).map_or(Cell::Empty, |value| Cell::Text(value.clone()))
            });
            let mut row: Vec<Cell> = vars.collect();
            if several {
                row.push(Cell::Text(d.group.clone()));
            }
            let ratio = d.ratio.as_ref().map(crate::quantity::plus_minus);
            let verdict = match d.difference.n >= MIN_SEEDS {
                true if d.outside => "yes",
                true => "no",
                false => "too few seeds",
            };
            row.extend([
                Cell::Text(d.quantity.title()),
                text(&d.means[0]),
                text(&d.means[1]),
                text(&d.difference),
                ratio.map_or(Cell::Absent, Cell::Text),
            ]);
            if enough {
                row.extend([
                    d.in_deviations().map_or(Cell::Absent, Cell::Text),
                    Cell::Text(verdict.to_owned()),
                ]);
            }
            row
        });
        Table { columns, rows: rows.collect() }
    }
}

impl EngineDifference {
    /// The difference as a multiple of the seeds' standard deviation, in words.
    fn in_deviations(&self) -> Option<String> {
        let deviation = self.seeds_deviation.filter(|_| self.difference.n >= MIN_SEEDS)?;
        let size = self.difference.mean.abs();
        Some(if deviation <= 0.0 {
            // Nothing varies, so that any difference is more than that.
            if size > 0.0 { "nothing varies" } else { "0" }.to_owned()
        } else if size > MANY * deviation {
            format!("> {MANY}")
        } else {
            crate::quantity::number(size / deviation)
        })
    }
}

/// Compares the delays in each network that flows of a group visit.
fn in_networks(
    vars: &BTreeMap<String, String>,
    point: &Point,
    group: &Group,
    (runs, others): (&[RunResult], &[RunResult]),
) -> Vec<EngineDifference> {
    let setup = &point.setup;
    let networks =
        runs.first().map(|run| networks_of_run(setup, run, &group.flows)).unwrap_or_default();
    let mut differences = Vec::new();
    for network in networks {
        for delay in [Delay::RttMedian, Delay::RttP95] {
            let value = |run| in_network(delay, setup, run, &group.flows, &network);
            let both = runs.iter().zip(others);
            let pairs: Vec<(f64, f64)> =
                both.filter_map(|(run, other)| Some((value(other)?, value(run)?))).collect();
            let place = (vars.clone(), format!("{} in {network}", group.name));
            differences.extend(difference(place, delay.metric(), &pairs, runs.len()));
        }
    }
    differences
}

/// Compares a metric. Each pair holds the second engine's value, then the first engine's.
fn difference(
    (vars, group): (BTreeMap<String, String>, String),
    metric: Metric,
    pairs: &[(f64, f64)],
    seeds: usize,
) -> Option<EngineDifference> {
    let column = |side: fn(&(f64, f64)) -> f64| {
        let values: Vec<f64> = pairs.iter().map(side).collect();
        Some(Estimate::within(&values, metric.bounds())?.among(seeds))
    };
    let difference = paired_difference(pairs)?.among(seeds);
    let means = [column(|pair| pair.1)?, column(|pair| pair.0)?];
    let squares: f64 = pairs.iter().map(|pair| (pair.1 - means[0].mean).powi(2)).sum();
    let degrees = pairs.len() as f64 - 1.0;
    let quantity = Quantity::of(metric);
    Some(EngineDifference {
        vars,
        group,
        metric: quantity.key,
        quantity,
        means,
        outside: difference.excludes(0.0),
        difference,
        ratio: paired_ratio(pairs),
        seeds_deviation: (degrees > 0.0).then(|| (squares / degrees).sqrt()),
    })
}
