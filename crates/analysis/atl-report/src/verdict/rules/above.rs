//! The rule for a metric that is above another along a swept variable.

use atl_scenario::quote::Selection;
use atl_scenario::scenario::{Measure, Scenario, Value};

use super::{Compared, measured, percent, seeds};
use crate::describe::values_of;
use crate::metric;
use crate::outcome::Outcome;
use crate::quantity::Quantity;
use crate::stats::{Estimate, Spread, paired_difference};
use crate::verdict::judged::{Finding, Verdict};

/// Restricts `selection` to one value of a variable.
pub(super) fn narrowed(selection: &Selection, along: &str, value: &Value) -> Selection {
    let mut narrowed = selection.clone();
    narrowed.at.insert(along.to_owned(), value.clone());
    narrowed
}

/// Values of a variable within a range.
pub(in crate::verdict) fn values_along(
    scenario: &Scenario,
    along: &str,
    range: Option<(f64, f64)>,
) -> Vec<Value> {
    let in_range = |value: &Value| match (range, value.number) {
        (None, _) => true,
        // Includes the bounds, also where a different notation (1e-2, 0.01) rounds differently.
        (Some((low, high)), Some(x)) => {
            x >= low - 1e-9 * low.abs() && x <= high + 1e-9 * high.abs()
        }
        (Some(_), None) => false,
    };
    values_of(scenario, along).into_iter().filter(in_range).collect()
}

/// Number of values of the variable by result.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) all: usize,
    /// Values at which the mean is above.
    pub(super) above: usize,
    pub(super) higher: usize,
    pub(super) lower: usize,
    pub(super) open: usize,
}

impl Counts {
    pub(super) fn verdict(&self) -> Verdict {
        let most = |n: usize| 2 * n > self.all;
        if self.higher == 0 && self.lower == 0 && self.open > 0 {
            Verdict::Undecided
        } else if self.above == self.all && most(self.higher) {
            if self.open == 0 { Verdict::Met } else { Verdict::MetUncertain }
        } else if most(self.above) && self.higher > self.lower {
            Verdict::SameDirection
        } else if self.lower == 0 && self.open > 0 {
            Verdict::Undecided
        } else {
            Verdict::NotMet
        }
    }
}

pub(super) fn above(
    outcome: &Outcome,
    measure: Measure,
    (of, over): (&Selection, &Selection),
    (along, range): (&str, Option<(f64, f64)>),
    tolerance: f64,
) -> Finding {
    let quantity = Quantity::of(measure.metric);
    let (name, base) = (outcome.describe(of), outcome.describe(over));
    let mut all = Vec::new();
    let mut below = Vec::new();
    let mut counts = Counts::default();
    for value in values_along(&outcome.scenario, along, range) {
        let (of, over) = (narrowed(of, along, &value), narrowed(over, along, &value));
        let pairs = metric::pairs(outcome, measure, &of, &over);
        let allowed: Vec<_> = pairs.iter().map(|p| (p.0, p.1 * (1.0 - tolerance))).collect();
        let estimate = |values: Vec<f64>| Estimate::within(&values, measure.metric.bounds());
        let (Some(difference), Some(high), Some(low)) = (
            paired_difference(&allowed),
            estimate(pairs.iter().map(|p| p.0).collect()),
            estimate(pairs.iter().map(|p| p.1).collect()),
        ) else {
            continue;
        };
        if difference.spread == Spread::TooFew {
            let reason = format!(
                "{name} ({}) against {base} ({}) at {along} = {} ({}).",
                quantity.show(&high),
                quantity.show(&low),
                value.text,
                seeds(&difference)
            );
            all.push(measured(measure.metric, outcome.describe(&of), high));
            all.push(measured(measure.metric, outcome.describe(&over), low));
            return Finding { measured: all, verdict: Verdict::TooFewSeeds, reason };
        }
        counts.all += 1;
        match Compared::by(&difference, high.mean.max(low.mean)) {
            Compared::Higher => counts.higher += 1,
            Compared::Lower => counts.lower += 1,
            Compared::Open => counts.open += 1,
            Compared::Level => {}
        }
        if difference.mean > 0.0 {
            counts.above += 1;
        } else {
            below.push(format!(
                "{along} = {} ({} against {})",
                value.text,
                quantity.show(&high),
                quantity.show(&low)
            ));
        }
        all.push(measured(measure.metric, outcome.describe(&of), high));
        all.push(measured(measure.metric, outcome.describe(&over), low));
    }
    if counts.all == 0 {
        return Finding::not_measured(format!(
            "No run measured the {} of both {name} and {base} at any of these values of {along}.",
            quantity.name
        ));
    }
    let above = match tolerance {
        0.0 => "above".to_owned(),
        share => format!("above or at most {} below", percent(share)),
    };
    let mut reason = format!(
        "{name} is {above} {base} at {} of {} values of {along}, significantly at {}, and significantly below at {}",
        counts.above, counts.all, counts.higher, counts.lower
    );
    if !below.is_empty() {
        reason.push_str("; not above at ");
        reason.push_str(&below.join(", "));
    }
    reason.push('.');
    Finding { measured: all, verdict: counts.verdict(), reason }
}
