//! Why there are no results.

use std::fmt::Display;
use std::path::Path;

use atl_engine::Gaps;
use atl_scenario::Errors;

/// Why there are no results.
#[derive(Debug)]
pub enum Error {
    /// The scenario is wrong.
    Scenario(Errors),
    /// Engines cannot run it.
    Gaps(Gaps),
    /// What was asked for makes no sense.
    Usage(String),
    /// Something went wrong on the way.
    Failed(String),
}

impl Error {
    /// `action` failed for a file or directory.
    pub fn file(action: &str, path: &Path, error: &dyn Display) -> Error {
        Error::Failed(format!("cannot {action} {}: {error}", path.display()))
    }
}
