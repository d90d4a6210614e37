//! Verdicts, and quotes with their verdicts.

use std::fmt;

use atl_scenario::quote::{Quote, Standing};
use serde::Serialize;

use crate::stats::Estimate;

/// Outcome of comparing a quote with the measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The measurement agrees with the quote.
    Met,
    /// The mean agrees with the quote, but its 95 % interval reaches beyond what the quote allows,
    /// or some of it was not measured to its end: other seeds may disagree.
    MetUncertain,
    /// The direction agrees, the size does not.
    SameDirection,
    /// The measurement disagrees with the quote.
    NotMet,
    /// The intervals are too wide to tell.
    Undecided,
    /// Fewer than [`MIN_SEEDS`](crate::stats::MIN_SEEDS) seeds measured it, so there is no
    /// interval.
    TooFewSeeds,
    /// No run has a value for it.
    NotMeasured,
}

impl Verdict {
    /// All verdicts from best to worst.
    pub const ALL: [Verdict; 7] = [
        Verdict::Met,
        Verdict::MetUncertain,
        Verdict::SameDirection,
        Verdict::NotMet,
        Verdict::Undecided,
        Verdict::TooFewSeeds,
        Verdict::NotMeasured,
    ];

    /// True for verdicts that `atl reproduce --strict` accepts: the claim holds at least in its
    /// direction.
    pub const fn passes(self) -> bool {
        matches!(self, Verdict::Met | Verdict::MetUncertain | Verdict::SameDirection)
    }

    /// False if the measurements say neither that the claim holds nor that it does not.
    pub const fn decides(self) -> bool {
        self.passes() || matches!(self, Verdict::NotMet)
    }

    /// The verdict in words.
    pub const fn words(self) -> &'static str {
        match self {
            Verdict::Met => "met",
            Verdict::MetUncertain => "met, uncertain",
            Verdict::SameDirection => "same direction",
            Verdict::NotMet => "not met",
            Verdict::Undecided => "undecided",
            Verdict::TooFewSeeds => "too few seeds",
            Verdict::NotMeasured => "not measured",
        }
    }

    /// A sign that can be read without colour.
    pub const fn symbol(self) -> &'static str {
        match self {
            Verdict::Met => "✓",
            Verdict::MetUncertain => "✓?",
            Verdict::SameDirection => "≈",
            Verdict::NotMet => "✗",
            Verdict::Undecided => "?",
            Verdict::TooFewSeeds | Verdict::NotMeasured => "–",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.words())
    }
}

/// A number that a verdict is based on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// The quantity in words.
    pub of: String,
    /// Number with unit, as text.
    pub text: String,
    /// Number in the metric's base unit.
    pub estimate: Estimate,
}

/// A quote with its verdict.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The quote as the scenario states it.
    pub quote: Quote,
    /// Measurements: one for a value or a ratio, one for each selection of an order, and two for
    /// each value of the swept variable for an above claim.
    pub measured: Vec<Measured>,
    /// Outcome of the comparison.
    pub verdict: Verdict,
    /// The reason with its numbers, as a sentence.
    pub reason: String,
}

impl Judged {
    /// The reading in words: `as printed`, `fitted: queue 12`, `our own check`.
    pub fn reading(&self) -> String {
        match &self.quote.standing {
            Standing::Paper { fitted: None, .. } => "as printed".to_owned(),
            Standing::Paper { fitted: Some(what), .. } => format!("fitted: {what}"),
            Standing::Own => "our own check".to_owned(),
        }
    }
}

/// The result of checking a claim.
pub(super) struct Finding {
    pub(super) measured: Vec<Measured>,
    pub(super) verdict: Verdict,
    pub(super) reason: String,
}

impl Finding {
    pub(super) fn not_measured(reason: String) -> Finding {
        Finding { measured: Vec::new(), verdict: Verdict::NotMeasured, reason }
    }
}
