//! A cell as it is on the line.

use super::header::{Header, PayloadType};
use super::size::{CELL_OCTETS, HEADER_OCTETS, PAYLOAD_OCTETS};
use crate::check;

/// The 53 octets of a cell as they are on the line, with any errors.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cell([u8; CELL_OCTETS]);

impl Cell {
    /// A cell with a correct HEC.
    pub fn new(header: Header, payload: &[u8; PAYLOAD_OCTETS]) -> Self {
        Cell::from_parts(header.encode(), payload)
    }

    /// A cell from the octets of a header, taken as they are, and a payload.
    pub(crate) fn from_parts(header: [u8; HEADER_OCTETS], payload: &[u8; PAYLOAD_OCTETS]) -> Self {
        let mut octets = [0; CELL_OCTETS];
        let (front, back) = octets.split_at_mut(HEADER_OCTETS);
        front.copy_from_slice(&header);
        back.copy_from_slice(payload);
        Cell(octets)
    }

    /// The idle cell of the physical layer (I.432.1 section 4.3.4): header 00 00 00 01 52, payload
    /// 6A.
    pub fn idle() -> Self {
        let mut octets = [0x6A; CELL_OCTETS];
        octets[..4].copy_from_slice(&[0, 0, 0, 1]);
        octets[4] = check::hec([0, 0, 0, 1]);
        Cell(octets)
    }

    /// A cell from the octets on the line, unchecked: see [`HecReceiver`](super::HecReceiver).
    pub const fn from_octets(octets: [u8; CELL_OCTETS]) -> Self {
        Cell(octets)
    }

    /// The octets on the line.
    pub const fn octets(&self) -> &[u8; CELL_OCTETS] {
        &self.0
    }

    /// The fields of the header, unchecked.
    pub fn header(&self) -> Header {
        Header::decode(self.fields())
    }

    /// The payload type in the header, unchecked.
    pub const fn payload_type(&self) -> PayloadType {
        PayloadType::from_code(self.0[3] >> 1)
    }

    /// The octets of the header that the HEC covers.
    const fn fields(&self) -> [u8; 4] {
        let [a, b, c, d, ..] = self.0;
        [a, b, c, d]
    }

    /// The syndrome of the header: 0 if the HEC matches, otherwise the sum of the syndromes of the
    /// wrong bits.
    pub(super) fn syndrome(&self) -> u8 {
        check::hec(self.fields()) ^ self.0[4]
    }

    /// True if the HEC matches the other four octets of the header.
    pub fn header_is_intact(&self) -> bool {
        self.syndrome() == 0
    }

    /// The payload. The cell has no check over it.
    pub fn payload(&self) -> &[u8; PAYLOAD_OCTETS] {
        self.0.last_chunk().expect("a cell is longer than its payload")
    }

    /// Inverts one bit, from 0 to 423 in transmission order: a bit error of the channel.
    ///
    /// # Panics
    /// If `bit` is above 423.
    pub fn flip(&mut self, bit: usize) {
        self.0[bit / 8] ^= 0x80 >> (bit % 8);
    }

    /// The cell with another header, as a switch forwards it.
    pub fn relabelled(mut self, header: Header) -> Self {
        self.0[..HEADER_OCTETS].copy_from_slice(&header.encode());
        self
    }
}

impl core::fmt::Debug for Cell {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Cell")
            .field("header", &self.header())
            .field("intact", &self.header_is_intact())
            .finish_non_exhaustive()
    }
}
