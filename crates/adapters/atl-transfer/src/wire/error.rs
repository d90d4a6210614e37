//! Errors in the octets of messages.

use std::fmt;

/// The reason why octets are not a message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WireError {
    /// A message longer than is allowed at this point, or of length 0.
    Length {
        /// Its length in octets.
        length: u32,
        /// The limit at this point, in octets.
        most: usize,
    },
    /// A kind that this version does not have.
    Kind {
        /// The number of the kind.
        kind: u8,
    },
    /// The message ends before its last field.
    Truncated,
    /// Octets follow the last field.
    Trailing {
        /// The number of these octets.
        octets: usize,
    },
    /// A text that is not UTF-8, or too long.
    Text,
    /// A list of names that is empty or too long.
    Names {
        /// The number of names.
        names: u16,
    },
    /// A value that a field cannot have.
    Value {
        /// The field, with the allowed values.
        field: &'static str,
    },
    /// Pieces of a length that is not allowed.
    PieceLength {
        /// log2 of the length.
        bits: u8,
    },
    /// The number of hashes is not that of the pieces.
    Pieces {
        /// The number of hashes.
        hashes: usize,
        /// The bytes that they should cover.
        length: u64,
    },
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WireError::Length { length, most } => {
                write!(f, "a message of {length} octets, where 1 to {most} are allowed")
            }
            WireError::Kind { kind } => write!(f, "a message of the unknown kind {kind}"),
            WireError::Truncated => f.write_str("a message ends before its last field"),
            WireError::Trailing { octets } => {
                write!(f, "{octets} octets follow a message's last field")
            }
            WireError::Text => f.write_str("a text is not UTF-8, or longer than 255 octets"),
            WireError::Names { names } => {
                write!(f, "a path of {names} names, where 1 to 64 are allowed")
            }
            WireError::Value { field } => f.write_str(field),
            WireError::PieceLength { bits } => {
                write!(f, "pieces of 2^{bits} bytes, where 2^16 to 2^52 are allowed")
            }
            WireError::Pieces { hashes, length } => {
                write!(f, "{hashes} hashes do not cover {length} bytes")
            }
        }
    }
}

impl std::error::Error for WireError {}
