//! The verdicts of all outcomes of a page, with links to their sections.

use maud::{Markup, html};

use super::table::verdict;
use crate::outcome::Outcome;
use crate::table::measured;
use crate::verdict::{Judged, Verdict, tally};

/// The verdicts counted: `4 met, 1 not met`.
pub(super) fn tally_words(counts: [usize; 4]) -> String {
    let parts =
        Verdict::ALL.iter().zip(counts).filter(|(_, n)| *n > 0).map(|(v, n)| format!("{n} {v}"));
    parts.collect::<Vec<_>>().join(", ")
}

/// The quotes of all outcomes, a group of rows for each scenario.
pub(super) fn overview(outcomes: &[Outcome], titles: &[String], judged: &[Vec<Judged>]) -> Markup {
    let all = tally(judged.iter().flatten());
    let total: usize = all.iter().sum();
    html! {
        @if total > 0 {
            p.headline { "Of " (total) " quotes: " (tally_words(all)) "." }
        }
        nav.scroll aria-label="Scenarios" {
            table {
                thead {
                    tr {
                        th scope="col" { "Scenario" }
                        th scope="col" { "Quote" }
                        th scope="col" { "Measured" }
                        th scope="col" { "Verdict" }
                    }
                }
                tbody {
                    @for (i, outcome) in outcomes.iter().enumerate() {
                        (rows(i, outcome, &titles[i], judged.get(i).map_or(&[][..], Vec::as_slice)))
                    }
                }
            }
        }
    }
}

fn rows(index: usize, outcome: &Outcome, title: &str, judged: &[Judged]) -> Markup {
    let scenario = html! {
        th scope="rowgroup" rowspan=(judged.len().max(1)) {
            a href=(format!("#s{index}")) { (outcome.scenario.name) }
            br;
            span.note { (title) }
        }
    };
    html! {
        @if judged.is_empty() {
            tr { (scenario) td.note colspan="3" { "no quotes" } }
        }
        @for (k, j) in judged.iter().enumerate() {
            tr {
                @if k == 0 { (scenario) }
                td { (j.quote.text) }
                td { (measured(j)) }
                td { (verdict(j.verdict)) }
            }
            "\n"
        }
    }
}
