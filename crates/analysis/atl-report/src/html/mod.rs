//! The report: one self-contained HTML page.
//!
//! Tables, verdicts and text are plain HTML and need no scripts; charts are drawn by the embedded
//! script from JSON in the page. A content security policy keeps the page from loading anything.
//! The templates are `maud`'s, which escapes all text, so that nothing that a user wrote becomes
//! markup.

mod archive;
mod assets;
mod files;
mod inline;
mod map;
mod notes;
mod overview;
mod page;
mod quotes;
mod section;
mod table;

use maud::html;

pub use self::archive::{Archive, Archived, Unreadable};
use self::files::Placed;
pub use self::page::is_report;
use crate::engines::EngineComparison;
use crate::figure;
use crate::outcome::Outcome;
use crate::verdict::Judged;

/// Budget in bytes for curves over time, so that the whole page stays below 2 MB.
const CURVE_BYTES: usize = 800_000;
/// Approximate size in bytes of one number of a curve.
const NUMBER_BYTES: usize = 9;
/// Limit on the points of a curve: more than a screen shows.
const MAX_POINTS: usize = 1500;

/// The page of one or several outcomes, each with its verdicts (in the same order).
///
/// Curves over time share a budget, so that the page stays below 2 MB: those with more points than
/// fit are reduced to their extremes.
pub fn page(outcomes: &[Outcome], judged: &[Vec<Judged>]) -> String {
    let wanted: Vec<_> = outcomes.iter().map(figure::wanted).collect();
    let curves: usize = outcomes.iter().zip(&wanted).map(|(o, f)| figure::time_rows(o, f)).sum();
    let max_points = (CURVE_BYTES / NUMBER_BYTES / curves.max(1)).clamp(16, MAX_POINTS);

    let titles = titles(outcomes);
    let title = match &titles[..] {
        [one] => one.clone(),
        _ => title_of_all(outcomes),
    };
    let alone = outcomes.len() == 1;
    // A single outcome's title is that of the page.
    let level = if alone { 1 } else { 2 };
    let mut charts: Vec<Placed> = Vec::new();
    let body = html! {
        @if !alone {
            (page::heading(1, &title))
            (overview::overview(outcomes, &titles, judged))
        }
        @for (i, (outcome, figures)) in outcomes.iter().zip(&wanted).enumerate() {
            @let judged = judged.get(i).map_or(&[][..], Vec::as_slice);
            @let drawn = figure::draw(outcome, figures, max_points);
            @let against = EngineComparison::at(outcomes, i);
            @let drawn = (drawn, against.as_ref());
            (section::section(i, &titles[i], outcome, judged, drawn, level, &mut charts))
            "\n"
        }
        (notes::notes())
    };
    page::document(&title, &body, &charts).into_string()
}

/// Distinct values of a text over all outcomes, in order of first appearance.
fn distinct<'a>(outcomes: &'a [Outcome], of: fn(&'a Outcome) -> &'a str) -> Vec<&'a str> {
    let mut all = Vec::new();
    for text in outcomes.iter().map(of) {
        if !all.contains(&text) {
            all.push(text);
        }
    }
    all
}

/// Title of each outcome: its scenario's, followed by the engine if there are several.
fn titles(outcomes: &[Outcome]) -> Vec<String> {
    let several = distinct(outcomes, |o| &o.engine.name).len() > 1;
    let title = |outcome: &Outcome| match several {
        true => format!("{} – on {}", outcome.scenario.title, outcome.engine.name),
        false => outcome.scenario.title.clone(),
    };
    outcomes.iter().map(title).collect()
}

/// Title of a page with several outcomes.
fn title_of_all(outcomes: &[Outcome]) -> String {
    let what = match distinct(outcomes, |o| &o.scenario.name).len() {
        1 => outcomes[0].scenario.title.clone(),
        n => format!("{n} scenarios"),
    };
    match distinct(outcomes, |o| &o.engine.name).len() {
        0 | 1 => what,
        engines => format!("{what} – on {engines} engines"),
    }
}
