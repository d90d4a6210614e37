//! Rules for each kind of claim.

mod above;
mod order;
mod ratio;
mod value;

use atl_scenario::metric::Unit;
use atl_scenario::quote::{Claim, Selection};
use atl_scenario::scenario::Metric;

use self::above::{narrowed, values_along};
use super::judged::{Finding, Measured};
use crate::outcome::Outcome;
use crate::quantity::Quantity;
use crate::stats::{Estimate, MIN_SEEDS, Spread};

pub(super) use self::above::values_along as values_of_range;

/// Multiple of its tolerance within which a value counts as near.
const NEAR: f64 = 3.0;

pub(super) fn find(outcome: &Outcome, claim: &Claim) -> Finding {
    match claim {
        Claim::Value { measure, of, expect, tolerance } => {
            value::value(outcome, *measure, of, (*expect, *tolerance))
        }
        Claim::Ratio { measure, of, over, expect, tolerance } => {
            ratio::ratio(outcome, *measure, of, over, (*expect, *tolerance))
        }
        Claim::Order { measure, of } => order::order(outcome, *measure, of),
        Claim::Above { measure, of, over, along, range, tolerance } => {
            above::above(outcome, *measure, (of, over), (along, *range), *tolerance)
        }
    }
}

/// All selections that a claim compares.
pub(super) fn selections(outcome: &Outcome, claim: &Claim) -> Vec<Selection> {
    match claim {
        Claim::Value { of, .. } => vec![of.clone()],
        Claim::Ratio { of, over, .. } => vec![of.clone(), over.clone()],
        Claim::Order { of, .. } => of.clone(),
        Claim::Above { of, over, along, range, .. } => {
            values_along(&outcome.scenario, along, *range)
                .iter()
                .flat_map(|value| [narrowed(of, along, value), narrowed(over, along, value)])
                .collect()
        }
    }
}

fn measured(metric: Metric, of: String, estimate: Estimate) -> Measured {
    Measured { of, text: Quantity::of(metric).show(&estimate), estimate }
}

/// Number of seeds as text, with a remark if they give no interval.
fn seeds(estimate: &Estimate) -> String {
    let n = if estimate.n == 1 { "1 seed".to_owned() } else { format!("{} seeds", estimate.n) };
    match estimate.spread {
        Spread::TooFew => {
            format!("{n}, too few for an interval and a verdict: {MIN_SEEDS} are needed")
        }
        Spread::Same => format!("{n}, with which nothing varied"),
        Spread::Interval { .. } => n,
    }
}

pub(super) fn percent(share: f64) -> String {
    let text = if share >= 1.0 {
        format!("{:.0}", share * 100.0)
    } else {
        format!("{:.1}", share * 100.0)
    };
    format!("{} %", text.strip_suffix(".0").unwrap_or(&text))
}

/// True if distances from a quoted number are absolute instead of relative to it: for a quoted 0,
/// and for errors, which are relative already.
pub(super) fn is_absolute(metric: Metric, expect: f64) -> bool {
    expect == 0.0 || metric.unit() == Unit::Error
}

/// Distance from the quoted number.
fn distance(mean: f64, expect: f64, absolute: bool) -> f64 {
    let apart = (mean - expect).abs();
    if absolute { apart } else { apart / expect.abs() }
}

/// Order of two selections by the interval of their paired difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compared {
    /// The interval lies above 0.
    Higher,
    /// The interval lies below 0.
    Lower,
    /// The interval covers 0 and stays within [`LEVEL`] of the values.
    Level,
    /// The interval covers 0 but is wider, so that the order is unknown.
    Open,
}

/// Relative difference up to which two values are level.
const LEVEL: f64 = 0.01;

impl Compared {
    /// Compares by the paired difference of two selections; `size` is the mean of the larger.
    fn by(difference: &Estimate, size: f64) -> Compared {
        if difference.excludes(0.0) {
            return if difference.mean > 0.0 { Compared::Higher } else { Compared::Lower };
        }
        let reach = match difference.spread {
            Spread::TooFew => return Compared::Open,
            Spread::Same => 0.0,
            Spread::Interval { low, high } => low.abs().max(high.abs()),
        };
        if reach <= LEVEL * size { Compared::Level } else { Compared::Open }
    }
}
