//! The control packet (paper, section 3.2.1, Fig. 4): the receiver's status.

use super::{CHECK_OCTETS, CONTROL, Connection, PduError, SequenceNumber, Tag, open, seal};
use crate::cell::PAYLOAD_OCTETS as CELL_PAYLOAD;

/// Octets of all fields except BMAP and pad.
const FIXED_OCTETS: usize = 8;
/// Octets of BTag, MSN and LI.
const FRONT_OCTETS: usize = 5;
/// Bits of the longest BMAP: half the sequence number space.
pub const MAX_BITS: usize = 1 << 15;
/// Octets of the longest control packet.
pub const MAX_PDU_OCTETS: usize = (FIXED_OCTETS + MAX_BITS / 8).next_multiple_of(CELL_PAYLOAD);

/// A status report of the receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Control<'a> {
    /// Tag of the first CPCS-PDU not yet delivered.
    pub tag: Tag,
    /// Number of the first CP-ARQ PDU not yet received.
    pub msn: SequenceNumber,
    /// The PDUs received after it.
    pub bitmap: BitMap<'a>,
}

/// One bit per CP-ARQ PDU from MSN on: 1 if received. Either empty, or the first bit is 0 and the
/// last one 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BitMap<'a> {
    octets: &'a [u8],
    bits: usize,
}

impl<'a> BitMap<'a> {
    /// The first `bits` bits of `octets`, most significant first.
    ///
    /// # Errors
    /// If `octets` does not have exactly the octets needed, the first bit is 1, the last bit is 0,
    /// or there are more than [`MAX_BITS`].
    pub fn new(octets: &'a [u8], bits: usize) -> Result<Self, PduError> {
        let map = BitMap { octets, bits };
        let right_size = bits <= MAX_BITS && octets.len() == bits.div_ceil(8);
        if right_size && (bits == 0 || (!map.is_set(0) && map.is_set(bits - 1))) {
            Ok(map)
        } else {
            Err(PduError::Fields)
        }
    }

    /// The number of PDUs covered.
    pub const fn len(&self) -> usize {
        self.bits
    }

    /// True if MSN is the only gap: nothing arrived after it.
    pub const fn is_empty(&self) -> bool {
        self.bits == 0
    }

    /// True if MSN + `i` was received; false beyond the last bit.
    pub fn is_set(&self, i: usize) -> bool {
        i < self.bits && self.octets.get(i / 8).is_some_and(|octet| octet & 0x80 >> (i % 8) != 0)
    }
}

impl Control<'_> {
    /// Writes the packet into `pdu`, which is cleared first. The result fills whole cells.
    pub fn encode(&self, connection: Connection, pdu: &mut Vec<u8>) {
        pdu.clear();
        let whole = (FIXED_OCTETS + self.bitmap.octets.len()).next_multiple_of(CELL_PAYLOAD);
        pdu.reserve(whole);
        pdu.push(self.tag.0);
        pdu.extend_from_slice(&self.msn.0.to_be_bytes());
        // A BitMap has at most 2^15 bits.
        pdu.extend_from_slice(&(self.bitmap.bits as u16).to_be_bytes());
        pdu.extend_from_slice(self.bitmap.octets);
        pdu.resize(whole - CHECK_OCTETS - 1, 0);
        pdu.push(self.tag.0);
        seal(pdu, connection.0 ^ CONTROL);
    }
}

/// Checks a control packet.
///
/// # Errors
/// If it does not fill whole cells, its CRC is wrong, its tags differ, or its bit map is invalid.
pub fn decode(pdu: &[u8], connection: Connection) -> Result<Control<'_>, PduError> {
    let covered = open(pdu, connection.0 ^ CONTROL)?;
    let (&[tag, msn_high, msn_low, li_high, li_low], rest) =
        covered.split_first_chunk::<FRONT_OCTETS>().ok_or(PduError::Size)?;
    let (etag, map_and_pad) = rest.split_last().ok_or(PduError::Size)?;
    let bits = usize::from(u16::from_be_bytes([li_high, li_low]));
    let octets = map_and_pad.get(..bits.div_ceil(8)).ok_or(PduError::Fields)?;
    if *etag != tag || map_and_pad.len() - octets.len() >= CELL_PAYLOAD {
        return Err(PduError::Fields);
    }
    Ok(Control {
        tag: Tag(tag),
        msn: SequenceNumber(u16::from_be_bytes([msn_high, msn_low])),
        bitmap: BitMap::new(octets, bits)?,
    })
}
