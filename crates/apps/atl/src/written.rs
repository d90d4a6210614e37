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
    /// Qlogs and captures.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub packets: Vec<PathBuf>,
}

impl Written {
    /// A line that says so if earlier results are gone; empty otherwise.
    pub(crate) const fn note(&self) -> &'static str {
        if self.replaced { "They replace earlier results in this directory.\n" } else { "" }
    }
}
