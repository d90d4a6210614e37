//! Errors in the octets of questions and answers.

use std::fmt;

use super::form::{MAX_NAME, VERSION};
use crate::WireError;

/// The reason why octets are not a request or an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum QueryError {
    /// The message is of a version that this crate does not know.
    Version {
        /// The version in the message.
        found: u8,
    },
    /// An unknown kind of request or answer.
    Kind {
        /// The kind's code, from 0 to 15.
        found: u8,
    },
    /// The message ends before its last field does.
    Truncated,
    /// Octets follow the last field.
    Trailing {
        /// The number of these octets.
        octets: usize,
    },
    /// The name of the link is too long or not UTF-8.
    Name,
    /// The time between reports is out of range.
    Interval {
        /// The time in milliseconds, as received.
        milliseconds: u32,
    },
    /// An unknown reason of a refusal.
    Reason {
        /// The code in the message.
        found: u8,
    },
    /// The link's own report is malformed, or holds more than a link report.
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
