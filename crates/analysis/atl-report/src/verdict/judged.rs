//! Verdicts, and quotes with their verdicts.

use std::fmt;

use atl_scenario::quote::{Quote, Standing};
use serde::Serialize;

use crate::stats::Estimate;

/// The verdict on a quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The measurement agrees with the quote.
    Met,
    /// The tendency agrees, the size does not.
    SameDirection,
    /// The measurement disagrees with the quote.
    NotMet,
    /// The intervals are too wide to tell.
    Undecided,
    /// Fewer than [`MIN_SEEDS`](crate::stats::MIN_SEEDS) seeds measured it, so that there is no interval.
    TooFewSeeds,
    /// No run measured it.
    NotMeasured,
}

impl Verdict {
    /// All verdicts, best first.
    pub const ALL: [Verdict; 6] = [
        Verdict::Met,
        Verdict::SameDirection,
        Verdict::NotMet,
        Verdict::Undecided,
        Verdict::TooFewSeeds,
        Verdict::NotMeasured,
    ];

    /// True for a claim that holds at least in its direction: what `atl reproduce --strict` accepts.
    pub const fn passes(self) -> bool {
        matches!(self, Verdict::Met | Verdict::SameDirection)
    }

    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            Verdict::Met => "met",
            Verdict::SameDirection => "same direction",
            Verdict::NotMet => "not met",
            Verdict::Undecided => "undecided",
            Verdict::TooFewSeeds => "too few seeds",
            Verdict::NotMeasured => "not measured",
        }
    }

    /// A sign that works without colour.
    pub const fn symbol(self) -> &'static str {
        match self {
            Verdict::Met => "✓",
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
    /// What was measured, in words.
    pub of: String,
    /// The number with its unit, as text.
    pub text: String,
    /// The number, in the metric's base unit.
    pub estimate: Estimate,
}

/// A quote and its verdict.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The quote.
    pub quote: Quote,
    /// The measurements: one for a value or a ratio, one for each selection of an order, and two for each value of the
    /// swept variable for an above claim.
    pub measured: Vec<Measured>,
    /// The verdict.
    pub verdict: Verdict,
    /// The reason with its numbers, as a sentence.
    pub reason: String,
}

impl Judged {
    /// Which reading of a claim it is, in words: `as printed`, `fitted: queue 12`, `our own check`.
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
