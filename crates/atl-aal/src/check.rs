//! The three cyclic checks. All send the most significant bit first, as ATM does.
//!
//! All tables and folding come from `crc` and `crc-fast`. What is done here is to hand them the octets as they like them
//! best: a check that starts at 0 does not see zeros in front, and a start value other than 0 is the same as inverting
//! the first octets. So a short PDU is filled up with zeros *in front*, to 16 octets for the tables of `crc` and to 256 for the
//! widest lanes of `crc-fast`, both of which take the rest of a division much more slowly (docs/performance.md).

use crate::cell::size::PAYLOAD_OCTETS;
use crc::{CRC_8_I_432_1, CRC_16_XMODEM, CRC_32_CKSUM, Crc, Table};
use crc_fast::CrcAlgorithm;

/// x^8 + x^2 + x + 1, start 0, the coset 0x55 added (I.432.1 section 4.3.2).
const HEC: Crc<u8, Table<1>> = Crc::<u8, Table<1>>::new(&CRC_8_I_432_1);
/// The check of four octets of zero: the coset.
const COSET: u8 = HEC.checksum(&[0; 4]);
/// What each octet at each of the four places adds: the check is linear, so that the four need not wait for each other.
static HEC_OF_OCTET: [[u8; 256]; 4] = hec_of_octet();

const fn hec_of_octet() -> [[u8; 256]; 4] {
    let mut tables = [[0; 256]; 4];
    let mut place = 0;
    while place < 4 {
        let mut value = 0;
        while value < 256 {
            let mut octets = [0; 4];
            octets[place] = value as u8;
            tables[place][value] = HEC.checksum(&octets) ^ COSET;
            value += 1;
        }
        place += 1;
    }
    tables
}

/// The header error control octet of the header's first four octets.
pub(crate) fn hec([a, b, c, d]: [u8; 4]) -> u8 {
    let [at_0, at_1, at_2, at_3] = &HEC_OF_OCTET;
    at_0[usize::from(a)]
        ^ at_1[usize::from(b)]
        ^ at_2[usize::from(c)]
        ^ at_3[usize::from(d)]
        ^ COSET
}

/// x^16 + x^12 + x^5 + 1 and AAL5's polynomial, both started at 0.
static CRC_16: Crc<u16, Table<16>> = Crc::<u16, Table<16>>::new(&CRC_16_XMODEM);
static CRC_32: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_CKSUM);

/// From here on up to [`FOLD_STEP`] filling up to that is.
const BEYOND_TABLE: usize = LONGEST_BY_TABLE + 1;
/// Octets that the tables of `crc` take at once.
const TABLE_STEP: usize = 16;
/// Octets that `crc-fast` folds at once.
const FOLD_STEP: usize = 256;
/// Up to so many octets the tables are the fastest.
const LONGEST_BY_TABLE: usize = 3 * PAYLOAD_OCTETS;

/// At the begin of a cache line: elsewhere on the stack `crc-fast`'s wide loads cross lines and stores, at twice the cost.
#[repr(align(64))]
struct Aligned<const N: usize>([u8; N]);

/// `octets` with zeros in front, the first `START` of them inverted. They have to fit and be as many.
fn filled<const N: usize, const START: usize>(octets: &[u8]) -> Aligned<N> {
    let mut filled = Aligned([0; N]);
    let place = &mut filled.0[N - octets.len()..];
    let (first, rest) = place.split_at_mut(START);
    first.iter_mut().zip(octets).for_each(|(place, octet)| *place = !octet);
    rest.copy_from_slice(&octets[START..]);
    filled
}

/// The part of a [`filled`] array that the tables of `crc` need to see.
fn whole_steps(filled: &[u8; LONGEST_BY_TABLE], octets: usize) -> &[u8] {
    &filled[LONGEST_BY_TABLE - octets.next_multiple_of(TABLE_STEP)..]
}

/// The CRC-32 of AAL5 (I.363.5 section 9.2.1): 0x04C11DB7, start and end inverted, no reflection.
pub(crate) fn crc32(octets: &[u8]) -> u32 {
    let started_at_0 = |octets: &[u8]| crc_fast::checksum(CrcAlgorithm::Crc32Cksum, octets);
    // The width of the algorithm is 32: the upper half is zero.
    match octets.len() {
        4..=LONGEST_BY_TABLE => {
            CRC_32.checksum(whole_steps(&filled::<LONGEST_BY_TABLE, 4>(octets).0, octets.len()))
        }
        BEYOND_TABLE..=FOLD_STEP => started_at_0(&filled::<FOLD_STEP, 4>(octets).0) as u32,
        _ => crc_fast::checksum(CrcAlgorithm::Crc32Bzip2, octets) as u32,
    }
}

/// The CRC-16 of AAL-T: x^16 + x^12 + x^5 + 1, start and end inverted, no reflection ("CRC-16/GENIBUS").
pub(crate) fn crc16(octets: &[u8]) -> u16 {
    let started_at_0 = |octets: &[u8]| crc_fast::checksum(CrcAlgorithm::Crc16Xmodem, octets);
    // The width of the algorithm is 16: the rest is zero.
    match octets.len() {
        2..=LONGEST_BY_TABLE => {
            !CRC_16.checksum(whole_steps(&filled::<LONGEST_BY_TABLE, 2>(octets).0, octets.len()))
        }
        BEYOND_TABLE..=FOLD_STEP => !(started_at_0(&filled::<FOLD_STEP, 2>(octets).0) as u16),
        _ => crc_fast::checksum(CrcAlgorithm::Crc16Genibus, octets) as u16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crc::{CRC_16_GENIBUS, CRC_32_BZIP2};

    /// Every way that the length chooses against a table of 256, octet by octet.
    #[test]
    fn every_length_has_the_check_of_the_plain_algorithm() {
        const PLAIN_16: Crc<u16, Table<1>> = Crc::<u16, Table<1>>::new(&CRC_16_GENIBUS);
        const PLAIN_32: Crc<u32, Table<1>> = Crc::<u32, Table<1>>::new(&CRC_32_BZIP2);
        let octets: Vec<u8> = (0..1600_u32).map(|i| (i * i % 251) as u8).collect();
        for length in 0..octets.len() {
            for place in [0, octets.len() - length] {
                let octets = &octets[place..place + length];
                assert_eq!(crc16(octets), PLAIN_16.checksum(octets), "{length} octets");
                assert_eq!(crc32(octets), PLAIN_32.checksum(octets), "{length} octets");
            }
        }
    }

    #[test]
    fn the_header_by_four_tables_is_the_header_by_one() {
        for i in 0..100_000_u32 {
            let octets = i.wrapping_mul(2_654_435_761).to_be_bytes();
            assert_eq!(hec(octets), HEC.checksum(&octets));
        }
    }
}
