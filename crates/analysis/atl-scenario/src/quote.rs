//! Quotes: numbers and orders that a document states, put as claims that a computer can judge.

use std::collections::BTreeMap;

use crate::measure::Measure;
use crate::value::Value;

/// A claim of a document.
#[derive(Clone, Debug)]
pub struct Quote {
    /// Short name, unique in the scenario.
    pub id: String,
    /// What is claimed, in our words.
    pub text: String,
    /// Where: document, section.
    pub source: String,
    /// The claim.
    pub claim: Claim,
    /// Whose it is, and how true to the paper the set-up is that it is judged on.
    pub standing: Standing,
    /// What is known about it: why it holds or why it cannot (errata).
    pub note: Option<String>,
}

/// Whose claim a quote is. A claim of a paper may be judged several times: each time is a reading of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// A paper's.
    Paper {
        /// The claim that this is a reading of: the quote's own `id`, or that of the quote that states it first. A
        /// claim counts once.
        claim: String,
        /// What was chosen, and to what, where the set-up is not the paper's as printed; `None` where it is. A claim
        /// has at most one reading as printed.
        fitted: Option<String>,
    },
    /// Ours: a check of the program, or a finding. It counts with no paper.
    Own,
}

/// Picks runs, and flows in them; the claim is about their mean over the seeds.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Only points where these variables have these values.
    pub at: BTreeMap<String, Value>,
    /// Only flows of these groups (rates are the mean over the flows then); empty: all flows (for rates their total, all
    /// their bits over the measured interval; their mean otherwise).
    pub groups: Vec<String>,
}

impl Claim {
    /// What it is about.
    pub fn measure(&self) -> Measure {
        match self {
            Claim::Value { measure, .. }
            | Claim::Ratio { measure, .. }
            | Claim::Order { measure, .. }
            | Claim::Above { measure, .. } => *measure,
        }
    }
}

/// A claim about measurements.
#[derive(Clone, Debug)]
pub enum Claim {
    /// The metric has this value.
    Value {
        /// What is measured.
        measure: Measure,
        /// Where.
        of: Selection,
        /// The value, in the metric's base unit.
        expect: f64,
        /// Relative distance that still counts as met.
        tolerance: f64,
    },
    /// The metric at `of` is `expect` times that at `over`.
    Ratio {
        /// What is measured.
        measure: Measure,
        /// The numerator.
        of: Selection,
        /// The denominator.
        over: Selection,
        /// The ratio.
        expect: f64,
        /// Relative distance that still counts as met.
        tolerance: f64,
    },
    /// The metric falls from each selection to the next.
    Order {
        /// What is measured.
        measure: Measure,
        /// From highest to lowest.
        of: Vec<Selection>,
    },
    /// The metric at `of` is above that at `over` at every value of a swept variable, or at most so much below.
    Above {
        /// What is measured.
        measure: Measure,
        /// The higher.
        of: Selection,
        /// The lower.
        over: Selection,
        /// The swept variable.
        along: String,
        /// Only its values from the first to the second, both included.
        range: Option<(f64, f64)>,
        /// Share of the metric at `over` by which that at `of` may be below it; 0: not at all.
        tolerance: f64,
    },
}
