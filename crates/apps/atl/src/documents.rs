//! The JSON document for several outcomes.

use atl_experiment::VERSION;
use atl_report::compare::Worth;
use atl_report::engines::EngineComparison;
use atl_report::summary::Summary;
use atl_report::verdict::Tally;
use serde::Serialize;

use crate::experiment::Experiment;
use crate::written::Written;

/// Summaries of all outcomes, and paths of the files.
#[derive(Serialize)]
pub(crate) struct Document {
    version: &'static str,
    /// Number of papers' claims and own checks that hold, over all scenarios and engines.
    tally: Tally,
    /// Ordered by scenario, then by engine.
    scenarios: Vec<Summary>,
    /// Comparison of each further engine with the first; absent with one engine.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    engines_compared: Vec<EngineComparison>,
    /// Contribution of each ablated part.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    worth: Vec<Worth>,
    #[serde(flatten)]
    written: Written,
}

impl Document {
    pub(crate) fn new(experiment: &Experiment, worth: Vec<Worth>, written: Written) -> Document {
        let scenarios = experiment.judged().map(|(outcome, judged)| Summary::new(outcome, judged));
        let tally = experiment.judged.iter().map(|judged| Tally::of(judged)).sum();
        Document {
            version: VERSION,
            tally,
            scenarios: scenarios.collect(),
            engines_compared: EngineComparison::all(&experiment.outcomes),
            worth,
            written,
        }
    }
}
