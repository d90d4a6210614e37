//! Results of ns-2, the simulator of the papers, for the same quotes: recorded in `peers/ns2`, and
//! shown in a column of their own.

use atl_scenario::quote::Claim;

use super::markdown::escape;
use crate::quantity::{Quantity, number, plus_minus};
use crate::stats::Estimate;
use crate::verdict::Judged;

/// A line for each quote, with a value for each seed in the metric's base unit, or as a ratio.
static RECORDED: &str = include_str!("../../../../../peers/ns2/quotes.csv");

/// The recorded lines: scenario, quote, and the values.
pub(super) fn recorded() -> impl Iterator<Item = (&'static str, &'static str, Vec<f64>)> {
    RECORDED.lines().skip(1).filter_map(|line| {
        let mut fields = line.split(',');
        let (scenario, quote) = (fields.next()?, fields.next()?);
        let values = fields.next()?.split_whitespace().map(str::parse).collect::<Result<_, _>>();
        Some((scenario, quote, values.ok()?))
    })
}

/// True if anything is recorded for the scenario.
pub(super) fn covers(scenario: &str) -> bool {
    recorded().any(|(name, ..)| name == scenario)
}

/// The value in ns-2, and ours as a multiple of it: `3.98 times; ours is 0.95 of it`.
pub(super) fn in_ns2(scenario: &str, judged: &Judged) -> Option<String> {
    let (.., values) =
        recorded().find(|(name, id, _)| *name == scenario && *id == judged.quote.id)?;
    let theirs = Estimate::within(&values, 0.0..=f64::INFINITY)?;
    let [ours] = judged.measured.as_slice() else { return None };
    let claim = &judged.quote.claim;
    let text = match claim {
        Claim::Ratio { .. } => format!("{} times", plus_minus(&theirs)),
        _ => Quantity::of(claim.measure().metric).show(&theirs),
    };
    let times = number(ours.estimate.mean / theirs.mean);
    Some(escape(&format!("{text}; ours is {times} of it")))
}

#[cfg(test)]
mod tests {
    use atl_scenario::builtin;

    use super::*;

    #[test]
    fn every_recorded_line_is_of_a_quote_of_a_built_in_scenario() {
        let lines = RECORDED.lines().skip(1).count();
        assert!(lines > 0);
        assert_eq!(recorded().count(), lines, "a line that cannot be read");
        for (scenario, quote, values) in recorded() {
            assert!(!values.is_empty() && values.iter().all(|v| *v > 0.0), "{scenario} {quote}");
            let builtin = builtin().iter().find(|b| b.name == scenario);
            let text = builtin.unwrap_or_else(|| panic!("no scenario {scenario}")).text;
            assert!(text.contains(&format!("id = \"{quote}\"")), "{scenario} has no quote {quote}");
        }
    }
}
