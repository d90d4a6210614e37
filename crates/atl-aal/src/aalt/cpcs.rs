//! The CPCS-PDU (paper, section 3.1, Fig. 2): what is delivered whole, guarded by tags and a length.

use super::Tag;

/// Octets of BTag and Length.
pub const HEADER_OCTETS: usize = 3;
/// Octets of the header and of ETag.
pub const OVERHEAD_OCTETS: usize = 4;
/// Octets of the longest CPCS-PDU.
pub const MAX_PDU_OCTETS: usize = u16::MAX as usize;
/// Octets of the longest SDU.
pub const MAX_SDU_OCTETS: usize = MAX_PDU_OCTETS - OVERHEAD_OCTETS;

/// The SDU is longer than the length field can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong {
    /// Its octets.
    pub octets: usize,
}

impl core::fmt::Display for TooLong {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} octets are more than AAL-T's longest SDU, {MAX_SDU_OCTETS}", self.octets)
    }
}

impl core::error::Error for TooLong {}

/// Why a CPCS-PDU is to be retransmitted as a whole (paper, section 3.4, scenarios 6 and 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CpcsError {
    /// BTag is not the tag expected, or not all of the header is there.
    BTag,
    /// The length is shorter than tags and itself, or does not agree with the octets received.
    Length,
    /// ETag does not stand where the length says.
    ETag,
}

impl core::fmt::Display for CpcsError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            CpcsError::BTag => "not the tag expected",
            CpcsError::Length => "the length does not agree with what came",
            CpcsError::ETag => "no tag where the length puts the end",
        })
    }
}

impl core::error::Error for CpcsError {}

/// The CPCS-PDU of an SDU.
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

/// The length that a CPCS-PDU's first octets tell, in octets, if they are those of the one expected.
///
/// # Errors
/// If the tag is another or the length impossible.
pub fn length(expected: Tag, octets: &[u8]) -> Result<usize, CpcsError> {
    let Some(&[tag, high, low]) = octets.first_chunk() else { return Err(CpcsError::BTag) };
    if tag != expected.0 {
        return Err(CpcsError::BTag);
    }
    let length = usize::from(u16::from_be_bytes([high, low]));
    if length < OVERHEAD_OCTETS { Err(CpcsError::Length) } else { Ok(length) }
}

/// The SDU of a CPCS-PDU put together from its pieces, followed by at most `pad` octets of padding.
///
/// # Errors
/// If a tag or the length contradicts the octets: the final gate before delivery.
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
