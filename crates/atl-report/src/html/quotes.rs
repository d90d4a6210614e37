//! The claims of papers with their two verdicts, and our own checks.

use atl_scenario::quote::Standing;
use maud::{Markup, html};

use super::page::heading;
use super::table::verdict;
use crate::table::measured;
use crate::verdict::{Claims, Judged, PaperClaim, Tally};

/// The quotes of one outcome, under a heading of the given level.
pub(super) fn quotes(judged: &[Judged], level: u8) -> Markup {
    let claims = Claims::of(judged);
    let tally = Tally::of(judged);
    html! {
        @if let Some(count) = tally.of_papers() {
            (heading(level, "Claims"))
            p { (count) }
            div.scroll tabindex="0" role="region" aria-label="Claims and verdicts" {
                table.quotes {
                    thead {
                        tr {
                            th scope="col" { "Claim" }
                            th scope="col" { "As printed" }
                            th scope="col" { "Fitted" }
                            th scope="col" { "Why" }
                        }
                    }
                    tbody {
                        @for claim in &claims.papers { (claim_row(claim)) "\n" }
                    }
                }
            }
        }
        @if let Some(count) = tally.of_own() {
            (heading(level, "Our own checks"))
            p { (count) }
            div.scroll tabindex="0" role="region" aria-label="Checks and verdicts" {
                table.quotes {
                    thead {
                        tr {
                            th scope="col" { "Check" }
                            th scope="col" { "Measured" }
                            th scope="col" { "Verdict" }
                            th scope="col" { "Why" }
                        }
                    }
                    tbody {
                        @for own in &claims.own {
                            tr {
                                td data-label="Check" { (stated(own)) }
                                td data-label="Measured" { (measured(own)) }
                                td data-label="Verdict" { (verdict(own.verdict)) }
                                td data-label="Why" { (why(own)) }
                            }
                            "\n"
                        }
                    }
                }
            }
        }
    }
}

fn claim_row(claim: &PaperClaim<'_>) -> Markup {
    html! {
        tr {
            td data-label="Claim" { @if let Some(first) = claim.stated() { (stated(first)) } }
            td data-label="As printed" { (as_printed(claim)) }
            td data-label="Fitted" { (fitted(claim)) }
            td data-label="Why" { @for reading in claim.readings() { div { (why(reading)) } } }
        }
    }
}

fn stated(judged: &Judged) -> Markup {
    html! { (judged.quote.text) br; span.note { (judged.quote.source) } }
}

fn finding(judged: &Judged) -> Markup {
    html! { (verdict(judged.verdict)) br; (measured(judged)) }
}

/// The verdict as printed, with what was measured.
pub(super) fn as_printed(claim: &PaperClaim<'_>) -> Markup {
    html! {
        @match claim.printed {
            Some(printed) => (finding(printed)),
            None => "–",
        }
    }
}

/// The verdicts in fitted networks, with what was measured and what was fitted.
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
