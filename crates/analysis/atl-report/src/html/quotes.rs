//! The claims of papers with their two verdicts, and our own checks.

use atl_scenario::quote::Standing;
use maud::{Markup, html};

use super::page::heading;
use super::table::verdict;
use crate::table::measured;
use crate::verdict::{Claims, Judged, PaperClaim, Tally};

/// Quotes of one outcome below a heading of this level.
pub(super) fn quotes(judged: &[Judged], level: u8) -> Markup {
    let claims = Claims::of(judged);
    let tally = Tally::of(judged);
    html! {
        @if let Some(count) = tally.of_papers() {
            (heading(level, "Claims"))
            p { (count) }
            (table("Claims and verdicts", CLAIM, claims.papers.iter().map(claim_cells)))
        }
        @if let Some(count) = tally.of_own() {
            (heading(level, "Our own checks"))
            p { (count) }
            (table("Checks and verdicts", CHECK, claims.own.iter().map(|own| check_cells(own))))
        }
    }
}

/// Headings for claims, and below for our own checks.
const CLAIM: [&str; 4] = ["Claim", "As printed", "Fitted", "Why"];
const CHECK: [&str; 4] = ["Check", "Measured", "Verdict", "Why"];

/// Table with a name for screen readers. On narrow screens each cell shows its heading.
fn table(name: &str, columns: [&str; 4], rows: impl IntoIterator<Item = [Markup; 4]>) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label=(name) {
            table.quotes {
                thead { tr { @for column in columns { th scope="col" { (column) } } } }
                tbody {
                    @for row in rows {
                        tr {
                            @for (column, cell) in columns.iter().zip(row) {
                                td data-label=(column) { (cell) }
                            }
                        }
                        "\n"
                    }
                }
            }
        }
    }
}

fn claim_cells(claim: &PaperClaim<'_>) -> [Markup; 4] {
    [
        html! { @if let Some(first) = claim.stated() { (stated(first)) } },
        as_printed(claim),
        fitted(claim),
        html! { @for reading in claim.readings() { div { (why(reading)) } } },
    ]
}

fn check_cells(own: &Judged) -> [Markup; 4] {
    [stated(own), html! { (measured(own)) }, verdict(own.verdict), why(own)]
}

fn stated(judged: &Judged) -> Markup {
    html! { (judged.quote.text) br; span.note { (judged.quote.source) } }
}

fn finding(judged: &Judged) -> Markup {
    html! { (verdict(judged.verdict)) br; (measured(judged)) }
}

/// Verdict as printed in the paper, with the measured value.
pub(super) fn as_printed(claim: &PaperClaim<'_>) -> Markup {
    html! {
        @match claim.printed {
            Some(printed) => (finding(printed)),
            None => "–",
        }
    }
}

/// Verdicts in fitted networks, with the measured values and what was fitted.
pub(super) fn fitted(claim: &PaperClaim<'_>) -> Markup {
    html! {
        @if claim.fitted.is_empty() { "–" }
        @for reading in &claim.fitted {
            div {
                (finding(reading))
                @if let Standing::Paper { fitted: Some(what), .. } = &reading.quote.standing {
                    br; span.note { "fitted: " (what) }
                }
            }
        }
    }
}

fn why(judged: &Judged) -> Markup {
    html! {
        (judged.reason)
        @if let Some(note) = &judged.quote.note {
            br; span.note { "Note: " (note) }
        }
    }
}
