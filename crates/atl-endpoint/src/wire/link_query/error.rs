//! Why octets are not a request or an answer.

use std::fmt;

use super::form::{MAX_NAME, VERSION};
use crate::wire::WireError;

/// Why octets are not a request or an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum QueryError {
    /// The message is of a version that this crate does not know.
    Version {
        /// Its version.
        found: u8,
    },
    /// No such kind of request, or of answer.
    Kind {
        /// The kind.
        found: u8,
    },
    /// The message ends before its last field does.
    Truncated,
    /// Octets follow the last field.
    Trailing {
        /// How many.
        octets: usize,
    },
    /// The name of the link is too long or not UTF-8.
    Name,
    /// The time between reports is out of range.
    Interval {
        /// The time in milliseconds.
        milliseconds: u32,
    },
    /// No such reason of a refusal.
    Reason {
        /// The reason.
        found: u8,
    },
    /// The link's own report is no message, or reports something else too.
    Report(Option<WireError>),
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QueryError::Version { found } => {
                write!(f, "message of version {found}; this program reads version {VERSION}")
            }
            QueryError::Kind { found } => write!(f, "a message of kind {found} is not known"),
            QueryError::Truncated => f.write_str("the message ends before its last field"),
            QueryError::Trailing { octets } => {
                write!(f, "{octets} octets follow the message's last field")
            }
            QueryError::Name => {
                write!(f, "the link's name must be UTF-8 of at most {MAX_NAME} octets")
            }
            QueryError::Interval { milliseconds } => {
                write!(f, "{milliseconds} ms between reports; allowed is 10 to 60 000")
            }
            QueryError::Reason { found } => write!(f, "a refusal for reason {found} is not known"),
            QueryError::Report(Some(error)) => write!(f, "the link's report: {error}"),
            QueryError::Report(None) => {
                f.write_str("a message that reports more than a link, or no link")
            }
        }
    }
}

impl std::error::Error for QueryError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            QueryError::Report(Some(error)) => Some(error),
            _ => None,
        }
    }
}
