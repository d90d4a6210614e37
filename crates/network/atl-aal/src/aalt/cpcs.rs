//! The CPCS-PDU (paper, section 3.1, Fig. 2): the unit of delivery, protected by tags and a length.

use super::Tag;

/// Octets of BTag and Length.
pub const HEADER_OCTETS: usize = 3;
/// Octets of the header and of ETag.
pub const OVERHEAD_OCTETS: usize = 4;
/// Octets of the longest CPCS-PDU.
pub const MAX_PDU_OCTETS: usize = u16::MAX as usize;
/// Octets of the longest SDU.
pub const MAX_SDU_OCTETS: usize = MAX_PDU_OCTETS - OVERHEAD_OCTETS;

/// The SDU is too long for the length field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong {
    /// Length of the SDU in octets.
    pub octets: usize,
}

impl core::fmt::Display for TooLong {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "the SDU has {} octets; AAL-T allows at most {MAX_SDU_OCTETS}", self.octets)
    }
}

impl core::error::Error for TooLong {}

/// The reason why a CPCS-PDU must be retransmitted as a whole (paper, section 3.4, scenarios 6 and
/// 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CpcsError {
    /// BTag is not the expected tag, or the header is incomplete.
    BTag,
    /// The length field is below 4, or does not match the octets received.
    Length,
    /// There is no ETag where the length puts it.
    ETag,
}

impl core::fmt::Display for CpcsError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            CpcsError::BTag => "the PDU does not start with the expected tag",
            CpcsError::Length => "the length does not match the octets received",
            CpcsError::ETag => "there is no end tag where the length puts it",
        })
    }
}

impl core::error::Error for CpcsError {}

/// Builds the CPCS-PDU of an SDU.
///
/// # Errors
/// If the SDU is longer than [`MAX_SDU_OCTETS`].
pub fn encode(tag: Tag, sdu: &[u8]) -> Result<Vec<u8>, TooLong> {
    let length =
        u16::try_from(sdu.len() + OVERHEAD_OCTETS).map_err(|_| TooLong { octets: sdu.len() })?;
    let mut pdu = Vec::with_capacity(usize::from(length));
    pdu.push(tag.0);
    pdu.extend_from_slice(&length.to_be_bytes());
    pdu.extend_from_slice(sdu);
    pdu.push(tag.0);
    Ok(pdu)
}

/// The length in octets of the expected CPCS-PDU, from its first octets.
///
/// # Errors
/// If the tag is not `expected`, or the length is impossible.
pub fn length(expected: Tag, octets: &[u8]) -> Result<usize, CpcsError> {
    let Some(&[tag, high, low]) = octets.first_chunk() else { return Err(CpcsError::BTag) };
    if tag != expected.0 {
        return Err(CpcsError::BTag);
    }
    let length = usize::from(u16::from_be_bytes([high, low]));
    if length < OVERHEAD_OCTETS { Err(CpcsError::Length) } else { Ok(length) }
}

/// The SDU of a reassembled CPCS-PDU, which may be followed by up to `pad` octets of padding.
///
/// # Errors
/// If a tag or the length does not match the octets. This is the last check before delivery.
pub fn decode(expected: Tag, octets: &[u8], pad: usize) -> Result<&[u8], CpcsError> {
    let length = length(expected, octets)?;
    match octets.len().checked_sub(length) {
        Some(rest) if rest <= pad => {}
        _ => return Err(CpcsError::Length),
    }
    if octets[length - 1] != expected.0 {
        return Err(CpcsError::ETag);
    }
    Ok(&octets[HEADER_OCTETS..length - 1])
}
