//! Errors in the octets of RTCP packets.

use std::fmt;

use super::form::{BYE, HANDOFF_NOTIFICATION, HANDOFF_REPORT, MOST_DUMMY, MOST_PROBE, VERSION};

/// The reason why octets are not a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RtcpError {
    /// The version of RTP is not 2.
    RtpVersion {
        /// The version in the packet.
        found: u8,
    },
    /// The octets end before the packet does.
    Truncated,
    /// Octets follow the packet.
    Trailing {
        /// The number of these octets.
        octets: usize,
    },
    /// The packet is padded.
    Padding,
    /// The packet is of a type that this crate does not read.
    PacketType {
        /// The type in the packet.
        found: u8,
    },
    /// HN or HR of a version that this crate does not know.
    Version {
        /// The version in the packet.
        found: u8,
    },
    /// HN or HR of another length.
    Length {
        /// The length in the header.
        found: u16,
        /// The length of such a packet.
        expected: u16,
    },
    /// BYE of none or of several sources.
    Sources {
        /// The number of sources.
        found: u8,
    },
    /// The reason of a BYE does not fill the packet.
    Reason,
    /// Octets that should be zero are not.
    Reserved,
    /// The signal has no known code.
    Signal {
        /// The code in the packet.
        found: u8,
    },
    /// The number of a probe is too large.
    Probe {
        /// The number in the packet.
        found: u8,
    },
    /// The number of a dummy is too large.
    Highest {
        /// The number in the packet.
        found: u32,
    },
    /// More dummies are lost than there are numbers.
    Lost {
        /// The number of dummies lost.
        lost: u32,
        /// The highest number of a dummy that arrived.
        highest: u32,
    },
    /// The last arrival lies after the end of the measurement.
    Window,
}

impl fmt::Display for RtcpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RtcpError::RtpVersion { found } => {
                write!(f, "RTP of version {found}; RTCP has version 2")
            }
            RtcpError::Truncated => f.write_str("the octets end before the packet does"),
            RtcpError::Trailing { octets } => write!(f, "{octets} octets follow the packet"),
            RtcpError::Padding => f.write_str("the packet is padded; a packet of a handoff is not"),
            RtcpError::PacketType { found } => write!(
                f,
                "packet type {found}; this program reads {HANDOFF_NOTIFICATION} (HN), {HANDOFF_REPORT} (HR) and {BYE} (BYE)"
            ),
            RtcpError::Version { found } => {
                write!(f, "packet of version {found}; this program reads version {VERSION}")
            }
            RtcpError::Length { found, expected } => {
                write!(f, "length {found}; such a packet has length {expected}")
            }
            RtcpError::Sources { found } => {
                write!(f, "BYE of {found} sources; that of a handoff has one")
            }
            RtcpError::Reason => f.write_str(
                "the reason of the BYE does not fill the packet with zeros to a whole word",
            ),
            RtcpError::Reserved => f.write_str("octets that should be zero are not"),
            RtcpError::Signal { found } => {
                write!(f, "signal {found}; 0 is imminent, 1 done, 2 gone")
            }
            RtcpError::Probe { found } => {
                write!(f, "probe {found}; probes have numbers from 0 to {MOST_PROBE}")
            }
            RtcpError::Highest { found } => {
                write!(f, "dummy {found}; dummies have numbers from 0 to {MOST_DUMMY}")
            }
            RtcpError::Lost { lost, highest } => {
                write!(
                    f,
                    "{lost} dummies lost; there are no more than {} up to {highest}",
                    u64::from(*highest) + 1
                )
            }
            RtcpError::Window => {
                f.write_str("the last dummy arrived after the end of the measurement")
            }
        }
    }
}

impl std::error::Error for RtcpError {}
