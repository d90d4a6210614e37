//! The claims of all outcomes of a page, with links to their sections.

use maud::{Markup, html};

use super::quotes::{as_printed, fitted};
use super::table::verdict;
use crate::outcome::Outcome;
use crate::table::measured;
use crate::verdict::{Claims, Judged, Tally};

/// The claims and checks of all outcomes, a group of rows for each scenario.
pub(super) fn overview(outcomes: &[Outcome], titles: &[String], judged: &[Vec<Judged>]) -> Markup {
    let all: Tally = judged.iter().map(|judged| Tally::of(judged)).sum();
    if all.claims + all.own == 0 {
        return contents(outcomes, titles);
    }
    html! {
        @if let Some(count) = all.of_papers() { p.headline { (count) } }
        @if let Some(count) = all.of_own() { p.headline { (count) } }
        nav.scroll aria-label="Scenarios" {
            table {
                thead {
                    tr {
                        th scope="col" { "Scenario" }
                        th scope="col" { "Claim" }
                        th scope="col" { "As printed" }
                        th scope="col" { "Fitted" }
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

/// Links to the sections of outcomes that claim nothing.
fn contents(outcomes: &[Outcome], titles: &[String]) -> Markup {
    html! {
        nav aria-label="Scenarios" {
            ul {
                @for (i, (outcome, title)) in outcomes.iter().zip(titles).enumerate() {
                    li {
                        a href=(format!("#s{i}")) { (title) }
                        " " span.note { (outcome.scenario.name) }
                    }
                }
            }
        }
    }
}

fn rows(index: usize, outcome: &Outcome, title: &str, judged: &[Judged]) -> Markup {
    let claims = Claims::of(judged);
    let count = claims.papers.len() + claims.own.len();
    let scenario = html! {
        th scope="rowgroup" rowspan=(count.max(1)) {
            a href=(format!("#s{index}")) { (outcome.scenario.name) }
            br;
            span.note { (title) }
        }
    };
    let papers = claims.papers.iter().map(|claim| {
        html! {
            td { @if let Some(first) = claim.stated() { (first.quote.text) } }
            td { (as_printed(claim)) }
            td { (fitted(claim)) }
        }
    });
    let own = claims.own.iter().map(|own| {
        html! {
            td { (own.quote.text) " " span.note { "(our own check)" } }
            td colspan="2" { (verdict(own.verdict)) br; (measured(own)) }
        }
    });
    html! {
        @if count == 0 {
            tr { (scenario) td.note colspan="3" { "no claims" } }
        }
        @for (k, cells) in papers.chain(own).enumerate() {
            tr {
                @if k == 0 { (scenario) }
                (cells)
            }
            "\n"
        }
    }
}
