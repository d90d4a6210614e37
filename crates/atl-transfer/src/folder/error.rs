//! What a folder refuses.

use std::fmt;
use std::io;
use std::path::PathBuf;

use nix::errno::Errno;

use crate::name::NameError;
use crate::wire::Reason;

/// Why a folder cannot be received into.
#[derive(Debug)]
#[non_exhaustive]
pub enum FolderError {
    /// The system refused.
    Io {
        /// What was tried, with the path.
        what: String,
        /// Its reason.
        error: io::Error,
    },
    /// Another receiver has it.
    Taken {
        /// The folder.
        path: PathBuf,
    },
}

impl fmt::Display for FolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FolderError::Io { what, error } => write!(f, "cannot {what}: {error}"),
            FolderError::Taken { path } => {
                write!(f, "another `atl recv` receives into {}", path.display())
            }
        }
    }
}

impl std::error::Error for FolderError {}

/// Why a file is not received, as the sender is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// For programs.
    pub reason: Reason,
    /// For people.
    pub text: String,
}

impl Refusal {
    pub(crate) fn new(reason: Reason, text: impl Into<String>) -> Self {
        Refusal { reason, text: text.into() }
    }

    pub(crate) fn storage(what: &str, error: impl fmt::Display) -> Self {
        Refusal::new(Reason::Storage, format!("the receiver cannot {what}: {error}"))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<NameError> for Refusal {
    fn from(error: NameError) -> Self {
        Refusal::new(Reason::Name, format!("the receiver does not take this path: {error}"))
    }
}

/// What entering a folder refuses.
pub(super) fn entering(name: &str, error: Errno) -> Refusal {
    match error {
        Errno::ELOOP | Errno::ENOTDIR => Refusal::new(
            Reason::Name,
            format!(
                "`{}` at the receiver is no folder, and symbolic links are not followed",
                name.escape_debug()
            ),
        ),
        error => {
            Refusal::storage(&format!("open the folder `{}`", name.escape_debug()), error.desc())
        }
    }
}
