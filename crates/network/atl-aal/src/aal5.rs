//! AAL5's common part convergence sublayer (ITU-T I.363.5 section 9.2.1).
//!
//! ```text
//! | payload 0-65535 | pad 0-47 | CPCS-UU 1 | CPI 1 | Length 2 | CRC-32 4 |
//! ```
//! The pad extends the PDU to a multiple of 48 octets, so that the trailer ends the last cell. The
//! CRC covers everything before it.

use crate::cell::PAYLOAD_OCTETS;
use crate::check;

/// Octets of the trailer.
pub const TRAILER_OCTETS: usize = 8;
/// Octets of the longest CPCS-SDU: the limit of the length field.
pub const MAX_SDU_OCTETS: usize = 65_535;
/// Octets of the longest CPCS-PDU.
pub const MAX_PDU_OCTETS: usize =
    (MAX_SDU_OCTETS + TRAILER_OCTETS).next_multiple_of(PAYLOAD_OCTETS);

/// The SDU is too long for the length field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong {
    /// Length of the SDU in octets.
    pub octets: usize,
}

impl core::fmt::Display for TooLong {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "the SDU has {} octets; AAL5 allows at most {MAX_SDU_OCTETS}", self.octets)
    }
}

impl core::error::Error for TooLong {}

/// The reason why a CPCS-PDU was dropped (I.363.5 section 9.2.1.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aal5Error {
    /// Empty, or not a multiple of 48 octets.
    Size,
    /// The CRC-32 is wrong.
    Crc,
    /// The common part indicator is not 0.
    Cpi,
    /// The length field does not leave a pad of 0 to 47 octets. Length 0 is
    /// [`Aborted`](Self::Aborted).
    Length,
    /// The sender aborted the PDU (length 0).
    Aborted,
}

impl core::fmt::Display for Aal5Error {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Aal5Error::Size => "the PDU is not a whole number of cells",
            Aal5Error::Crc => "the CRC-32 is wrong",
            Aal5Error::Cpi => "the common part indicator is not 0",
            Aal5Error::Length => "the length does not agree with the number of cells",
            Aal5Error::Aborted => "the sender aborted the PDU",
        })
    }
}

impl core::error::Error for Aal5Error {}

/// A CPCS-SDU and its user-to-user octet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Received<'a> {
    /// The user's octets, without pad and trailer.
    pub sdu: &'a [u8],
    /// CPCS user-to-user indication, carried transparently.
    pub user_to_user: u8,
}

/// Writes the CPCS-PDU of `sdu` into `pdu`, which is cleared first.
///
/// # Errors
/// If the SDU is longer than [`MAX_SDU_OCTETS`]; `pdu` is then empty.
pub fn encode(sdu: &[u8], user_to_user: u8, pdu: &mut Vec<u8>) -> Result<(), TooLong> {
    encode_with_cpi(sdu, user_to_user, 0, pdu)
}

/// Like [`encode`], with a common part indicator. Only 0 is defined; receivers drop PDUs with any
/// other.
///
/// # Errors
/// As [`encode`].
pub fn encode_with_cpi(
    sdu: &[u8],
    user_to_user: u8,
    cpi: u8,
    pdu: &mut Vec<u8>,
) -> Result<(), TooLong> {
    pdu.clear();
    let length = u16::try_from(sdu.len()).map_err(|_| TooLong { octets: sdu.len() })?;
    let whole = (sdu.len() + TRAILER_OCTETS).next_multiple_of(PAYLOAD_OCTETS);
    pdu.reserve(whole);
    pdu.extend_from_slice(sdu);
    pdu.resize(whole - TRAILER_OCTETS, 0);
    pdu.extend_from_slice(&[user_to_user, cpi]);
    pdu.extend_from_slice(&length.to_be_bytes());
    let crc = check::crc32(pdu);
    pdu.extend_from_slice(&crc.to_be_bytes());
    Ok(())
}

/// Checks a CPCS-PDU and returns its SDU.
///
/// # Errors
/// [`Aal5Error`] if a check fails; the PDU must be dropped.
pub fn decode(pdu: &[u8]) -> Result<Received<'_>, Aal5Error> {
    if pdu.is_empty() || !pdu.len().is_multiple_of(PAYLOAD_OCTETS) {
        return Err(Aal5Error::Size);
    }
    let Some((covered, crc)) = pdu.split_last_chunk::<4>() else { return Err(Aal5Error::Size) };
    if check::crc32(covered) != u32::from_be_bytes(*crc) {
        return Err(Aal5Error::Crc);
    }
    let Some((body, &[user_to_user, cpi, high, low])) = covered.split_last_chunk::<4>() else {
        return Err(Aal5Error::Size);
    };
    if cpi != 0 {
        return Err(Aal5Error::Cpi);
    }
    let length = usize::from(u16::from_be_bytes([high, low]));
    if length == 0 {
        return Err(Aal5Error::Aborted);
    }
    match body.len().checked_sub(length) {
        Some(pad) if pad < PAYLOAD_OCTETS => Ok(Received { sdu: &body[..length], user_to_user }),
        _ => Err(Aal5Error::Length),
    }
}
