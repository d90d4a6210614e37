//! The rules for each kind of claim.

use atl_scenario::metric::Unit;
use atl_scenario::quote::{Claim, Selection};
use atl_scenario::scenario::{Measure, Metric, Scenario, Value};

use super::judged::{Finding, Measured, Verdict};
use crate::describe::values_of;
use crate::metric;
use crate::outcome::Outcome;
use crate::quantity::{Quantity, number, plus_minus};
use crate::stats::{Estimate, paired_difference, paired_ratio};

/// A value within this many times its tolerance counts as near.
const NEAR: f64 = 3.0;

/// True if a ratio shows at least a quarter of the quoted effect: |ln ratio| >= |ln expect| / 4, on the quoted side of 1.
/// A ratio of 0.997 shows nothing where 0.72 is quoted.
fn has_quoted_tendency(ratio: f64, expect: f64) -> bool {
    let square = ratio * ratio;
    let fourth = square * square;
    if expect > 1.0 { fourth >= expect } else { fourth <= expect }
}

fn measured(metric: Metric, of: String, estimate: Estimate) -> Measured {
    Measured { of, text: Quantity::of(metric).show(&estimate), estimate }
}

fn seeds(n: usize) -> String {
    if n == 1 { "1 seed, so no interval".to_owned() } else { format!("{n} seeds") }
}

pub(super) fn percent(share: f64) -> String {
    let text = if share >= 1.0 {
        format!("{:.0}", share * 100.0)
    } else {
        format!("{:.1}", share * 100.0)
    };
    format!("{} %", text.strip_suffix(".0").unwrap_or(&text))
}

/// Whether distances from a quoted number are absolute instead of relative to it: for a quoted 0, and for errors, which
/// are relative already.
pub(super) fn is_absolute(metric: Metric, expect: f64) -> bool {
    expect == 0.0 || metric.unit() == Unit::Error
}

/// Distance from the quoted number.
fn distance(mean: f64, expect: f64, absolute: bool) -> f64 {
    let apart = (mean - expect).abs();
    if absolute { apart } else { apart / expect.abs() }
}

pub(super) fn value(
    outcome: &Outcome,
    measure: Measure,
    of: &Selection,
    expect: f64,
    tolerance: f64,
) -> Finding {
    let name = outcome.describe(of);
    let Some(estimate) = metric::estimate(outcome, measure, of) else {
        return Finding::not_measured(format!(
            "No run measured the {} of {name}.",
            Quantity::of(measure.metric).name
        ));
    };
    let quantity = Quantity::of(measure.metric);
    let absolute = is_absolute(measure.metric, expect);
    let off = distance(estimate.mean, expect, absolute);
    let (verdict, how) = if off <= tolerance {
        (Verdict::Met, "within")
    } else if off <= NEAR * tolerance {
        (Verdict::SameDirection, "within three times")
    } else {
        (Verdict::NotMet, "more than three times")
    };
    let (apart, allowed) = if absolute {
        (format!("off by {}", quantity.show_number(off)), quantity.show_number(tolerance))
    } else {
        let side = if estimate.mean < expect { "below" } else { "above" };
        (format!("{} {side}", percent(off)), percent(tolerance))
    };
    let covers = match estimate.half_width {
        Some(_) if !estimate.excludes(expect) => "; the interval covers it",
        _ => "",
    };
    let reason = format!(
        "{} against the quoted {}: {apart}, {how} the tolerance of {allowed} ({}{covers}).",
        quantity.show(&estimate),
        quantity.show_number(expect),
        seeds(estimate.n)
    );
    Finding { measured: vec![measured(measure.metric, name, estimate)], verdict, reason }
}

pub(super) fn ratio(
    outcome: &Outcome,
    measure: Measure,
    of: &Selection,
    over: &Selection,
    (expect, tolerance): (f64, f64),
) -> Finding {
    let quantity = Quantity::of(measure.metric);
    let (name, base) = (outcome.describe(of), outcome.describe(over));
    let pairs = metric::pairs(outcome, measure, of, over);
    let Some(ratio) = paired_ratio(&pairs) else {
        return Finding::not_measured(format!(
            "No run measured the {} of both {name} and {base}, or that of the latter is zero.",
            quantity.name
        ));
    };
    let same_side = (expect > 1.0 && ratio.mean > 1.0) || (expect < 1.0 && ratio.mean < 1.0);
    let shown = ratio.half_width.is_none() || ratio.excludes(1.0);
    let off = distance(ratio.mean, expect, false);
    let (verdict, how) = if off <= tolerance {
        (Verdict::Met, format!("within the tolerance of {}", percent(tolerance)))
    } else if same_side && !shown {
        (Verdict::NotMet, format!("{} off, and the interval covers 1", percent(off)))
    } else if same_side && has_quoted_tendency(ratio.mean, expect) {
        (Verdict::SameDirection, format!("on the same side of 1, but {} off", percent(off)))
    } else if same_side {
        (Verdict::NotMet, format!("{} off, less than a quarter of the quoted effect", percent(off)))
    } else {
        (Verdict::NotMet, format!("{} off, and not on the quoted side of 1", percent(off)))
    };
    let n = pairs.len() as f64;
    let means =
        [pairs.iter().map(|p| p.0).sum::<f64>() / n, pairs.iter().map(|p| p.1).sum::<f64>() / n];
    let reason = format!(
        "{} times ({} against {}), quoted as {} times: {how} ({}).",
        plus_minus(&ratio),
        quantity.show_number(means[0]),
        quantity.show_number(means[1]),
        number(expect),
        seeds(ratio.n)
    );
    let measured = Measured {
        of: format!("{name} over {base}"),
        text: format!("{} times", plus_minus(&ratio)),
        estimate: ratio,
    };
    Finding { measured: vec![measured], verdict, reason }
}

pub(super) fn order(outcome: &Outcome, measure: Measure, of: &[Selection]) -> Finding {
    let quantity = Quantity::of(measure.metric);
    let mut all = Vec::new();
    for selection in of {
        let name = outcome.describe(selection);
        match metric::estimate(outcome, measure, selection) {
            Some(estimate) => all.push(measured(measure.metric, name, estimate)),
            None => {
                return Finding::not_measured(format!(
                    "No run measured the {} of {name}.",
                    quantity.name
                ));
            }
        }
    }
    if of.len() < 2 {
        return Finding::not_measured("An order needs at least two selections.".to_owned());
    }
    let mut wrong = Vec::new();
    let mut unsure = Vec::new();
    for (i, pair) in of.windows(2).enumerate() {
        let difference = paired_difference(&metric::pairs(outcome, measure, &pair[0], &pair[1]));
        let (first, second) = (&all[i], &all[i + 1]);
        // Only seeds that both have are compared.
        let lead = difference.map_or(first.estimate.mean - second.estimate.mean, |d| d.mean);
        let text = format!("{} ({}) and {} ({})", first.of, first.text, second.of, second.text);
        if lead <= 0.0 {
            wrong.push(text);
        } else if !difference.is_some_and(|d| d.excludes(0.0)) {
            unsure.push(text);
        }
    }
    let chain = all.iter().map(|m| format!("{} {}", m.of, m.text)).collect::<Vec<_>>().join(" > ");
    let (verdict, reason) = match (wrong.is_empty(), unsure.is_empty()) {
        (true, true) => {
            (Verdict::Met, format!("{chain}; every difference is significant at 95 %."))
        }
        (true, false) => {
            let why = if outcome.scenario.seeds.len() < 2 {
                "one seed has no interval"
            } else {
                "its interval covers 0"
            };
            (
                Verdict::SameDirection,
                format!("{chain}; not significant ({why}) between {}.", unsure.join("; ")),
            )
        }
        (false, _) => (Verdict::NotMet, format!("Out of order: {}.", wrong.join("; "))),
    };
    Finding { measured: all, verdict, reason }
}

/// `selection` at one value of a variable.
fn narrowed(selection: &Selection, along: &str, value: &Value) -> Selection {
    let mut narrowed = selection.clone();
    narrowed.at.insert(along.to_owned(), value.clone());
    narrowed
}

/// The values of a variable in a range.
pub(super) fn values_along(
    scenario: &Scenario,
    along: &str,
    range: Option<(f64, f64)>,
) -> Vec<Value> {
    let in_range = |value: &Value| match (range, value.number) {
        (None, _) => true,
        // The bounds are included, however they are written (1e-2, 0.01).
        (Some((low, high)), Some(x)) => {
            x >= low - 1e-9 * low.abs() && x <= high + 1e-9 * high.abs()
        }
        (Some(_), None) => false,
    };
    values_of(scenario, along).into_iter().filter(in_range).collect()
}

/// Every selection that a claim compares.
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

pub(super) fn above(
    outcome: &Outcome,
    measure: Measure,
    of: &Selection,
    over: &Selection,
    along: &str,
    range: Option<(f64, f64)>,
) -> Finding {
    let quantity = Quantity::of(measure.metric);
    let (name, base) = (outcome.describe(of), outcome.describe(over));
    let mut all = Vec::new();
    let mut below = Vec::new();
    let (mut count, mut shown) = (0_usize, 0_usize);
    for value in values_along(&outcome.scenario, along, range) {
        let (of, over) = (narrowed(of, along, &value), narrowed(over, along, &value));
        let pairs = metric::pairs(outcome, measure, &of, &over);
        let Some(difference) = paired_difference(&pairs) else {
            continue;
        };
        let firsts: Vec<f64> = pairs.iter().map(|p| p.0).collect();
        let seconds: Vec<f64> = pairs.iter().map(|p| p.1).collect();
        let (Some(high), Some(low)) = (Estimate::of(&firsts), Estimate::of(&seconds)) else {
            continue;
        };
        count += 1;
        if difference.mean <= 0.0 {
            below.push(format!(
                "{along} = {} ({} against {})",
                value.text,
                quantity.show(&high),
                quantity.show(&low)
            ));
        } else if difference.excludes(0.0) {
            shown += 1;
        }
        all.push(measured(measure.metric, outcome.describe(&of), high));
        all.push(measured(measure.metric, outcome.describe(&over), low));
    }
    if count == 0 {
        return Finding::not_measured(format!(
            "No run measured the {} of both {name} and {base} at any of these values of {along}.",
            quantity.name
        ));
    }
    let up = count - below.len();
    let verdict = match up {
        up if up == count => Verdict::Met,
        up if 2 * up > count => Verdict::SameDirection,
        _ => Verdict::NotMet,
    };
    let mut reason = format!(
        "{name} is above {base} at {up} of {count} values of {along}, significantly at {shown}"
    );
    if !below.is_empty() {
        reason.push_str("; not at ");
        reason.push_str(&below.join(", "));
    }
    reason.push('.');
    Finding { measured: all, verdict, reason }
}
