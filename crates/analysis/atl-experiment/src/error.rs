use std::fmt::Display;
use std::path::Path;

use atl_engine::Gaps;
use atl_scenario::Errors;

/// The reason why there are no results.
#[derive(Debug)]
pub enum Error {
    /// Mistakes in the scenario, with their places.
    Scenario(Errors),
    /// Features of the setup that the chosen engines lack.
    Gaps(Gaps),
    /// Arguments that contradict each other or name something unknown, as a message.
    Usage(String),
    /// A run or a file operation failed, as a message.
    Failed(String),
}

impl Error {
    /// [`Error::Failed`] with the message that `action` failed for a file or directory.
    pub fn file(action: &str, path: &Path, error: &dyn Display) -> Error {
        Error::Failed(format!("cannot {action} {}: {error}", path.display()))
    }
}
