//! The rule for the value of a metric.

use atl_scenario::quote::Selection;
use atl_scenario::scenario::Measure;

use super::{NEAR, distance, is_absolute, measured, percent, seeds};
use crate::metric;
use crate::outcome::Outcome;
use crate::quantity::Quantity;
use crate::stats::{Estimate, Spread};
use crate::verdict::judged::{Finding, Verdict};

/// True if an interval is too wide for a verdict: half of it is at least the value. Where distances
/// are absolute, half of it is at least the distance up to which a value is near, and the interval
/// comes that near; one that lies elsewhere as a whole decides, however wide it is.
fn too_wide(estimate: &Estimate, expect: f64, absolute: bool, tolerance: f64) -> bool {
    let Spread::Interval { low, high } = estimate.spread else { return false };
    let near = NEAR * tolerance;
    let reaches = low <= expect + near && high >= expect - near;
    let (scale, open) = if absolute { (near, reaches) } else { (estimate.mean.abs(), true) };
    open && estimate.half_width().is_some_and(|half| half >= scale)
}

pub(super) fn value(
    outcome: &Outcome,
    measure: Measure,
    of: &Selection,
    (expect, tolerance): (f64, f64),
) -> Finding {
    let name = outcome.describe(of);
    let quantity = Quantity::of(measure.metric);
    let Some(estimate) = metric::estimate(outcome, measure, of) else {
        return Finding::not_measured(format!("No run measured the {} of {name}.", quantity.name));
    };
    let absolute = is_absolute(measure.metric, expect);
    let off = distance(estimate.mean, expect, absolute);
    let (by_mean, how) = if off <= tolerance {
        (Verdict::Met, "within")
    } else if off <= NEAR * tolerance {
        (Verdict::SameDirection, "within three times")
    } else {
        (Verdict::NotMet, "more than three times")
    };
    let verdict = match estimate.spread {
        Spread::TooFew => Verdict::TooFewSeeds,
        _ if too_wide(&estimate, expect, absolute, tolerance) => Verdict::Undecided,
        _ => by_mean,
    };
    let (apart, allowed) = if absolute {
        (format!("off by {}", quantity.show_number(off)), quantity.show_number(tolerance))
    } else {
        let side = if estimate.mean < expect { "below" } else { "above" };
        (format!("{} {side}", percent(off)), percent(tolerance))
    };
    let covers = match (verdict, estimate.spread) {
        (Verdict::Undecided, _) => "; the interval is as wide as what it decides",
        (_, Spread::Interval { .. }) if !estimate.excludes(expect) => "; the interval covers it",
        _ => "",
    };
    let reason = format!(
        "{} against the quoted {}: {apart}, {how} the tolerance of {allowed} ({}{covers}).",
        quantity.show(&estimate),
        quantity.show_number(expect),
        seeds(&estimate)
    );
    Finding { measured: vec![measured(measure.metric, name, estimate)], verdict, reason }
}
