//! Quotes and verdicts on a terminal.

use atl_report::table::{self, Cell};
use atl_report::verdict::Tally;
use atl_report::{Judged, Verdict};

use crate::output::Look;

/// Every quote with verdict and measurement.
pub(crate) fn show(judged: &[Judged], look: Look) -> String {
    let table = table::verdicts(judged);
    let mut out = String::new();
    for (judged, row) in judged.iter().zip(&table.rows) {
        let code = match judged.verdict {
            Verdict::Met | Verdict::MetUncertain => "32",
            Verdict::SameDirection => "33",
            Verdict::NotMet => "31",
            Verdict::Undecided | Verdict::TooFewSeeds | Verdict::NotMeasured => "2",
        };
        let verdict = format!("{} {}", judged.verdict.symbol(), judged.verdict);
        let quote = look.paragraph(&format!("  {verdict}: "), &judged.quote.text);
        out.push_str(&quote.replacen(&verdict, &look.painted(&verdict, code), 1));
        match row.get(1) {
            // Most reasons begin with the measurement, which need not be repeated.
            Some(Cell::Text(measured)) if !judged.reason.starts_with(measured.as_str()) => {
                out.push_str(&look.paragraph("      measured  ", measured));
                out.push_str(&look.paragraph("      why       ", &judged.reason));
            }
            _ => out.push_str(&look.paragraph("      measured  ", &judged.reason)),
        }
        if let Some(note) = &judged.quote.note {
            out.push_str(&look.paragraph("      note      ", note));
        }
        let source = format!("{} ({})", judged.quote.source, judged.reading());
        out.push_str(&look.paragraph("      source    ", &source));
    }
    out
}

/// Counts of papers' claims and of our own checks.
pub(crate) fn count<'a>(judged: impl IntoIterator<Item = &'a [Judged]>) -> String {
    let tally: Tally = judged.into_iter().map(Tally::of).sum();
    match tally.sentences() {
        none if none.is_empty() => "No claims.".to_owned(),
        sentences => sentences,
    }
}
