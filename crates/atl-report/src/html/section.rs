//! The parts of the page.

use std::fmt::Write as _;

use super::chart::{Chart, Drawn};
use super::{escape, headline};
use crate::outcome::Outcome;
use crate::table::{self, measured, verdict_html};
use crate::verdict::{Judged, Verdict, tally};

/// Whether an outcome is the whole page or a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Page,
    Part,
}

impl Level {
    /// Heading level of the outcome's title; its parts are one below.
    const fn heading(self) -> u8 {
        match self {
            Level::Page => 1,
            Level::Part => 2,
        }
    }
}

/// `4 met, 1 not met`.
fn tally_words(counts: [usize; 4]) -> String {
    let parts =
        Verdict::ALL.iter().zip(counts).filter(|(_, n)| *n > 0).map(|(v, n)| format!("{n} {v}"));
    parts.collect::<Vec<_>>().join(", ")
}

/// One outcome.
pub(super) fn section(
    index: usize,
    outcome: &Outcome,
    judged: &[Judged],
    drawn: Vec<Drawn>,
    level: Level,
    charts: &mut Vec<Chart>,
) -> String {
    let scenario = &outcome.scenario;
    let (h, sub) = (level.heading(), level.heading() + 1);
    let mut out = format!("<section id=\"s{index}\">\n<h{h}>{}</h{h}>\n", escape(&scenario.title));
    let source = scenario.source.as_deref().map_or(String::new(), |s| format!(" · {}", escape(s)));
    let _ = writeln!(out, "<p class=\"meta\"><code>{}</code>{source}</p>", escape(&scenario.name));
    let _ = writeln!(out, "<p class=\"lead\">{}</p>", escape(&headline::comparison(outcome)));
    if let Some(headline) = headline::headline(outcome) {
        let _ = writeln!(out, "<p class=\"headline\">{}</p>", escape(&headline));
    }
    for paragraph in scenario.about.split("\n\n").map(str::trim).filter(|p| !p.is_empty()) {
        let _ = writeln!(out, "<p>{}</p>", escape(paragraph));
    }
    if !judged.is_empty() {
        let _ = writeln!(
            out,
            "<h{sub}>Quotes</h{sub}>\n<p>{} of {}.</p>",
            tally_words(tally(judged)),
            judged.len()
        );
        out.push_str(&quotes(judged));
    }
    let _ = writeln!(out, "<h{sub}>Figures</h{sub}>");
    for figure in drawn {
        out.push_str(&figure_html(figure, sub + 1, charts));
    }
    let _ = writeln!(out, "<h{sub}>Results</h{sub}>");
    out.push_str("<p>Means over the seeds ± half of the 95 % interval. A group's rates are those of one of its flows.</p>\n");
    out.push_str(&table::html(&table::results(outcome), "Results"));
    let _ = writeln!(out, "<h{sub}>How to repeat it</h{sub}>");
    out.push_str(&repeat(outcome));
    out.push_str("</section>\n");
    out
}

/// The table of quotes and verdicts.
fn quotes(judged: &[Judged]) -> String {
    let mut out = String::from(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Quotes and verdicts\"><table class=\"quotes\">\n\
         <thead><tr><th scope=\"col\">Quote</th><th scope=\"col\">Measured</th><th scope=\"col\">Verdict</th>\
         <th scope=\"col\">Why</th></tr></thead>\n<tbody>\n",
    );
    for j in judged {
        let note = match &j.quote.note {
            Some(note) => format!("<br><span class=\"note\">Known: {}</span>", escape(note)),
            None => String::new(),
        };
        let _ = writeln!(
            out,
            "<tr><td data-label=\"Quote\">{}<br><span class=\"note\">{}</span></td><td data-label=\"Measured\">{}</td>\
             <td data-label=\"Verdict\">{}</td><td data-label=\"Why\">{}{note}</td></tr>",
            escape(&j.quote.text),
            escape(&j.quote.source),
            escape(&measured(j)),
            verdict_html(j.verdict),
            escape(&j.reason),
        );
    }
    out.push_str("</tbody></table></div>\n");
    out
}

fn figure_html(figure: Drawn, h: u8, charts: &mut Vec<Chart>) -> String {
    let mut out = format!("<figure>\n<h{h}>{}</h{h}>\n", escape(&figure.title));
    if let Some(chart) = figure.chart {
        let _ = writeln!(out, "<div class=\"chart\" data-chart=\"{}\"></div>", charts.len());
        charts.push(chart);
    }
    let _ = writeln!(
        out,
        "<figcaption>{} <span class=\"note\">{}</span></figcaption>",
        escape(&figure.caption),
        escape(&figure.note)
    );
    if let Some(numbers) = &figure.numbers {
        let unit = numbers.columns.iter().rev().find_map(|c| c.quantity).map_or("", |q| q.unit);
        let unit = if unit.is_empty() { String::new() } else { format!(" ({unit})") };
        let caption = format!("Numbers of the figure: {}", figure.title);
        let _ = write!(
            out,
            "<details><summary>Numbers{unit}</summary>\n{}</details>\n",
            table::html(numbers, &caption)
        );
    }
    out.push_str("</figure>\n");
    out
}

fn repeat(outcome: &Outcome) -> String {
    let scenario = &outcome.scenario;
    let seeds = scenario.seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    let mut out = format!("<pre class=\"command\">{}</pre>\n<dl>\n", escape(&outcome.command));
    let wall = outcome.wall.map(|s| format!("{} s", crate::quantity::number(s)));
    let rows = [
        ("Version", Some(outcome.version.clone())),
        ("Host", Some(outcome.host.name.clone())),
        ("Seeds", Some(seeds)),
        ("Hash of the scenario", Some(scenario.hash.clone())),
        ("Took", wall),
    ];
    for (name, value) in rows {
        if let Some(value) = value {
            let _ = writeln!(out, "<dt>{name}</dt><dd>{}</dd>", escape(&value));
        }
    }
    out.push_str("</dl>\n");
    let _ = writeln!(
        out,
        "<details><summary>The scenario</summary>\n<pre>{}</pre></details>",
        escape(&scenario.text)
    );
    out
}

/// Verdicts of all outcomes, with links to their sections.
pub(super) fn overview(outcomes: &[Outcome], judged: &[Vec<Judged>]) -> String {
    let all = tally(judged.iter().flatten());
    let total: usize = all.iter().sum();
    let mut out = String::new();
    if total > 0 {
        let _ = writeln!(out, "<p class=\"headline\">Of {total} quotes: {}.</p>", tally_words(all));
    }
    out.push_str(
        "<nav class=\"scroll\" aria-label=\"Scenarios\"><table>\n<thead><tr><th scope=\"col\">Scenario</th>\
         <th scope=\"col\">Quote</th><th scope=\"col\">Measured</th><th scope=\"col\">Verdict</th></tr></thead>\n<tbody>\n",
    );
    for (i, outcome) in outcomes.iter().enumerate() {
        let judged = judged.get(i).map_or(&[][..], Vec::as_slice);
        let span = judged.len().max(1);
        let _ = write!(
            out,
            "<tr><th scope=\"rowgroup\" rowspan=\"{span}\"><a href=\"#s{i}\">{}</a><br><span class=\"note\">{}</span></th>",
            escape(&outcome.scenario.name),
            escape(&outcome.scenario.title)
        );
        if judged.is_empty() {
            out.push_str("<td colspan=\"3\" class=\"note\">no quote to be held to</td></tr>\n");
        }
        for (k, j) in judged.iter().enumerate() {
            let open = if k == 0 { "" } else { "<tr>" };
            let _ = writeln!(
                out,
                "{open}<td>{}</td><td>{}</td><td>{}</td></tr>",
                escape(&j.quote.text),
                escape(&measured(j)),
                verdict_html(j.verdict)
            );
        }
    }
    out.push_str("</tbody></table></nav>\n");
    out
}

/// How the numbers came about.
pub(super) fn notes() -> String {
    "<section id=\"notes\">\n<h2>How to read this</h2>\n<ul>\n\
     <li>Each point was run once with each seed; a run is one observation. A mean is over the seeds, and “±” gives half \
     of its two-sided 95 % interval (Student’s t with one degree of freedom less than seeds). With one seed there is no interval.</li>\n\
     <li>Differences and ratios are taken seed by seed: the same seed meets the same losses on the same links whatever \
     the protocol. The interval of a ratio of means is that of the classical ratio estimator.</li>\n\
     <li>Throughput counts every byte that left the source onto its first link, headers and retransmissions included; \
     goodput counts application bytes received in order, once.</li>\n\
     <li>Quotes. <em>Value</em>: met if the mean is within the tolerance; having no direction, “same direction” means \
     within three times the tolerance. <em>Ratio</em>: met if within the tolerance; same direction if on the same side of 1, \
     the interval excludes 1 (one seed: by the ratio alone) and the effect, the distance from 1 on a logarithmic scale, is at least a \
     quarter of the quoted one. <em>Order</em>: met if each neighbour’s paired difference is \
     shown by its interval; same direction if the means are ordered. <em>Above</em>: met if above at each value; same \
     direction if at more than half.</li>\n\
     <li class=\"screen\">Charts: drag across a chart to zoom in, double-click to see everything again. With the \
     keyboard: Tab to a chart, ← → move the cursor, + − zoom, 0 or Esc resets. Click a name in the legend to hide its curve.</li>\n\
     </ul>\n</section>\n"
        .to_owned()
}
