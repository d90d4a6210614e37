//! Why a command failed.

use std::fmt::Display;
use std::path::Path;

use atl_host::Gaps;
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
    /// Hosts cannot run scenarios.
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
