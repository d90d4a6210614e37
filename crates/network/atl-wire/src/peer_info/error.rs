//! Errors in the octets of a receiver's reports.

use std::fmt;

use super::form::VERSION;

/// The reason why octets are not a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WireError {
    /// The message is of a version that this crate does not know.
    Version {
        /// The version in the message.
        found: u8,
    },
    /// The message ends before its last field does.
    Truncated,
    /// Octets follow the last field.
    Trailing {
        /// The number of these octets.
        octets: usize,
    },
    /// Flag 8 is set without flag 4: an open window in a message that does not report it.
    OpenWithoutWindow,
    /// The rate is negative, infinite or not a number.
    Rate,
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WireError::Version { found } => {
                write!(f, "message of version {found}; this program reads version {VERSION}")
            }
            WireError::Truncated => f.write_str("the message ends before its last field"),
            WireError::Trailing { octets } => {
                write!(f, "{octets} octets follow the message's last field")
            }
            WireError::OpenWithoutWindow => {
                f.write_str("flag 8 (window open) is set without flag 4 (window reported)")
            }
            WireError::Rate => f.write_str("the rate must be finite and not negative"),
        }
    }
}

impl std::error::Error for WireError {}
