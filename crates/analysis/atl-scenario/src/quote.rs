//! Quotes: numbers and orders stated in a document, as claims that a program can judge.

use std::collections::BTreeMap;

use crate::measure::Measure;
use crate::value::Value;

/// A claim of a document, or a check of our own.
#[derive(Clone, Debug)]
pub struct Quote {
    /// Name, unique in the scenario.
    pub id: String,
    /// The claim in our words.
    pub text: String,
    /// Where it is made: document and section.
    pub source: String,
    /// The claim as a predicate on measurements.
    pub claim: Claim,
    /// Origin of the claim, and how closely the set-up follows the paper.
    pub standing: Standing,
    /// Known reasons why it holds or cannot hold (errata).
    pub note: Option<String>,
}

/// Origin of a quote. A paper's claim may be judged several times: each time is a reading of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// A claim of a paper.
    Paper {
        /// `id` of the claim that this is a reading of: the quote's own, or that of the quote that
        /// states it first. A claim counts once.
        claim: String,
        /// The parameters fitted and their values, where the set-up differs from the paper's as
        /// printed; otherwise `None`. A claim has at most one reading as printed.
        fitted: Option<String>,
    },
    /// A check of the program or a finding of our own, which counts for no paper.
    Own,
}

/// Selects runs and flows; the claim is about their mean over the seeds.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Values that variables must have at a point.
    pub at: BTreeMap<String, Value>,
    /// Flow groups; rates are then the mean over their flows. Empty for all flows; rates are then
    /// their total (all bits over the measured interval), other metrics the mean.
    pub groups: Vec<String>,
}

impl Claim {
    /// The metric of the claim.
    pub fn measure(&self) -> Measure {
        match self {
            Claim::Value { measure, .. }
            | Claim::Ratio { measure, .. }
            | Claim::Order { measure, .. }
            | Claim::Above { measure, .. } => *measure,
        }
    }
}

/// The relation of a measured number to the stated one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// It is that number.
    #[default]
    Equal,
    /// It is that number or less.
    AtMost,
    /// It is that number or more.
    AtLeast,
}

impl Bound {
    /// Number by which a measured one misses the stated one; 0 within the bound.
    pub fn miss(self, measured: f64, stated: f64) -> f64 {
        match self {
            Bound::Equal => (measured - stated).abs(),
            Bound::AtMost => (measured - stated).max(0.0),
            Bound::AtLeast => (stated - measured).max(0.0),
        }
    }

    /// Words before the stated number, with a space: `at most `; empty for equality.
    pub const fn words(self) -> &'static str {
        match self {
            Bound::Equal => "",
            Bound::AtMost => "at most ",
            Bound::AtLeast => "at least ",
        }
    }
}

/// A predicate on measurements.
#[derive(Clone, Debug)]
pub enum Claim {
    /// The metric has a given value.
    Value {
        /// Metric of the value.
        measure: Measure,
        /// Runs and flows to measure.
        of: Selection,
        /// Stated value in the metric's base unit.
        expect: f64,
        /// The value itself, or a bound on it.
        bound: Bound,
        /// Relative distance that still counts as met.
        tolerance: f64,
    },
    /// The metric at `of` is `expect` times that at `over`.
    Ratio {
        /// Metric of both sides.
        measure: Measure,
        /// Numerator of the ratio.
        of: Selection,
        /// Denominator of the ratio.
        over: Selection,
        /// Stated ratio of `of` to `over`.
        expect: f64,
        /// The ratio itself, or a bound on it.
        bound: Bound,
        /// Relative distance that still counts as met.
        tolerance: f64,
    },
    /// The metric falls from each selection to the next.
    Order {
        /// Metric of all selections.
        measure: Measure,
        /// Selections from highest to lowest.
        of: Vec<Selection>,
    },
    /// The metric at `of` is above that at `over` at every value of a swept variable, within the
    /// tolerance.
    Above {
        /// Metric of both sides.
        measure: Measure,
        /// The side claimed to be higher.
        of: Selection,
        /// The side claimed to be lower.
        over: Selection,
        /// Name of the swept variable.
        along: String,
        /// Limits its values to those from the first to the second, both included.
        range: Option<(f64, f64)>,
        /// Share of the metric at `over` by which that at `of` may be below it; 0 for not at all.
        tolerance: f64,
    },
}
