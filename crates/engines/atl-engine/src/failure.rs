//! Errors of the runner.

use std::error::Error;
use std::fmt;
use std::io;

/// The reason why there are no results.
#[derive(Debug)]
pub enum RunnerError {
    /// The runs were cancelled by the caller.
    Cancelled,
    /// A run failed: the first in the order of runs.
    Failed(FailedRun),
    /// No thread could be started.
    Threads(io::Error),
    /// The caller's `keep` failed for a result.
    Keeping(io::Error),
}

/// A run that failed, with the error.
#[derive(Debug)]
pub struct FailedRun {
    /// Name of the engine.
    pub engine: String,
    /// Name of the scenario.
    pub scenario: String,
    /// Index of the point in the scenario.
    pub point: usize,
    /// Values of the swept variables, such as `p_w = 1e-2, protocol = reno`; empty without a sweep.
    pub vars: String,
    /// Seed of the run.
    pub seed: u64,
    /// Error that the engine returned.
    pub error: Box<dyn Error + Send + Sync>,
}

impl fmt::Display for FailedRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FailedRun { engine, scenario, point, vars, seed, error } = self;
        let vars = if vars.is_empty() { String::new() } else { format!(" ({vars})") };
        write!(
            f,
            "engine `{engine}` failed at `{scenario}`, point {point}{vars}, seed {seed}: {error}"
        )
    }
}

impl fmt::Display for RunnerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunnerError::Cancelled => f.write_str("cancelled"),
            RunnerError::Failed(failed) => failed.fmt(f),
            RunnerError::Threads(e) => write!(f, "cannot start the threads for the runs: {e}"),
            RunnerError::Keeping(e) => write!(f, "cannot keep the results of the runs: {e}"),
        }
    }
}

impl Error for RunnerError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            RunnerError::Cancelled => None,
            RunnerError::Failed(failed) => Some(&*failed.error),
            RunnerError::Threads(e) | RunnerError::Keeping(e) => Some(e),
        }
    }
}
