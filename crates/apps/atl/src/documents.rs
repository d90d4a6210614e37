//! What `--json` prints for several outcomes.

use std::path::PathBuf;

use atl_experiment::VERSION;
use atl_report::compare::Worth;
use atl_report::hosts::HostComparison;
use atl_report::summary::Summary;
use atl_report::verdict::Tally;
use serde::Serialize;

use crate::experiment::Experiment;

/// Summaries of all outcomes, and where the files are.
#[derive(Serialize)]
pub(crate) struct Document {
    version: &'static str,
    /// How many claims of papers and own checks hold, over all scenarios and hosts.
    tally: Tally,
    /// By scenario, and for each of them by host.
    scenarios: Vec<Summary>,
    /// Each further host against the first; absent with one host.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hosts_compared: Vec<HostComparison>,
    /// What was left out, and what it is worth.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    worth: Vec<Worth>,
    files: Vec<PathBuf>,
}

impl Document {
    /// The document of an experiment.
    pub(crate) fn new(experiment: &Experiment, worth: Vec<Worth>, files: Vec<PathBuf>) -> Document {
        let scenarios = experiment.judged().map(|(outcome, judged)| Summary::new(outcome, judged));
        let tally = experiment.judged.iter().map(|judged| Tally::of(judged)).sum();
        Document {
            version: VERSION,
            tally,
            scenarios: scenarios.collect(),
            hosts_compared: HostComparison::all(&experiment.outcomes),
            worth,
            files,
        }
    }
}
