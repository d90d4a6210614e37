//! The rule for a metric that falls from each selection to the next.

use atl_scenario::quote::Selection;
use atl_scenario::scenario::Measure;

use super::{Compared, measured, seeds};
use crate::metric;
use crate::outcome::Outcome;
use crate::quantity::Quantity;
use crate::stats::{Spread, paired_difference};
use crate::verdict::judged::{Finding, Verdict};

pub(super) fn order(outcome: &Outcome, measure: Measure, of: &[Selection]) -> Finding {
    let quantity = Quantity::of(measure.metric);
    let mut all = Vec::new();
    let unmeasured = |name: &str| {
        Finding::not_measured(format!("No run measured the {} of {name}.", quantity.name))
    };
    let columns = metric::comparable(outcome, measure, &of.iter().collect::<Vec<_>>());
    for (selection, values) in of.iter().zip(&columns) {
        let name = outcome.describe(selection);
        match metric::of_seeds(values, measure.metric) {
            Some(estimate) => all.push(measured(measure.metric, name, estimate)),
            None => return unmeasured(&name),
        }
    }
    if of.len() < 2 {
        return Finding::not_measured("An order needs at least two selections.".to_owned());
    }
    let chain = all.iter().map(|m| format!("{} {}", m.of, m.text)).collect::<Vec<_>>().join(" > ");
    let (mut higher, mut lower, mut level, mut open) =
        (0_usize, Vec::new(), Vec::new(), Vec::new());
    for (neighbours, both) in columns.windows(2).zip(all.windows(2)) {
        let [first, second] = both else { continue };
        let pairs = metric::pairs_of(&neighbours[0], &neighbours[1]);
        let Some(difference) = paired_difference(&pairs) else {
            return unmeasured(&format!("both {} and {} with one seed", first.of, second.of));
        };
        if difference.spread == Spread::TooFew {
            let reason = format!("{chain} ({}).", seeds(&difference));
            return Finding { measured: all, verdict: Verdict::TooFewSeeds, reason };
        }
        let text = format!("{} ({}) and {} ({})", first.of, first.text, second.of, second.text);
        match Compared::by(&difference, first.estimate.mean.max(second.estimate.mean)) {
            Compared::Higher => higher += 1,
            Compared::Lower => lower.push(text),
            Compared::Level => level.push(text),
            Compared::Open => open.push(text),
        }
    }
    let verdict = if !lower.is_empty() {
        Verdict::NotMet
    } else if level.is_empty() && open.is_empty() {
        Verdict::Met
    } else if higher > 0 {
        Verdict::SameDirection
    } else if open.is_empty() {
        Verdict::NotMet
    } else {
        Verdict::Undecided
    };
    let reason = if verdict == Verdict::Met {
        format!("{chain}; every difference is significant at 95 %.")
    } else {
        let parts = [
            ("Out of order", lower),
            ("Level", level),
            ("Not told apart, for the interval of the paired difference covers 0", open),
        ];
        let parts = parts.into_iter().filter(|(_, pairs)| !pairs.is_empty());
        let parts: Vec<String> =
            parts.map(|(what, pairs)| format!("{what}: {}.", pairs.join("; "))).collect();
        parts.join(" ")
    };
    Finding { measured: all, verdict, reason }
}
