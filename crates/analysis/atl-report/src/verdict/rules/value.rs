//! The rule for the value of a metric.

use atl_scenario::quote::{Bound, Selection};
use atl_scenario::scenario::Measure;

use super::{NEAR, Stated, is_absolute, measured, percent, seeds};
use crate::metric;
use crate::outcome::Outcome;
use crate::quantity::{Quantity, median};
use crate::stats::{Estimate, MIN_SEEDS, Spread, Survival};
use crate::verdict::judged::{Finding, Measured, Verdict};

/// True if an interval is too wide for a verdict: half of it is at least the value. Where distances
/// are absolute, half of it is at least the distance up to which a value is near, and the interval
/// comes that near; one that lies elsewhere as a whole decides, however wide it is. So does one
/// that keeps or breaks a bound as a whole.
pub(super) fn too_wide(estimate: &Estimate, stated: &Stated, absolute: bool) -> bool {
    let Spread::Interval { low, high } = estimate.spread else { return false };
    let Stated { expect, tolerance, .. } = *stated;
    let near = NEAR * tolerance;
    let reaches = low <= expect + near && high >= expect - near;
    let (scale, open) = if absolute { (near, reaches) } else { (estimate.mean.abs(), true) };
    let open = open && stated.straddles(estimate);
    open && estimate.half_width().is_some_and(|half| half >= scale)
}

pub(super) fn value(
    outcome: &Outcome,
    measure: Measure,
    of: &Selection,
    stated: Stated,
) -> Finding {
    let name = outcome.describe(of);
    let quantity = Quantity::of(measure.metric);
    let time = metric::survival(outcome, measure, of);
    if let Some(time) = time.filter(|time| !time.is_complete()) {
        return time_value(measure, name, &time, stated);
    }
    let Some(estimate) = metric::estimate(outcome, measure, of) else {
        return Finding::not_measured(format!("No run measured the {} of {name}.", quantity.name));
    };
    let Stated { expect, bound, tolerance } = stated;
    let absolute = is_absolute(measure.metric, expect);
    let off = stated.off(estimate.mean, absolute);
    let (by_mean, how) = if off > NEAR * tolerance {
        (Verdict::NotMet, "more than three times")
    } else if off > tolerance {
        (Verdict::SameDirection, "within three times")
    } else if stated.leaves(&estimate, absolute) {
        (Verdict::MetUncertain, "within")
    } else {
        (Verdict::Met, "within")
    };
    let verdict = match estimate.spread {
        Spread::TooFew => Verdict::TooFewSeeds,
        _ if too_wide(&estimate, &stated, absolute) => Verdict::Undecided,
        _ => by_mean,
    };
    let (apart, allowed) = if absolute {
        (format!("off by {}", quantity.show_number(off)), quantity.show_number(tolerance))
    } else {
        let side = if estimate.mean < expect { "below" } else { "above" };
        (format!("{} {side}", percent(off)), percent(tolerance))
    };
    let apart = match bound {
        Bound::Equal => format!("{apart}, {how} the tolerance of {allowed}"),
        _ if off <= 0.0 => "kept".to_owned(),
        // Without a tolerance there is no multiple of it.
        _ if tolerance <= 0.0 => apart,
        _ => format!("{apart}, {how} the tolerance of {allowed}"),
    };
    let covers = match (verdict, estimate.spread) {
        (Verdict::Undecided, _) => "; the interval is as wide as what it decides",
        (Verdict::MetUncertain, _) if bound == Bound::Equal => {
            "; the interval reaches beyond the tolerance"
        }
        (Verdict::MetUncertain, _) => "; the interval reaches beyond the bound",
        (_, Spread::Interval { .. }) if bound == Bound::Equal && !estimate.excludes(expect) => {
            "; the interval covers it"
        }
        _ => "",
    };
    let reason = format!(
        "{} against the quoted {}{}: {apart} ({}{covers}).",
        quantity.show(&estimate),
        bound.words(),
        quantity.show_number(expect),
        seeds(&estimate)
    );
    Finding { measured: vec![measured(measure.metric, name, estimate)], verdict, reason }
}

/// The verdict on a time to an event that some flows did not live to see, by its Kaplan-Meier
/// median. A quoted mean need not be the median, so that a median that fits is uncertain.
fn time_value(measure: Measure, name: String, time: &Survival, stated: Stated) -> Finding {
    let quantity = Quantity::of(measure.metric);
    let Stated { expect, bound, tolerance } = stated;
    let estimate = time.estimate();
    let off = estimate.map(|median| stated.off(median.mean, false));
    // A median that is not reached is longer than this, and only a longer time can be quoted.
    let least_off = stated.off(time.watched_s, false);
    let beyond = time.watched_s > expect;
    let verdict = match off {
        _ if time.seeds < MIN_SEEDS => Verdict::TooFewSeeds,
        Some(off) if off <= tolerance => Verdict::MetUncertain,
        Some(off) if off <= NEAR * tolerance => Verdict::SameDirection,
        Some(_) => Verdict::NotMet,
        None if bound == Bound::AtLeast && beyond => Verdict::Met,
        None if bound != Bound::AtLeast && beyond && least_off > NEAR * tolerance => {
            Verdict::NotMet
        }
        None => Verdict::Undecided,
    };
    let unit = if quantity.unit.is_empty() { String::new() } else { format!(" {}", quantity.unit) };
    let shown = format!("{}{unit}", median(time, quantity.factor));
    let reason = format!(
        "{shown} (median) against the quoted {}{}: only {} {}.",
        bound.words(),
        quantity.show_number(expect),
        time.count(),
        measure.metric.descriptor().awaits.unwrap_or_default()
    );
    let lower =
        Estimate { mean: time.watched_s, spread: Spread::TooFew, n: time.seeds, of: time.seeds };
    let measured = Measured { of: name, text: shown, estimate: estimate.unwrap_or(lower) };
    Finding { measured: vec![measured], verdict, reason }
}
