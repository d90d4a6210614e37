//! Verdicts on the quotes of a scenario.
//!
//! | claim | met | same direction | not met |
//! | --- | --- | --- | --- |
//! | value | the mean is within the tolerance | the mean is within three times the tolerance (a value has no direction) | otherwise |
//! | ratio | the ratio of the means is within the tolerance | the ratio is on the quoted side of 1, the 95 % interval excludes 1, and the effect (distance from 1 on a log scale) is at least a quarter of the quoted one | otherwise |
//! | order | every pair of neighbours is in order, and the interval of its paired difference excludes 0 | the means are in order | otherwise |
//! | above | above at every value of the swept variable | above at more than half of them | otherwise |
//!
//! Means, not intervals, decide whether a value or a ratio is met: a wide interval must not make a quote easier to meet.
//! A single seed has no interval. The ratio alone then decides the direction, and the reason says so; an order is then at
//! most "same direction". A ratio quoted as 1 has no direction. A tolerance is relative to the quoted number. It is
//! absolute, in the metric's base unit, if the quoted number is 0 or if the metric is itself a relative error. A claim
//! that no run fits is "not measured".

mod claims;
mod judged;
mod quoted;

use atl_scenario::quote::{Claim, Quote};
use atl_scenario::scenario::Metric;

pub use self::judged::{Judged, Measured, Verdict};
pub use self::quoted::quoted;
use crate::metric::unrecovered;
use crate::outcome::Outcome;
use crate::quantity::part;

/// Judges every quote of the scenario, in the scenario's order.
pub fn judge(outcome: &Outcome) -> Vec<Judged> {
    outcome.scenario.quotes.iter().map(|quote| judge_one(outcome, quote)).collect()
}

fn judge_one(outcome: &Outcome, quote: &Quote) -> Judged {
    let finding = match &quote.claim {
        Claim::Value { measure, of, expect, tolerance } => {
            claims::value(outcome, *measure, of, *expect, *tolerance)
        }
        Claim::Ratio { measure, of, over, expect, tolerance } => {
            claims::ratio(outcome, *measure, of, over, (*expect, *tolerance))
        }
        Claim::Order { measure, of } => claims::order(outcome, *measure, of),
        Claim::Above { measure, of, over, along, range } => {
            claims::above(outcome, *measure, of, over, along, *range)
        }
    };
    Judged {
        quote: quote.clone(),
        measured: finding.measured,
        verdict: finding.verdict,
        reason: finding.reason + &how_measured(outcome, &quote.claim),
    }
}

/// What the reason adds for metrics that are not simply those of the whole run.
fn how_measured(outcome: &Outcome, claim: &Claim) -> String {
    let measure = claim.measure();
    let mut out = String::new();
    if let Some(during) = measure.during {
        out.push_str(&format!(" Measured from {}.", part(during)));
    }
    if measure.metric == Metric::Recovery {
        let counts =
            claims::selections(outcome, claim).into_iter().map(|s| unrecovered(outcome, &s));
        let (never, all) = counts.fold((0, 0), |sum, n| (sum.0 + n.0, sum.1 + n.1));
        if never > 0 {
            out.push_str(&format!(
                " {never} of {all} flows never recovered; they count with the time until the end."
            ));
        }
    }
    out
}

/// Counts the quotes with each verdict, in the order of [`Verdict::ALL`].
pub fn tally<'a>(judged: impl IntoIterator<Item = &'a Judged>) -> [usize; 4] {
    let mut counts = [0; 4];
    for j in judged {
        counts[j.verdict as usize] += 1;
    }
    counts
}
