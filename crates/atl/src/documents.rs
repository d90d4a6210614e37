//! What `--json` prints for several outcomes.

use std::path::PathBuf;

use atl_report::summary::Summary;
use serde::Serialize;

use crate::experiment::{Experiment, VERSION};

/// Summaries of all outcomes, and where the files are.
#[derive(Serialize)]
pub(crate) struct Document {
    version: &'static str,
    /// By scenario, and for each of them by host.
    scenarios: Vec<Summary>,
    files: Vec<PathBuf>,
}

impl Document {
    /// The document of an experiment.
    pub(crate) fn new(experiment: &Experiment, files: Vec<PathBuf>) -> Document {
        let scenarios = experiment.judged().map(|(outcome, judged)| Summary::new(outcome, judged));
        Document { version: VERSION, scenarios: scenarios.collect(), files }
    }
}
