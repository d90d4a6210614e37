//! Comparison of measurements with expectations.

use atl_engine::result::RunResult;
use atl_report::metric::{flows_of, of_run};
use atl_scenario::scenario::Point;

use crate::expectation::{Bound, Expectation};
use crate::place::{Place, Tested};
use crate::report::{Failure, Measured};

/// The runs of a point, by seed.
pub(crate) struct Lane<'a> {
    pub(crate) place: &'a Place<'a>,
    pub(crate) seeds: &'a [u64],
    pub(crate) runs: &'a [Tested],
}

impl Expectation {
    /// True if the expectation concerns this point.
    pub(crate) fn applies(&self, point: &Point) -> bool {
        self.at.iter().all(|(name, wanted)| {
            point.vars.get(name).is_some_and(|value| {
                let number = wanted.parse().ok().zip(value.number);
                value.text == *wanted
                    || number.is_some_and(|(a, b): (f64, f64)| a.total_cmp(&b).is_eq())
            })
        })
    }
}

pub(crate) fn judge(
    expectation: &Expectation,
    bound: &Bound,
    lane: &Lane<'_>,
    reference: &impl Fn(&str) -> Result<Vec<RunResult>, Failure>,
) -> Result<Measured, Failure> {
    let setup = &lane.place.setup;
    let flows = |group: &Option<String>| {
        group.as_ref().map(|group| flows_of(setup, std::slice::from_ref(group)))
    };
    let of = flows(&expectation.of);
    let value = |run: &RunResult, flows: Option<&[usize]>| of_run(bound.measure, setup, run, flows);
    let own: Vec<Option<f64>> =
        lane.runs.iter().map(|run| value(run.result.as_ref()?, of.as_deref())).collect();
    let below: Option<Vec<Option<f64>>> = match (&expectation.over, &expectation.than) {
        (Some(_), _) => {
            let over = flows(&expectation.over);
            Some(lane.runs.iter().map(|run| value(run.result.as_ref()?, over.as_deref())).collect())
        }
        (_, Some(protocol)) => {
            let runs = reference(protocol)?;
            Some(runs.iter().map(|run| value(run, of.as_deref())).collect())
        }
        (None, None) => None,
    };
    let (whole, by_seed) = match &below {
        None => (mean(&own), own),
        Some(below) => {
            let ratios = own.iter().zip(below).map(|(a, b)| ratio(*a, *b)).collect();
            // The ratio of means, so that a seed in which hardly anything came through does not
            // decide.
            (ratio(mean(&own), mean(below)), ratios)
        }
    };
    let show = |value: Option<f64>| value.map_or("no value".to_owned(), |value| bound.show(value));
    let excess = |value: Option<f64>| value.map_or(f64::INFINITY, |value| bound.excess(value));
    let worst =
        lane.seeds.iter().zip(&by_seed).max_by(|a, b| excess(*a.1).total_cmp(&excess(*b.1)));
    Ok(Measured {
        what: expectation.what.clone(),
        expected: expectation.to_string(),
        point: lane.place.label.clone(),
        value: whole,
        shown: show(whole),
        seeds: lane.seeds.iter().zip(&by_seed).map(|(&seed, value)| (seed, show(*value))).collect(),
        worst: worst.map_or(0, |(&seed, _)| seed),
        met: whole.is_some_and(|value| bound.holds(value)),
        known: None,
    })
}

/// Mean over the seeds; `None` if one has no value, such as the completion time of a flow that
/// never completed.
fn mean(values: &[Option<f64>]) -> Option<f64> {
    let known: Option<Vec<f64>> = values.iter().copied().collect();
    known
        .filter(|known| !known.is_empty())
        .map(|known| known.iter().sum::<f64>() / known.len() as f64)
}

fn ratio(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    Some(a? / b?).filter(|ratio| ratio.is_finite())
}
