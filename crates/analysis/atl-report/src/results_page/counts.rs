//! Counts of claims by paper and in total.

use std::fmt::Write as _;

use super::section::Part;
use crate::verdict::Tally;

/// A column's heading, and the count that it shows.
type Count = (&'static str, fn(&Tally) -> usize);

const OF_PAPERS: [Count; 8] = [
    ("claims", |tally| tally.claims),
    ("met", |tally| tally.met),
    ("met, uncertain", |tally| tally.met_uncertain),
    ("same direction", |tally| tally.same_direction),
    ("not met", |tally| tally.not_met),
    ("without a verdict", |tally| tally.without_verdict),
    ("met in a fitted network", |tally| tally.met_fitted),
    ("met, uncertain, in a fitted network", |tally| tally.met_uncertain_fitted),
];
const OF_OUR_OWN: [Count; 3] = [
    ("own checks", |tally| tally.own),
    ("own checks met", |tally| tally.own_met),
    ("own checks met, uncertain", |tally| tally.own_met_uncertain),
];

/// The total in a sentence, and counts by paper in a table. Verdicts are those as printed unless
/// the heading says otherwise.
pub(super) fn counts(groups: &[(String, Vec<&Part<'_>>)]) -> String {
    let tally = |parts: &[&Part<'_>]| parts.iter().map(|part| Tally::of(part.judged)).sum();
    let mut rows: Vec<(&str, Tally)> =
        groups.iter().map(|(name, parts)| (name.as_str(), tally(parts))).collect();
    let total: Tally = rows.iter().map(|row| row.1).sum();
    if rows.len() > 1 {
        rows.push(("total", total));
    }
    let mut columns: Vec<Count> = OF_PAPERS.to_vec();
    if total.own > 0 {
        columns.extend(OF_OUR_OWN);
    }
    let mut out = String::new();
    for sentence in total.of_papers().into_iter().chain(total.of_own()) {
        let _ = writeln!(out, "{sentence}");
    }
    out.push_str("\n| paper |");
    for (heading, _) in &columns {
        let _ = write!(out, " {heading} |");
    }
    out.push_str("\n| --- |");
    out.push_str(&" ---: |".repeat(columns.len()));
    out.push('\n');
    for (name, tally) in rows {
        let _ = write!(out, "| {name} |");
        for (_, count) in &columns {
            let _ = write!(out, " {} |", count(&tally));
        }
        out.push('\n');
    }
    out
}
