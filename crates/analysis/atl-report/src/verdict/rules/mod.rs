//! Rules for each kind of claim.

mod above;
mod compared;
mod measured;
mod order;
mod ratio;
#[cfg(test)]
mod tests;
mod value;

use atl_scenario::quote::{Claim, Selection};

use self::above::{narrowed, values_along};
use super::judged::Finding;
use crate::outcome::Outcome;
use compared::Compared;
use measured::{NEAR, Stated, measured, seeds};
pub(super) use measured::{is_absolute, percent};

pub(super) use self::above::values_along as values_of_range;

pub(super) fn find(outcome: &Outcome, claim: &Claim) -> Finding {
    match claim {
        Claim::Value { measure, of, expect, bound, tolerance } => {
            value::value(outcome, *measure, of, Stated::new(*expect, *bound, *tolerance))
        }
        Claim::Ratio { measure, of, over, expect, bound, tolerance } => {
            ratio::ratio(outcome, *measure, of, over, Stated::new(*expect, *bound, *tolerance))
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
