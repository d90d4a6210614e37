//! The rule for a metric that is a multiple of that elsewhere.

use atl_scenario::quote::{Bound, Selection};
use atl_scenario::scenario::Measure;

use super::{Stated, percent, seeds};
use crate::metric;
use crate::outcome::Outcome;
use crate::quantity::{Quantity, number, plus_minus};
use crate::stats::{Estimate, Spread, paired_ratio};
use crate::verdict::judged::{Finding, Measured, Verdict};

/// True if a ratio shows at least a quarter of the quoted effect: |ln ratio| >= |ln expect| / 4, on
/// the same side of 1. Where 0.72 is quoted, 0.997 shows no effect.
pub(super) fn has_quoted_tendency(ratio: f64, expect: f64) -> bool {
    let square = ratio * ratio;
    let fourth = square * square;
    if expect > 1.0 { fourth >= expect } else { fourth <= expect }
}

/// True if a ratio is on the quoted side of 1, where that is what the quote is about: a ratio that
/// breaks a bound is not, however far it is from 1.
pub(super) fn same_side(ratio: f64, expect: f64, bound: Bound) -> bool {
    (expect > 1.0 && ratio > 1.0 && bound != Bound::AtMost)
        || (expect < 1.0 && ratio < 1.0 && bound != Bound::AtLeast)
}

/// True if an interval is too wide for a verdict: half of it is at least the ratio. One that keeps
/// or breaks a bound as a whole decides.
pub(super) fn too_wide(ratio: &Estimate, stated: &Stated) -> bool {
    stated.straddles(ratio) && ratio.half_width() >= Some(ratio.mean)
}

pub(super) fn ratio(
    outcome: &Outcome,
    measure: Measure,
    of: &Selection,
    over: &Selection,
    stated: Stated,
) -> Finding {
    let Stated { expect, bound, tolerance } = stated;
    let quantity = Quantity::of(measure.metric);
    let (name, base) = (outcome.describe(of), outcome.describe(over));
    let pairs = metric::pairs(outcome, measure, of, over);
    let Some(ratio) = paired_ratio(&pairs) else {
        return Finding::not_measured(format!(
            "No run measured the {} of both {name} and {base}, or that of the latter is zero.",
            quantity.name
        ));
    };
    let same_side = same_side(ratio.mean, expect, bound);
    let off = stated.off(ratio.mean, false);
    let (verdict, how) = if ratio.spread == Spread::TooFew {
        (Verdict::TooFewSeeds, format!("{} off", percent(off)))
    } else if too_wide(&ratio, &stated) {
        (Verdict::Undecided, format!("{} off, with an interval as wide as the ratio", percent(off)))
    } else if off <= tolerance {
        let how = match bound {
            Bound::Equal => format!("within the tolerance of {}", percent(tolerance)),
            _ if off <= 0.0 => "kept".to_owned(),
            _ => format!("{} off, within the tolerance of {}", percent(off), percent(tolerance)),
        };
        match stated.leaves(&ratio, false) {
            true => (Verdict::MetUncertain, how + ", but the interval reaches beyond"),
            false => (Verdict::Met, how),
        }
    } else if same_side && !ratio.excludes(1.0) {
        (Verdict::NotMet, format!("{} off, and the interval covers 1", percent(off)))
    } else if same_side && has_quoted_tendency(ratio.mean, expect) {
        (Verdict::SameDirection, format!("on the same side of 1, but {} off", percent(off)))
    } else if same_side {
        (Verdict::NotMet, format!("{} off, less than a quarter of the quoted effect", percent(off)))
    } else if bound == Bound::Equal {
        (Verdict::NotMet, format!("{} off, and not on the quoted side of 1", percent(off)))
    } else {
        (Verdict::NotMet, format!("{} off", percent(off)))
    };
    let n = pairs.len() as f64;
    let means =
        [pairs.iter().map(|p| p.0).sum::<f64>() / n, pairs.iter().map(|p| p.1).sum::<f64>() / n];
    let reason = format!(
        "{} times ({} against {}), quoted as {}{} times: {how} ({}).",
        plus_minus(&ratio),
        quantity.show_number(means[0]),
        quantity.show_number(means[1]),
        bound.words(),
        number(expect),
        seeds(&ratio)
    );
    let measured = Measured {
        of: format!("{name} over {base}"),
        text: format!("{} times", plus_minus(&ratio)),
        estimate: ratio,
    };
    Finding { measured: vec![measured], verdict, reason }
}
