//! The three cyclic checks. All send the most significant bit first, as ATM does.

use crc::{CRC_8_I_432_1, Crc, Table};
use crc_fast::CrcAlgorithm;

/// x^8 + x^2 + x + 1, start 0, the coset 0x55 added (I.432.1 section 4.3.2).
static HEC: Crc<u8, Table<1>> = Crc::<u8, Table<1>>::new(&CRC_8_I_432_1);

/// The header error control octet of the header's first four octets.
pub(crate) fn hec(octets: &[u8]) -> u8 {
    HEC.checksum(octets)
}

/// The CRC-32 of AAL5 (I.363.5 section 9.2.1): 0x04C11DB7, start and end inverted, no reflection.
pub(crate) fn crc32(octets: &[u8]) -> u32 {
    // The width of the algorithm is 32: the upper half is zero.
    crc_fast::checksum(CrcAlgorithm::Crc32Bzip2, octets) as u32
}

/// The CRC-16 of AAL-T: x^16 + x^12 + x^5 + 1, start and end inverted, no reflection ("CRC-16/GENIBUS").
pub(crate) fn crc16(octets: &[u8]) -> u16 {
    // The width of the algorithm is 16: the rest is zero.
    crc_fast::checksum(CrcAlgorithm::Crc16Genibus, octets) as u16
}
