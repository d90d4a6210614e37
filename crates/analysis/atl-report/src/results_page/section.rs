//! Section of a scenario: its claims, its own checks, and remarks.

use std::fmt::Write as _;

use atl_scenario::builtin;
use atl_scenario::quote::Standing;

use super::markdown::{code, escape};
use super::papers::{Paper, paper_of};
use super::{peers, plural};
use crate::outcome::Outcome;
use crate::quantity::part;
use crate::table::measured;
use crate::verdict::{Claims, Judged, PaperClaim, quoted};

pub(super) struct Part<'a> {
    pub(super) outcome: &'a Outcome,
    pub(super) judged: &'a [Judged],
    pub(super) paper: Option<&'static Paper>,
}

impl<'a> Part<'a> {
    pub(super) fn new(outcome: &'a Outcome, judged: &'a [Judged]) -> Part<'a> {
        Part { outcome, judged, paper: paper_of(&outcome.scenario.name) }
    }

    pub(super) fn section(&self) -> String {
        let scenario = &self.outcome.scenario;
        let mut out = format!("\n### {}\n\n", escape(&scenario.title));
        let name = &scenario.name;
        let link = if builtin().iter().any(|b| b.name == name) {
            format!("[`{name}`](../scenarios/{name}.toml)")
        } else {
            code(name)
        };
        let source =
            scenario.source.as_deref().map_or(String::new(), |s| format!(" · {}", escape(s)));
        let _ = writeln!(
            out,
            "{link}{source} · {} · {}",
            plural(scenario.seeds.len(), "seed"),
            code(&self.outcome.command)
        );
        if self.judged.is_empty() {
            out.push_str("\nNo claims; the report has its figures.\n");
            return out;
        }
        let claims = Claims::of(self.judged);
        if !claims.papers.is_empty() {
            out.push_str(&self.heading(&["", "claim", "quoted", "as printed", "fitted"]));
            claims.papers.iter().for_each(|claim| out.push_str(&self.claim_row(claim)));
        }
        if !claims.own.is_empty() {
            out.push_str(&self.heading(&[
                "",
                "check of our own",
                "expected",
                "measured",
                "verdict",
            ]));
            claims.own.iter().for_each(|own| out.push_str(&self.own_row(own)));
        }
        out.push_str(&self.notes());
        out
    }

    /// The heading of a table, with a column for ns-2 where that has run the scenario.
    fn heading(&self, columns: &[&str]) -> String {
        let peer = peers::covers(&self.outcome.scenario.name).then_some("in ns-2");
        let columns: Vec<&str> = columns.iter().copied().chain(peer).collect();
        let space = |name: &str| if name.is_empty() { "" } else { " " };
        let names: String = columns.iter().map(|name| format!("| {name}{}", space(name))).collect();
        format!("\n{names}|\n{}|\n", "| --- ".repeat(columns.len()))
    }

    /// The cell of that column for these readings, the first of which needs no name.
    fn in_ns2(&self, readings: &[&Judged]) -> String {
        let scenario = &self.outcome.scenario.name;
        if !peers::covers(scenario) {
            return String::new();
        }
        let cells: Vec<String> = readings
            .iter()
            .enumerate()
            .filter_map(|(i, judged)| {
                let text = peers::in_ns2(scenario, judged)?;
                Some(if i == 0 { text } else { format!("{text} ({})", code(&judged.quote.id)) })
            })
            .collect();
        let cell = if cells.is_empty() { "–".to_owned() } else { cells.join("; ") };
        format!(" {cell} |")
    }

    fn claim_row(&self, claim: &PaperClaim<'_>) -> String {
        let Some(stated) = claim.stated() else { return String::new() };
        // The claim's own verdict needs no name in its row, only further readings of the same claim
        // do.
        let reading = |judged: &Judged| match judged.quote.id.as_str() {
            id if id == claim.id => verdict(judged),
            id => format!("{} ({})", verdict(judged), code(id)),
        };
        let printed = claim.printed.map_or("–".to_owned(), reading);
        let fitted: Vec<String> = claim.fitted.iter().map(|fitted| reading(fitted)).collect();
        let fitted = if fitted.is_empty() { "–".to_owned() } else { fitted.join("; ") };
        let readings: Vec<&Judged> =
            claim.printed.into_iter().chain(claim.fitted.iter().copied()).collect();
        format!(
            "| {} | {} | {} | {printed} | {fitted} |{}\n",
            code(claim.id),
            self.text(stated),
            escape(&quoted(&self.outcome.scenario, &stated.quote.claim)),
            self.in_ns2(&readings),
        )
    }

    fn own_row(&self, own: &Judged) -> String {
        format!(
            "| {} | {} | {} | {} | {} {} |{}\n",
            code(&own.quote.id),
            self.text(own),
            escape(&quoted(&self.outcome.scenario, &own.quote.claim)),
            escape(&measured_at(own)),
            own.verdict.symbol(),
            own.verdict,
            self.in_ns2(&[own]),
        )
    }

    /// The claim, with its source if that differs from the scenario's.
    fn text(&self, judged: &Judged) -> String {
        let quote = &judged.quote;
        let text = escape(&quote.text);
        if self.outcome.scenario.source.as_ref() == Some(&quote.source) {
            text
        } else {
            format!("{text} ({})", escape(&quote.source))
        }
    }

    /// Remarks on fits and deviations; quotes with the same remark share an entry.
    fn notes(&self) -> String {
        let mut notes: Vec<(String, Vec<&str>)> = Vec::new();
        for j in self.judged {
            let fitted = match &j.quote.standing {
                Standing::Paper { fitted: Some(fitted), .. } => Some(format!("fitted: {fitted}.")),
                Standing::Paper { .. } | Standing::Own => None,
            };
            let parts: Vec<String> = fitted.into_iter().chain(j.quote.note.clone()).collect();
            if parts.is_empty() {
                continue;
            }
            let note = parts.join(" ");
            match notes.iter_mut().find(|(text, _)| *text == note) {
                Some((_, ids)) => ids.push(&j.quote.id),
                None => notes.push((note, vec![&j.quote.id])),
            }
        }
        let mut out = String::new();
        for (i, (note, ids)) in notes.iter().enumerate() {
            let ids: Vec<String> = ids.iter().map(|id| code(id)).collect();
            let gap = if i == 0 { "\n" } else { "" };
            let _ = writeln!(out, "{gap}- {}: {}", ids.join(", "), escape(note));
        }
        out
    }
}

/// Verdict with the measured value.
fn verdict(judged: &Judged) -> String {
    let (symbol, verdict) = (judged.verdict.symbol(), judged.verdict);
    if judged.measured.is_empty() {
        return format!("{symbol} {verdict}");
    }
    format!("{symbol} {verdict}: {}", escape(&measured_at(judged)))
}

/// Measured value, with the part of the run if not all of it.
fn measured_at(judged: &Judged) -> String {
    match judged.quote.claim.measure().during {
        Some(during) if !judged.measured.is_empty() => {
            format!("{} ({})", measured(judged), part(during))
        }
        _ => measured(judged),
    }
}
