//! AAL-T: an adaptation layer that retransmits, so that a TCP above needs to control congestion only.
//!
//! Source: Akyildiz, Joe, "A new ATM adaptation layer for TCP/IP over wireless ATM networks", Wireless Networks 6
//! (2000), sections 3.1 to 3.4, figures 2 and 4. **Reconstructed** where the paper is silent.
//!
//! ```text
//! CPCS-PDU        | BTag 1 | Length 2 | payload | ETag 1 |
//! CP-ARQ PDU      | SN 2 | a piece of the CPCS-PDU | pad 0-47 | CRC-16 |
//! control packet  | BTag 1 | MSN 2 | LI 2 | BMAP | pad 0-47 | ETag 1 | CRC-16 |
//! ```
//! A CP-ARQ PDU and a control packet fill whole cells; the AAU bit marks the last one (see [`crate::sar`]). Tags occur
//! in data too, so that nothing is ever found by searching for them.
//!
//! What the paper leaves open, and what was chosen:
//!
//! - **Octets**: numbers with the most significant octet first, bits with the most significant first, as in AAL5.
//! - **Length** counts the octets of the whole CPCS-PDU, tags and itself included, as its name in section 3.1 says. The
//!   longest SDU has 65 531 octets.
//! - **Tags**: "a unique bit sequence" for each CPCS-PDU is a count modulo 256, the same in BTag and ETag. The
//!   receiver knows which one comes next and takes no other.
//! - **A CP-ARQ PDU never spans two CPCS-PDUs.** It has no length of its own: the pad of a CPCS-PDU's last one is found
//!   by the CPCS length. Its octets are the complement of the last one before, ETag: a wrong length that ends in the
//!   pad never finds the tag there. A control packet's pad is 0. Receivers do not look at pads; the CRC covers them.
//! - **The pad** has up to 47 octets. The paper's 0 to 43 is right for a last PDU of one cell; one of several cells whose piece
//!   is 1 to 4 octets too long for a cell less (45 octets in two cells) needs 44 to 47.
//! - **CRC-16**: x^16 + x^12 + x^5 + 1, the ITU-T's (V.41, X.25), not reflected, start and end inverted. It detects every
//!   error of an odd number of bits, every burst of up to 16, and up to three wrong bits in 32 751 bits (4 093 octets; the
//!   longest PDU of Table 1 has 720). The start value makes a string of zeros no PDU, and lost leading zeros show.
//!   Longer bursts pass with 2^-16 = .0015 %, the paper's figure, which any CRC of 16 bits gives.
//! - **[`Connection`]**: a cell that the network misinserts into another AAL-T connection can be a whole PDU with a right
//!   CRC and a plausible SN; no check of the paper would see it. A number agreed upon when the connection is set up is
//!   added to each check, so that an intact PDU of another connection is always refused. 0 gives the plain CRC.
//! - **Control packets have no type field.** Their check has a constant added, so that an intact data PDU is never taken
//!   for one nor the other way round, also where both directions of data share one virtual channel.
//! - **MSN** is the first SN not received; every one before was. Bit i of BMAP stands for MSN + i up to the last one
//!   received, so its first bit is 0 and its last 1; decoders insist. Without gaps LI is 0.
//! - **The control packet's tag** is that of the first CPCS-PDU not delivered: all before are acknowledged as a whole.

pub mod bit_errors;
pub mod control;
pub mod cp_arq;
pub mod cpcs;
mod number;
pub mod payload;
pub mod s_arq;

pub use number::{SequenceNumber, Tag};

use crate::check;

/// The number of a connection that all its checks carry, agreed upon by both ends. The default, 0, leaves them plain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Connection(pub u16);

/// Why what looked like a PDU was dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PduError {
    /// Not a multiple of 48 octets, or none at all.
    Size,
    /// The CRC-16 does not agree: an error, a lost or foreign cell, or a PDU of another kind or connection.
    Crc,
    /// The fields contradict each other although the CRC agrees.
    Fields,
}

impl core::fmt::Display for PduError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            PduError::Size => "not whole cells",
            PduError::Crc => "CRC-16 is wrong",
            PduError::Fields => "the fields contradict each other",
        })
    }
}

impl core::error::Error for PduError {}

/// What is added to the check of a control packet.
const CONTROL: u16 = 0x5AA5;

/// Octets of the check.
const CHECK_OCTETS: usize = 2;

/// Ends a PDU with its check.
fn seal(pdu: &mut Vec<u8>, added: u16) {
    let crc = check::crc16(pdu) ^ added;
    pdu.extend_from_slice(&crc.to_be_bytes());
}

/// What the check covers, if it agrees.
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
