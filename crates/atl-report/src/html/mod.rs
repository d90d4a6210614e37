//! The report: one HTML page that needs nothing but itself.
//!
//! Tables, verdicts and text are plain HTML and are there without scripts; charts are drawn by the embedded
//! script from JSON in the page. A content security policy keeps the page from loading anything. Everything
//! that a user wrote is escaped.

mod assets;
mod axis;
mod chart;
mod figures;
mod headline;
mod marks;
mod reduce;
mod section;
mod shares;
mod sweep;
mod time;

use std::fmt::Write as _;

use self::chart::Chart;
use crate::outcome::Outcome;
use crate::verdict::Judged;

/// Bytes of the page for curves over time: with all else it stays below 2 MB.
const CURVE_BYTES: usize = 1_000_000;
/// Bytes that one number of a curve takes, about.
const NUMBER_BYTES: usize = 9;
/// More points than this a curve does not show on any screen.
const MOST_POINTS: usize = 1500;

/// Escapes text for HTML, in element content and in quoted attributes.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// The page of one or several outcomes, each with its verdicts (in the same order).
///
/// Curves over time share a budget, so that the page stays below 2 MB: they are reduced to their extremes
/// where they have more points than fit.
pub fn page(outcomes: &[Outcome], judged: &[Vec<Judged>]) -> String {
    let wanted: Vec<_> = outcomes.iter().map(figures::wanted).collect();
    let curves: usize = outcomes.iter().zip(&wanted).map(|(o, f)| figures::time_curves(o, f)).sum();
    let most_points = (CURVE_BYTES / NUMBER_BYTES / curves.max(1)).clamp(16, MOST_POINTS);

    let title = match outcomes {
        [one] => one.scenario.title.clone(),
        many => format!("{} scenarios", many.len()),
    };
    let mut charts: Vec<Chart> = Vec::new();
    let mut body = String::new();
    let level = if outcomes.len() == 1 { section::Level::Page } else { section::Level::Part };
    if let section::Level::Part = level {
        let _ = writeln!(body, "<h1>{}</h1>", escape(&title));
        body.push_str(&section::overview(outcomes, judged));
    }
    for (i, (outcome, figures)) in outcomes.iter().zip(&wanted).enumerate() {
        let judged = judged.get(i).map_or(&[][..], Vec::as_slice);
        let drawn = figures::draw(outcome, figures, most_points);
        body.push_str(&section::section(i, outcome, judged, drawn, level, &mut charts));
    }
    body.push_str(&section::notes());
    document(&title, &body, &charts)
}

fn document(title: &str, body: &str, charts: &[Chart]) -> String {
    let data = serde_json::json!(charts).to_string();
    // Nothing in the data can end the script element or open a comment in it.
    let data = data.replace('<', "\\u003c");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">\n\
         <title>{}</title>\n<style>\n{}\n{}</style>\n</head>\n<body>\n<main>\n\
         <noscript><p class=\"warning\">Scripts are off: the charts are not drawn. All tables, also those of the \
         figures' numbers, are there without them.</p></noscript>\n{body}</main>\n\
         <script type=\"application/json\" id=\"charts\">{data}</script>\n\
         <script>\n/* uPlot 1.6.32\n{}*/\n{}</script>\n<script>\n{}</script>\n</body>\n</html>\n",
        escape(title),
        assets::UPLOT_CSS,
        assets::REPORT_CSS,
        assets::UPLOT_LICENSE,
        assets::UPLOT_JS,
        assets::REPORT_JS,
    )
}
