//! The report: one self-contained HTML page.
//!
//! Tables, verdicts and text are plain HTML and need no scripts; charts are drawn by the embedded script from JSON in
//! the page. A content security policy keeps the page from loading anything. The templates are `maud`'s, which escapes
//! all text, so that nothing that a user wrote becomes markup.

mod assets;
mod axis;
mod chart;
mod figures;
mod headline;
mod marks;
mod notes;
mod overview;
mod page;
mod reduce;
mod section;
mod shares;
mod sweep;
mod table;
mod time;

use maud::html;

use self::chart::Chart;
use crate::outcome::Outcome;
use crate::verdict::Judged;

/// Bytes of the page for curves over time; with everything else it stays below 2 MB.
const CURVE_BYTES: usize = 1_000_000;
/// Approximate bytes of one number of a curve.
const NUMBER_BYTES: usize = 9;
/// No screen shows more points of a curve.
const MAX_POINTS: usize = 1500;

/// The page of one or several outcomes, each with its verdicts (in the same order).
///
/// Curves over time share a budget, so that the page stays below 2 MB: those with more points than fit are reduced to
/// their extremes.
pub fn page(outcomes: &[Outcome], judged: &[Vec<Judged>]) -> String {
    let wanted: Vec<_> = outcomes.iter().map(figures::wanted).collect();
    let curves: usize = outcomes.iter().zip(&wanted).map(|(o, f)| figures::time_curves(o, f)).sum();
    let max_points = (CURVE_BYTES / NUMBER_BYTES / curves.max(1)).clamp(16, MAX_POINTS);

    let title = match outcomes {
        [one] => one.scenario.title.clone(),
        many => format!("{} scenarios", many.len()),
    };
    let alone = outcomes.len() == 1;
    // A single outcome has the page's own title.
    let level = if alone { 1 } else { 2 };
    let mut charts: Vec<Chart> = Vec::new();
    let body = html! {
        @if !alone {
            (page::heading(1, &title))
            (overview::overview(outcomes, judged))
        }
        @for (i, (outcome, figures)) in outcomes.iter().zip(&wanted).enumerate() {
            @let judged = judged.get(i).map_or(&[][..], Vec::as_slice);
            @let drawn = figures::draw(outcome, figures, max_points);
            (section::section(i, outcome, judged, drawn, level, &mut charts))
            "\n"
        }
        (notes::notes())
    };
    page::document(&title, &body, &charts).into_string()
}
