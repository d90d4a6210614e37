//! Why there are no results.

use std::error::Error;
use std::fmt;
use std::io;

/// Why there are no results.
#[derive(Debug)]
pub enum RunnerError {
    /// The runs were cancelled.
    Cancelled,
    /// A run failed: the first one in order of the runs.
    Failed(FailedRun),
    /// The threads for the runs could not be started.
    Threads(io::Error),
    /// The result of a run could not be kept.
    Keeping(io::Error),
}

/// A run that failed.
#[derive(Debug)]
pub struct FailedRun {
    /// The host.
    pub host: String,
    /// Name of the scenario.
    pub scenario: String,
    /// Index of the point.
    pub point: usize,
    /// The point's swept variables: `p_w = 1e-2, protocol = reno`; empty without a sweep.
    pub vars: String,
    /// The seed.
    pub seed: u64,
    /// What went wrong.
    pub error: Box<dyn Error + Send + Sync>,
}

impl fmt::Display for FailedRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FailedRun { host, scenario, point, vars, seed, error } = self;
        let vars = if vars.is_empty() { String::new() } else { format!(" ({vars})") };
        write!(f, "host `{host}` failed at `{scenario}`, point {point}{vars}, seed {seed}: {error}")
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
