//! The section of one outcome.

use atl_engine::result::EngineId;
use maud::{Markup, html};

use super::files::{self, Placed};
use super::inline::inline;
use super::map;
use super::page::heading;
use super::quotes::quotes;
use super::table::table;
use crate::engines::EngineComparison;
use crate::figure::{Drawn, bibtex, cite};
use crate::outcome::Outcome;
use crate::ranking::{comparison, headline, ranking};
use crate::table::{OF_NETWORKS, delays, intervals, legend, ranked, results};
use crate::verdict::Judged;

/// Section of one outcome below a heading of this level. Adds its charts to `charts`.
pub(super) fn section(
    index: usize,
    title: &str,
    outcome: &Outcome,
    judged: &[Judged],
    (drawn, against): (Vec<Drawn>, Option<&EngineComparison>),
    level: u8,
    charts: &mut Vec<Placed>,
) -> Markup {
    let scenario = &outcome.scenario;
    let cite = cite(outcome);
    let results = results(outcome);
    let paragraphs = scenario.about.split("\n\n").map(str::trim).filter(|p| !p.is_empty());
    html! {
        section id=(format!("s{index}")) {
            (heading(level, title))
            p.meta {
                code { (scenario.name) }
                @if let Some(source) = &scenario.source { " · " (source) }
            }
            p.lead { (comparison(outcome)) }
            @if let Some(headline) = headline(outcome) {
                p.headline { (headline) }
            }
            @if let Some(ranking) = ranking(outcome).filter(|ranking| ranking.places.len() > 1) {
                details {
                    summary { "Ranking" }
                    (table(&ranked(&ranking), "Ranking"))
                }
            }
            @for paragraph in paragraphs {
                p { (inline(paragraph)) }
            }
            (quotes(judged, level + 1))
            (heading(level + 1, "Figures"))
            (map::figure(outcome, level + 2))
            @for figure in drawn {
                (figure_html(figure, level + 2, (scenario.name.as_str(), &cite), charts))
            }
            (heading(level + 1, "Results"))
            p { (legend(outcome, &results).join(" ")) }
            (table(&results, "Results"))
            (files::of_table(&format!("{}/results", scenario.name), &results, &cite))
            @if let Some(delays) = delays(outcome) {
                (heading(level + 1, "Delay in each network"))
                p { (intervals(scenario.seeds.len(), &delays)) " " (OF_NETWORKS) }
                (table(&delays, "Delay in each network"))
                (files::of_table(&format!("{}/delays", scenario.name), &delays, &cite))
            }
            @if let Some(engines) = against {
                (heading(level + 1, "Engines compared"))
                p { (engines.words()) }
                (table(&engines.table(), "Engines compared"))
            }
            (heading(level + 1, "How to repeat this run"))
            (repeat(outcome))
        }
    }
}

fn figure_html(
    figure: Drawn,
    level: u8,
    (scenario, cite): (&str, &str),
    charts: &mut Vec<Placed>,
) -> Markup {
    let place = figure.chart.map(|chart| {
        let id = files::id(scenario, &figure.title, charts);
        charts.push(Placed { id, cite: cite.to_owned(), chart });
        charts.len() - 1
    });
    html! {
        figure {
            (heading(level, &figure.title))
            @if let Some(place) = place {
                div.chart data-chart=(place) {}
            }
            @if let Some(placed) = place.and_then(|place| charts.get(place)) {
                (files::of_chart(placed))
            }
            figcaption { (figure.caption) " " span.note { (figure.note) } }
            @if let Some(numbers) = &figure.numbers {
                @let unit = numbers.columns.iter().rev().find_map(|c| c.quantity).map_or("", |q| q.unit);
                details {
                    summary {
                        "Numbers"
                        @if !unit.is_empty() { " (" (unit) ")" }
                    }
                    (table(numbers, &format!("Numbers behind the figure: {}", figure.title)))
                }
            }
        }
    }
}

/// Command, hash and versions for repeating the runs.
fn repeat(outcome: &Outcome) -> Markup {
    let scenario = &outcome.scenario;
    let seeds = scenario.seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    let EngineId { name, version } = &outcome.engine;
    // The version of an engine within the program is that of the program.
    let engine =
        if *version == outcome.version { name.clone() } else { format!("{name} {version}") };
    let rows = [
        ("Version", outcome.version.clone()),
        ("Engine", engine),
        ("Seeds", seeds),
        ("scenario_hash", scenario.hash.clone()),
    ];
    html! {
        pre.command { (outcome.command) }
        dl {
            @for (name, value) in rows {
                dt { (name) } dd { (value) }
            }
        }
        details {
            summary { "Cite this run" }
            pre { (bibtex(outcome)) }
        }
        details {
            summary { "The scenario file" }
            pre { (scenario.text) }
        }
    }
}
