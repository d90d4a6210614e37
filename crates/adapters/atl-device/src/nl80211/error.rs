//! Defects of the kernel's answers.

use std::fmt;

/// The reason why an answer of the kernel cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NetlinkError {
    /// A message or attribute is longer than what holds it, or shorter than its header.
    Truncated {
        /// Bytes from the beginning of the datagram, or of the message's attributes.
        at: usize,
    },
    /// An attribute's value has another length than its type.
    Length {
        /// Number of the attribute's type.
        attribute: u16,
        /// The value's length in bytes.
        found: usize,
        /// The length of its type, in bytes.
        expected: usize,
    },
    /// A mandatory attribute is absent.
    Missing {
        /// Its name in the kernel's headers.
        attribute: &'static str,
    },
    /// The kernel refused the request (`NLMSG_ERROR`, or an error in `NLMSG_DONE`).
    Refused {
        /// The kernel's reason, an errno greater than zero.
        errno: i32,
    },
    /// The list changed while it was being read (`NLM_F_DUMP_INTR`): it must be read again.
    Interrupted,
    /// The kernel lost messages (`NLMSG_OVERRUN`).
    Overrun,
    /// More stations than a dump is allowed here.
    TooMany {
        /// The most stations that are read.
        most: usize,
    },
}

impl fmt::Display for NetlinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetlinkError::Truncated { at } => write!(f, "netlink: truncated at byte {at}"),
            NetlinkError::Length { attribute, found, expected } => {
                write!(f, "netlink: attribute {attribute} has {found} bytes instead of {expected}")
            }
            NetlinkError::Missing { attribute } => write!(f, "netlink: no {attribute}"),
            NetlinkError::Refused { errno } => {
                write!(f, "the kernel refused: {}", std::io::Error::from_raw_os_error(*errno))
            }
            NetlinkError::Interrupted => {
                f.write_str("the list of stations changed while it was being read")
            }
            NetlinkError::Overrun => f.write_str("the kernel lost netlink messages"),
            NetlinkError::TooMany { most } => write!(f, "more than {most} stations"),
        }
    }
}

impl std::error::Error for NetlinkError {}
