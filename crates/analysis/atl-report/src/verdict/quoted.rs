//! Short form of a quote's claim.

use atl_scenario::quote::{Bound, Claim};
use atl_scenario::scenario::Scenario;

use super::rules::{is_absolute, percent, values_of_range};
use crate::describe::describe;
use crate::quantity::{Quantity, number};

/// A claim as a number with its tolerance, or as an order: `1.887 Mb/s ± 2 %`, `2.00 times ± 10 %`,
/// `above Snoop at every p_w from 1e-5 to 5e-3`.
pub fn quoted(scenario: &Scenario, claim: &Claim) -> String {
    match claim {
        Claim::Value { measure, expect, bound, tolerance, .. } => {
            let quantity = Quantity::of(measure.metric);
            let within = if is_absolute(measure.metric, *expect) {
                quantity.show_number(*tolerance)
            } else {
                percent(*tolerance)
            };
            with_bound(&quantity.show_number(*expect), *bound, *tolerance, &within)
        }
        Claim::Ratio { expect, bound, tolerance, .. } => {
            let times = format!("{} times", number(*expect));
            with_bound(&times, *bound, *tolerance, &percent(*tolerance))
        }
        Claim::Order { .. } => "from highest to lowest, as listed".to_owned(),
        Claim::Above { over, along, range, tolerance, .. } => {
            let values = values_of_range(scenario, along, *range);
            let part = match (range, values.as_slice()) {
                (Some(_), [only]) => format!("{along} = {}", only.text),
                (Some(_), [first, .., last]) => {
                    format!("every {along} from {} to {}", first.text, last.text)
                }
                _ => format!("every {along}"),
            };
            let over = describe(scenario, over);
            match *tolerance {
                0.0 => format!("above {over} at {part}"),
                share => format!("above {over} or at most {} below, at {part}", percent(share)),
            }
        }
    }
}

fn with_bound(stated: &str, bound: Bound, tolerance: f64, within: &str) -> String {
    match bound {
        Bound::Equal => format!("{stated} ± {within}"),
        _ if tolerance <= 0.0 => format!("{}{stated}", bound.words()),
        Bound::AtMost => format!("at most {stated} + {within}"),
        Bound::AtLeast => format!("at least {stated} − {within}"),
    }
}
