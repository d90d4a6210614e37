//! Verdicts on the quotes of a scenario.
//!
//! | claim | met | same direction | undecided | not met |
//! | --- | --- | --- | --- | --- |
//! | value | the mean is within the tolerance | the mean is within three times the tolerance (a value has no direction) | half of the 95 % interval is at least the mean | otherwise |
//! | ratio | the ratio of the means is within the tolerance | the ratio is on the quoted side of 1, its interval excludes 1, and the effect (distance from 1 on a log scale) is at least a quarter of the quoted one | half of the interval is at least the ratio | otherwise |
//! | order | every pair of neighbours is in order | at least one pair is, and none is out of order | no pair is either in order or out of it, and one at least is open | otherwise |
//! | above | the mean is above (or at most `within` below, here and in what follows) at every value of the swept variable, and most values are in order | the mean is above at most values, and more values are in order than out of it | no value is out of order, one at least is open, and neither of the former holds | otherwise |
//!
//! Where two columns fit, undecided wins for a value and a ratio, and the left one otherwise.
//!
//! *In order* and *out of order* require that the interval of the paired difference lies above or
//! below 0. Where it covers 0, the two are *level* if it stays within 1 % of the larger, and *open*
//! if it is wider: an interval as wide as the difference decides nothing.
//!
//! Means, not intervals, decide whether a value or a ratio is met: a wide interval must not make a
//! quote easier to meet. An interval as wide as the number (half of it at least the number) decides
//! nothing. Where the mean, or the ratio, is met and its interval reaches beyond the tolerance, the
//! verdict is *met, uncertain*: other seeds may not meet it. So is an `above` claim that is met
//! with an open value. A bound (`at-most`, `at-least`) is missed only on its far side. A tolerance
//! is relative to the quoted number. It is absolute, in the metric's base unit, if the quoted
//! number is 0 or if the metric is itself a relative error; the interval is then held against the
//! distance that still counts as same direction, three times the tolerance, and decides nothing
//! only if it comes that close to the quoted number. A ratio quoted as 1 has no direction. Where
//! nothing varied between the seeds, there is no interval, and the number itself decides. With
//! fewer than five seeds there is no verdict but "too few seeds"; a claim that no run fits is "not
//! measured".
//!
//! A time to an event that some flows did not live to see (`completion`, `recovery`) is judged by
//! its Kaplan-Meier median as a value; as a ratio or in an order every flow counts up to the
//! shortest time for which one was watched in vain, which makes the slow look less slow. A value or
//! ratio that is met so is uncertain.
//!
//! A claim of a paper has a verdict as printed and one in a fitted network ([`Claims`]); [`Tally`]
//! counts them.

mod judged;
mod papers;
mod quoted;
mod rules;

use atl_scenario::quote::{Claim, Quote, Selection};
use atl_scenario::scenario::Measure;

pub use self::judged::{Judged, Measured, Verdict};
pub use self::papers::{Claims, PaperClaim, Tally};
pub use self::quoted::quoted;
use crate::metric::{restriction, survival};
use crate::outcome::Outcome;
use crate::quantity::{Quantity, part};

/// Judges every quote of the scenario, in the scenario's order.
pub fn judge(outcome: &Outcome) -> Vec<Judged> {
    outcome.scenario.quotes.iter().map(|quote| judge_one(outcome, quote)).collect()
}

fn judge_one(outcome: &Outcome, quote: &Quote) -> Judged {
    let finding = rules::find(outcome, &quote.claim);
    let measure = quote.claim.measure();
    let selections = rules::selections(outcome, &quote.claim);
    let until = restriction(outcome, measure, selections.iter());
    let verdict = match (&quote.claim, finding.verdict) {
        // The ratio of the whole times is not known.
        (Claim::Ratio { .. }, Verdict::Met) if until.is_some() => Verdict::MetUncertain,
        (_, verdict) => verdict,
    };
    let mut reason = finding.reason;
    if let Some(during) = measure.during {
        reason.push_str(&format!(" Measured from {}.", part(during)));
    }
    if let (Some(until), false) = (until, matches!(quote.claim, Claim::Value { .. })) {
        reason.push_str(&restricted(outcome, measure, &selections, until));
    }
    Judged { quote: quote.clone(), measured: finding.measured, verdict, reason }
}

/// Remark on flows that did not live to see the event, and how they count.
fn restricted(outcome: &Outcome, measure: Measure, selections: &[Selection], until: f64) -> String {
    let (mut ended, mut all) = (0, 0);
    for time in selections.iter().filter_map(|of| survival(outcome, measure, of)) {
        (ended, all) = (ended + time.ended, all + time.of);
    }
    let quantity = Quantity::of(measure.metric);
    format!(
        " {ended} of {all} flows {}; the others count with {}, which is too short.",
        measure.metric.descriptor().awaits.unwrap_or_default(),
        quantity.show_number(until)
    )
}
