//! Errors of the receiver's folder.

use std::fmt;
use std::io;
use std::path::PathBuf;

use super::dir::words;
use crate::name::{NameError, shown_name};
use crate::wire::Reason;

/// The reason why a folder cannot be received into.
#[derive(Debug)]
#[non_exhaustive]
pub enum FolderError {
    /// The system refused an operation.
    Io {
        /// The operation, with the path.
        what: String,
        /// The system's own error.
        error: io::Error,
    },
    /// Another receiver writes into it at this time.
    Taken {
        /// The folder that is in use.
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

/// A receiver's reason not to take a file or a folder, as the sender learns it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The reason as a code, for programs.
    pub reason: Reason,
    /// The reason as a sentence, for people.
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

/// The refusal for a folder of a path that cannot be entered.
pub(super) fn entering(name: &[u8], error: &io::Error) -> Refusal {
    match error.kind() {
        io::ErrorKind::NotADirectory => Refusal::new(
            Reason::Name,
            format!(
                "`{}` at the receiver is no folder, and symbolic links are not followed",
                shown_name(name)
            ),
        ),
        _ => Refusal::storage(&format!("open the folder `{}`", shown_name(name)), words(error)),
    }
}
