//! Results of ns-2, the simulator of the papers, for the same quotes: recorded in `peers/ns2`, and
//! shown in a column of their own.

use atl_scenario::quote::Claim;

use super::markdown::escape;
use crate::quantity::{Quantity, number, plus_minus};
use crate::stats::Estimate;
use crate::verdict::{Judged, Measured};

/// A line for each quote. Semicolons part its series: one for a value or a ratio, one for each
/// selection of an order, and two, the higher and the lower side, for each value of an above claim.
/// A series has a value for each seed, in the metric's base unit or as a ratio.
static RECORDED: &str = include_str!("../../../../../peers/ns2/quotes.csv");

/// A quote of a scenario, by its id, as ns-2 gives it.
pub(super) struct Recorded {
    pub(super) scenario: &'static str,
    pub(super) quote: &'static str,
    pub(super) series: Vec<Vec<f64>>,
}

/// The lines of the file, but for one that cannot be read (a test finds it).
pub(super) fn recorded() -> impl Iterator<Item = Recorded> {
    RECORDED.lines().skip(1).filter_map(|line| {
        let mut fields = line.split(',');
        let (scenario, quote) = (fields.next()?, fields.next()?);
        let series = fields.next()?.split(';');
        let series = series.map(|of| of.split_whitespace().map(str::parse).collect());
        Some(Recorded { scenario, quote, series: series.collect::<Result<_, _>>().ok()? })
    })
}

/// True if anything is recorded for the scenario.
pub(super) fn covers(scenario: &str) -> bool {
    recorded().any(|line| line.scenario == scenario)
}

/// The value in ns-2, and ours as a multiple of it: `3.98 times; ours is 0.95 of it`.
pub(super) fn in_ns2(scenario: &str, judged: &Judged) -> Option<String> {
    let id = &judged.quote.id;
    let line = recorded().find(|line| line.scenario == scenario && line.quote == *id)?;
    let theirs: Vec<Estimate> = line
        .series
        .iter()
        .map(|values| Estimate::within(values, 0.0..=f64::INFINITY))
        .collect::<Option<_>>()?;
    in_words(&judged.quote.claim, &theirs, &judged.measured).map(|text| escape(&text))
}

fn in_words(claim: &Claim, theirs: &[Estimate], ours: &[Measured]) -> Option<String> {
    if let Claim::Above { .. } = claim {
        return above(theirs);
    }
    let shown: Vec<String> = theirs
        .iter()
        .map(|estimate| match claim {
            Claim::Ratio { .. } => format!("{} times", plus_minus(estimate)),
            _ => Quantity::of(claim.measure().metric).show(estimate),
        })
        .collect();
    let shown = shown.join(", ");
    // Ours cannot be a multiple of nothing.
    if theirs.len() != ours.len() || theirs.iter().any(|estimate| estimate.mean == 0.0) {
        return Some(shown);
    }
    let times: Vec<String> = ours
        .iter()
        .zip(theirs)
        .map(|(ours, theirs)| number(ours.estimate.mean / theirs.mean))
        .collect();
    Some(match times.as_slice() {
        [times] => format!("{shown}; ours is {times} of it"),
        _ => format!("{shown}; ours are {} of these", times.join(", ")),
    })
}

/// At how many values of the swept variable the first side's mean is higher, and how many times
/// the second's it is: `above at 8 of 9: 0.95 to 2.7 times`.
fn above(theirs: &[Estimate]) -> Option<String> {
    let ratios: Vec<f64> =
        theirs.chunks_exact(2).map(|sides| sides[0].mean / sides[1].mean).collect();
    let least = ratios.iter().copied().reduce(f64::min)?;
    let most = ratios.iter().copied().reduce(f64::max)?;
    let higher = ratios.iter().filter(|ratio| **ratio > 1.0).count();
    Some(format!(
        "above at {higher} of {}: {} to {} times",
        ratios.len(),
        number(least),
        number(most)
    ))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use atl_scenario::{Overrides, open, quote::Quote};

    use super::*;

    fn quotes(scenario: &str) -> Vec<Quote> {
        open(scenario, &Overrides::default()).unwrap().quotes
    }

    #[test]
    fn every_recorded_line_is_of_a_quote_of_a_built_in_scenario() {
        let lines = RECORDED.lines().skip(1).count();
        assert!(lines > 0);
        assert_eq!(recorded().count(), lines, "a line that cannot be read");
        let mut of: BTreeMap<&str, Vec<Quote>> = BTreeMap::new();
        for Recorded { scenario, quote: id, series } in recorded() {
            assert!(
                series
                    .iter()
                    .all(|s| !s.is_empty() && s.iter().all(|v| v.is_finite() && *v >= 0.0)),
                "{scenario} {id}"
            );
            let quotes = of.entry(scenario).or_insert_with(|| quotes(scenario));
            let quote = quotes.iter().find(|quote| quote.id == id);
            let quote = quote.unwrap_or_else(|| panic!("{scenario} has no quote {id}"));
            match &quote.claim {
                Claim::Value { .. } | Claim::Ratio { .. } => assert_eq!(series.len(), 1, "{id}"),
                Claim::Order { of, .. } => assert_eq!(series.len(), of.len(), "{id}"),
                Claim::Above { .. } => assert_eq!(series.len() % 2, 0, "{id}"),
            }
        }
    }

    fn estimates(means: &[f64]) -> Vec<Estimate> {
        means.iter().map(|&mean| Estimate::within(&[mean], 0.0..=f64::INFINITY).unwrap()).collect()
    }

    fn claim_of(scenario: &str, quote: &str) -> Claim {
        quotes(scenario).into_iter().find(|q| q.id == quote).unwrap().claim
    }

    fn measured(means: &[f64]) -> Vec<Measured> {
        let of = |estimate| Measured { of: String::new(), text: String::new(), estimate };
        estimates(means).into_iter().map(of).collect()
    }

    #[test]
    fn an_order_has_a_number_for_each_of_its_selections() {
        let order = claim_of("arc/fig12", "phi");
        let text = in_words(&order, &estimates(&[0.5e6, 0.4e6]), &measured(&[0.4e6, 0.6e6]));
        assert_eq!(text.unwrap(), "0.5000 Mb/s, 0.4000 Mb/s; ours are 0.8000, 1.500 of these");
        // Of nothing there are no multiples.
        let text = in_words(&order, &estimates(&[0.5e6, 0.0]), &measured(&[0.4e6, 0.6e6]));
        assert_eq!(text.unwrap(), "0.5000 Mb/s, 0 Mb/s");
    }

    #[test]
    fn an_above_claim_says_where_it_holds_and_by_how_much() {
        let above = claim_of("arc/fig07", "above-tfrc");
        let sides = estimates(&[2.0, 1.0, 3.0, 4.0, 5.0, 2.0]);
        let text = in_words(&above, &sides, &[]).unwrap();
        assert_eq!(text, "above at 2 of 3: 0.7500 to 2.500 times");
    }
}
