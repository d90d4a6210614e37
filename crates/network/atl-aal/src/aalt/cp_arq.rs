//! The CP-ARQ PDU (paper, section 3.2, Fig. 2): the unit that is numbered, checked and
//! retransmitted.

use super::cpcs::MAX_PDU_OCTETS as MAX_CPCS_OCTETS;
use super::{CHECK_OCTETS, Connection, PduError, SequenceNumber, open, seal};
use crate::cell::PAYLOAD_OCTETS as CELL_PAYLOAD;

/// Octets of SN and CRC.
pub const OVERHEAD_OCTETS: usize = 4;
/// Octets of the longest pad; [`crate::aalt`] explains why it is not the paper's 43.
pub const MAX_PAD_OCTETS: usize = CELL_PAYLOAD - 1;
/// Octets of the longest CP-ARQ PDU: an entire CPCS-PDU in one piece (paper, section 5.3).
pub const MAX_PDU_OCTETS: usize =
    (MAX_CPCS_OCTETS + OVERHEAD_OCTETS).next_multiple_of(CELL_PAYLOAD);

/// A CP-ARQ PDU with a correct CRC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CpArq<'a> {
    /// Sequence number, in the order of first transmission; wraps at 65 536.
    pub sn: SequenceNumber,
    /// A piece of a CPCS-PDU; the last piece includes the pad.
    pub payload: &'a [u8],
}

/// Writes the PDU of a piece of a CPCS-PDU into `pdu`, which is cleared first. The result fills
/// whole cells.
pub fn encode(sn: SequenceNumber, piece: &[u8], connection: Connection, pdu: &mut Vec<u8>) {
    pdu.clear();
    let whole = (piece.len() + OVERHEAD_OCTETS).next_multiple_of(CELL_PAYLOAD);
    pdu.reserve(whole);
    pdu.extend_from_slice(&sn.0.to_be_bytes());
    pdu.extend_from_slice(piece);
    // Differs from the tag that ends the CPCS-PDU: a wrong length that reaches into the pad finds
    // no ETag there.
    let fill = !piece.last().copied().unwrap_or(u8::MAX);
    pdu.resize(whole - CHECK_OCTETS, fill);
    seal(pdu, connection.0);
}

/// Checks a PDU.
///
/// # Errors
/// If it does not fill whole cells or its CRC is wrong.
pub fn decode(pdu: &[u8], connection: Connection) -> Result<CpArq<'_>, PduError> {
    let (sn, payload) = open(pdu, connection.0)?.split_first_chunk().ok_or(PduError::Size)?;
    Ok(CpArq { sn: SequenceNumber(u16::from_be_bytes(*sn)), payload })
}

/// The number in a PDU, unchecked.
pub fn claimed_number(pdu: &[u8]) -> Option<SequenceNumber> {
    pdu.first_chunk().map(|sn| SequenceNumber(u16::from_be_bytes(*sn)))
}
