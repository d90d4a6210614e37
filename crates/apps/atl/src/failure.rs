//! Why a command failed.

use std::fmt::Display;
use std::path::Path;

use atl_engine::Gaps;
use atl_experiment::Error;
use atl_scenario::Errors;

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Scenarios are wrong.
    Scenarios {
        /// All errors of each of them.
        errors: Vec<Errors>,
        /// Print them as JSON on standard output, too.
        json: bool,
    },
    /// Engines cannot run scenarios.
    Gaps {
        /// What they cannot do.
        gaps: Gaps,
        /// Print them as JSON on standard output, too.
        json: bool,
    },
    /// The arguments do not fit together.
    Usage(String),
    /// Something went wrong on the way.
    Runtime(String),
}

impl Failure {
    /// `action` failed for a file or directory.
    pub(crate) fn file(action: &str, path: &Path, error: &dyn Display) -> Failure {
        Failure::Runtime(format!("cannot {action} {}: {error}", path.display()))
    }
}

impl Failure {
    /// Printed as JSON on standard output, too, where that was asked for.
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
