use std::fmt::Display;
use std::path::Path;

use atl_engine::Gaps;
use atl_experiment::Error;
use atl_scenario::Errors;

/// The reason why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Mistakes in scenario files.
    Scenarios {
        /// All errors of each file.
        errors: Vec<Errors>,
        /// True to also print them as JSON on standard output.
        json: bool,
    },
    /// Engines lack features that scenarios need.
    Gaps {
        /// Features of the scenarios that engines lack.
        gaps: Gaps,
        /// True to also print them as JSON on standard output.
        json: bool,
    },
    /// The arguments do not fit together, as a message.
    Usage(String),
    /// A run or a file operation failed, as a message.
    Runtime(String),
}

impl Failure {
    /// [`Failure::Runtime`] with the message that `action` failed for a file or directory.
    pub(crate) fn file(action: &str, path: &Path, error: &dyn Display) -> Failure {
        Failure::Runtime(format!("cannot {action} {}: {error}", path.display()))
    }
}

impl Failure {
    /// Converts an error. With `json` it is also printed as JSON on standard output.
    pub(crate) fn of(error: Error, json: bool) -> Failure {
        match error {
            Error::Scenario(errors) => Failure::Scenarios { errors: vec![errors], json },
            Error::Gaps(gaps) => Failure::Gaps { gaps, json },
            Error::Usage(message) => Failure::Usage(message),
            Error::Failed(message) => Failure::Runtime(message),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::of(error, false)
    }
}
