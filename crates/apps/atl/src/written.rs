//! Files that a command has put in place.

use std::path::PathBuf;

use serde::Serialize;

/// Files that a command has put in place.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Written {
    /// Their paths.
    pub files: Vec<PathBuf>,
    /// True if results of an earlier run stood in the directory.
    pub replaced: bool,
    /// Command of those results, if they were of another scenario.
    #[serde(skip)]
    pub of_another: Option<String>,
    /// Qlogs and captures.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub packets: Vec<PathBuf>,
}

impl Written {
    /// A line that says so if earlier results are gone; empty otherwise.
    pub(crate) fn note(&self) -> String {
        match (&self.of_another, self.replaced) {
            (Some(command), _) => {
                format!("They replace the results of `{command}` in this directory.\n")
            }
            (None, true) => "They replace earlier results in this directory.\n".to_owned(),
            (None, false) => String::new(),
        }
    }
}
