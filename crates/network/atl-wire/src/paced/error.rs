//! Errors in the octets of a paced flow's packets.

use std::fmt;

use super::form::VERSION;

/// The reason why octets are not a packet of a paced flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PacedError {
    /// The octets end before the packet does.
    Truncated,
    /// The packet is of a version that this crate does not know.
    Version {
        /// The version in the packet.
        found: u8,
    },
    /// There is no such kind of packet.
    Kind {
        /// The kind's code, from 0 to 15.
        found: u8,
    },
    /// A packet of this kind has no such flags.
    Flags {
        /// All flags of the packet.
        found: u8,
    },
    /// Octets that should be zero are not.
    Reserved,
    /// A share or a rate is out of its range, or a count that is told is zero.
    Value,
    /// The report of the receiver's wireless link is malformed.
    LinkReport,
}

impl fmt::Display for PacedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PacedError::Truncated => f.write_str("the octets end before the packet does"),
            PacedError::Version { found } => {
                write!(f, "packet of version {found}; this program reads version {VERSION}")
            }
            PacedError::Kind { found } => write!(f, "kind {found}; kinds are 1 to 5"),
            PacedError::Flags { found } => {
                write!(f, "flags {found:#x}, of which some mean nothing in this kind of packet")
            }
            PacedError::Reserved => f.write_str("octets that should be zero are not"),
            PacedError::Value => f.write_str(
                "shares go from 0 to 1, rates are finite and not negative, and counts are not 0",
            ),
            PacedError::LinkReport => {
                f.write_str("the report of the wireless link is not one, or holds more")
            }
        }
    }
}

impl std::error::Error for PacedError {}
