//! Verdicts on differences between the emulator and the simulator.

use serde::Serialize;

use crate::measure::Measure;

/// The outcome of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The interval of the difference lies within the margin; a test does not reject.
    Equivalent,
    /// The interval reaches from within the margin to beyond it.
    Undecided,
    /// The interval lies beyond the margin, or a test rejects.
    Different,
    /// The emulator was late too often, so that the run says nothing about its links.
    NotJudged,
}

impl Verdict {
    /// The verdict in words, as tables show it.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Equivalent => "equivalent",
            Verdict::Undecided => "undecided",
            Verdict::Different => "different",
            Verdict::NotJudged => "not judged",
        }
    }
}

/// The verdict on one measure, at level 1 - `alpha`.
pub fn judge(measure: &Measure, alpha: f64) -> Verdict {
    if let Some(p) = measure.p_value() {
        return if p < alpha { Verdict::Different } else { Verdict::Equivalent };
    }
    match measure.interval(alpha) {
        Some(interval) if interval.within(measure.margin) => Verdict::Equivalent,
        Some(interval) if interval.beyond(measure.margin) => Verdict::Different,
        _ => Verdict::Undecided,
    }
}

/// The verdict on a case: the worst of its measures.
pub fn overall(verdicts: impl Iterator<Item = Verdict>) -> Verdict {
    verdicts.max().unwrap_or(Verdict::Undecided)
}
