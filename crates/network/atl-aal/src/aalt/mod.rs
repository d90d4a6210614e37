//! AAL-T: an adaptation layer with retransmission, which leaves only congestion control to TCP
//! above it.
//!
//! Source: Akyildiz, Joe, "A new ATM adaptation layer for TCP/IP over wireless ATM networks",
//! Wireless Networks 6 (2000), sections 3.1 to 3.4, figures 2 and 4. **Reconstructed** where the
//! paper is silent.
//!
//! ```text
//! CPCS-PDU        | BTag 1 | Length 2 | payload | ETag 1 |
//! CP-ARQ PDU      | SN 2 | a piece of the CPCS-PDU | pad 0-47 | CRC-16 |
//! control packet  | BTag 1 | MSN 2 | LI 2 | BMAP | pad 0-47 | ETag 1 | CRC-16 |
//! ```
//! CP-ARQ PDUs and control packets fill whole cells; the AAU bit marks the last one (see
//! [`crate::sar`]). Tags may also occur in data, so nothing is ever found by searching for a tag.
//!
//! The paper leaves open, and this implementation chooses:
//!
//! - **Byte order**: most significant octet first, most significant bit first, as in AAL5.
//! - **Length** counts the octets of the whole CPCS-PDU, including the tags and itself, as its name
//!   in section 3.1 says. The longest SDU has 65 531 octets.
//! - **Tags**: the "unique bit sequence" of each CPCS-PDU is a count modulo 256, the same in BTag
//!   and ETag. The receiver knows the next tag and accepts no other.
//! - **A CP-ARQ PDU never spans two CPCS-PDUs.** It has no length field: the CPCS length determines
//!   where the pad of the last PDU begins. Pad octets are the complement of the octet before them,
//!   the ETag, so that a wrong length that ends in the pad never finds the tag. The pad of a
//!   control packet is 0. Receivers ignore pads; the CRC covers them.
//! - **The pad** has up to 47 octets. The paper's 0 to 43 is right for a last PDU of one cell. A
//!   last PDU of several cells whose piece is 1 to 4 octets too long for one cell fewer (45 octets
//!   in two cells) needs 44 to 47.
//! - **CRC-16**: x^16 + x^12 + x^5 + 1, the ITU-T polynomial (V.41, X.25), not reflected, start and
//!   end inverted. It detects every odd number of wrong bits, every burst of up to 16 bits, and up
//!   to three wrong bits within 32 751 bits (4 093 octets; the longest PDU of Table 1 has 720).
//!   Because of the start value, a string of zeros is not a valid PDU, and lost leading zeros are
//!   detected. Longer bursts pass with probability 2^-16 = 0.0015 %, the paper's figure, which
//!   holds for any 16-bit CRC.
//! - **[`Connection`]**: a cell misinserted into another AAL-T connection can be a complete PDU
//!   with a correct CRC and a plausible SN, which no check of the paper would detect. A number
//!   agreed at connection setup is added to each check, so that intact PDUs of other connections
//!   are always refused. 0 gives the plain CRC.
//! - **Control packets have no type field.** A constant is added to their check, so that an intact
//!   data PDU is never taken for a control packet or vice versa, even if both directions of data
//!   share one virtual channel. A damaged one is with probability 2^-16, whatever the constant:
//!   a single wrong octet gives 64 500 of the 65 535 remainders within 720 octets.
//! - **MSN** is the first SN not received; all earlier ones were. Bit i of BMAP stands for MSN + i,
//!   up to the last PDU received, so the first bit is 0 and the last bit 1; decoders refuse
//!   anything else. Without gaps LI is 0.
//! - **The tag of a control packet** is that of the first CPCS-PDU not delivered: it acknowledges
//!   all earlier ones.

pub mod bit_errors;
pub mod control;
pub mod cp_arq;
pub mod cpcs;
mod number;
pub mod payload;
pub mod s_arq;
pub mod table_1;

pub use number::{SequenceNumber, Tag};

use crate::check;

/// The number of a connection, agreed by both ends and added to all its checks. The default, 0,
/// gives the plain CRC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Connection(pub u16);

/// The reason why a PDU was dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PduError {
    /// Empty, or not a multiple of 48 octets.
    Size,
    /// The CRC-16 is wrong: bit errors, a lost or misinserted cell, or a PDU of another type or
    /// connection.
    Crc,
    /// The fields are inconsistent although the CRC is correct.
    Fields,
}

impl core::fmt::Display for PduError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            PduError::Size => "the PDU is not a whole number of cells",
            PduError::Crc => "the CRC-16 is wrong",
            PduError::Fields => "the fields of the PDU are inconsistent",
        })
    }
}

impl core::error::Error for PduError {}

/// Constant added to the check of a control packet.
const CONTROL: u16 = 0x5AA5;

/// Octets of the check.
const CHECK_OCTETS: usize = 2;

/// Appends the check to a PDU.
fn seal(pdu: &mut Vec<u8>, added: u16) {
    let crc = check::crc16(pdu) ^ added;
    pdu.extend_from_slice(&crc.to_be_bytes());
}

/// The octets covered by the check, if it is correct.
fn open(pdu: &[u8], added: u16) -> Result<&[u8], PduError> {
    if pdu.is_empty() || !pdu.len().is_multiple_of(crate::cell::PAYLOAD_OCTETS) {
        return Err(PduError::Size);
    }
    let (covered, crc) = pdu.split_last_chunk::<CHECK_OCTETS>().ok_or(PduError::Size)?;
    if check::crc16(covered) ^ added == u16::from_be_bytes(*crc) {
        Ok(covered)
    } else {
        Err(PduError::Crc)
    }
}
