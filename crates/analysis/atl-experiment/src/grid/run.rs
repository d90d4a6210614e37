//! Running points.

use std::ops::RangeInclusive;
use std::path::Path;

use atl_engine::result::RunResult;
use atl_engine::{Engine, Options, run_plans};
use atl_report::stats::jain;
use atl_scenario::Overrides;
use atl_scenario::scenario::Scenario;
use serde::Serialize;

use super::contest::Sender;
use super::point::Point;
use crate::attack::Failure;

/// The figures of a sender at a point, as means over the seeds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contestant {
    /// Its label.
    pub sender: &'static str,
    /// Goodput of all flows together, in bits per second.
    pub goodput_bps: f64,
    /// 95th percentile of the queueing delay, the mean over the flows, in seconds; absent without
    /// a sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queueing_p95_s: Option<f64>,
    /// Jain's index of the flows' goodputs; absent for one flow, and if none got anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jain: Option<f64>,
}

/// A point and what all senders got there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// The network, with the number that it was drawn from.
    #[serde(flatten)]
    pub point: Point,
    /// The senders, in the order in which they were asked for.
    pub senders: Vec<Contestant>,
}

impl Outcome {
    /// The figures of the sender with this label.
    ///
    /// # Panics
    /// Panics if there is no such sender.
    pub fn of(&self, label: &str) -> &Contestant {
        let found = self.senders.iter().find(|sender| sender.sender == label);
        found.unwrap_or_else(|| panic!("no sender is called {label}"))
    }
}

/// Runs these senders at points, as often as `runs` says, all together.
///
/// # Errors
/// The reader's message if a point is no valid scenario, or the engine's.
pub fn outcomes(
    points: &[Point],
    senders: &[Sender],
    runs: &RangeInclusive<u64>,
    engine: &dyn Engine,
    options: Options<'_>,
) -> Result<Vec<Outcome>, Failure> {
    let read = |point: &Point| {
        let name = format!("point {}", point.number);
        let seeds = point.seeds(runs.clone());
        let (text, overrides) = (point.file(senders, &seeds), Overrides::default());
        atl_scenario::parse(&name, &text, Path::new(&name), &atl_scenario::no_files, &overrides)
            .map_err(|errors| Failure::File(errors.to_string()))
    };
    let scenarios: Vec<Scenario> = points.iter().map(read).collect::<Result<_, _>>()?;
    let plans: Vec<&Scenario> = scenarios.iter().collect();
    let results = run_plans(engine, &plans, options).map_err(Failure::Run)?;
    let of_point = |(point, senders): (&Point, Vec<_>)| Outcome { point: *point, senders };
    let contestants = results.iter().map(|all| {
        let each = senders.iter().zip(all.iter());
        each.map(|(sender, runs)| contestant(sender.label, runs)).collect()
    });
    Ok(points.iter().zip(contestants).map(of_point).collect())
}

fn contestant(sender: &'static str, runs: &[RunResult]) -> Contestant {
    let of_runs = |value: &dyn Fn(&RunResult) -> Option<f64>| mean(runs.iter().filter_map(value));
    let goodputs =
        |run: &RunResult| -> Vec<f64> { run.flows.iter().map(|flow| flow.goodput_bps).collect() };
    Contestant {
        sender,
        goodput_bps: of_runs(&|run| Some(goodputs(run).iter().sum())).unwrap_or(0.0),
        queueing_p95_s: of_runs(&|run| mean(run.flows.iter().filter_map(|f| f.queueing_p95_s()))),
        jain: of_runs(&|run| jain(&goodputs(run)).filter(|_| run.flows.len() > 1)),
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, n) = values.fold((0.0, 0.0f64), |(sum, n), value| (sum + value, n + 1.0));
    (n > 0.0).then(|| sum / n)
}
