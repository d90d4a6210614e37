//! The three cyclic redundancy checks. All process the most significant bit first, as ATM does.
//!
//! `crc` and `crc-fast` provide tables and folding; this file passes them octets in the form that
//! is fastest. A check that starts at 0 ignores leading zeros, and a start value of all ones is the
//! same as inverting the first octets. So a short PDU is padded with *leading* zeros, to a multiple
//! of 16 octets for the tables of `crc` and to 256 for the widest lanes of `crc-fast`. Both are
//! much slower for a remainder (docs/performance.md).

use crate::cell::size::PAYLOAD_OCTETS;
use crc::{CRC_8_I_432_1, CRC_16_XMODEM, CRC_32_CKSUM, Crc, Table};
use crc_fast::CrcAlgorithm;

/// x^8 + x^2 + x + 1, start 0, the coset 0x55 added (I.432.1 section 4.3.2).
const HEC: Crc<u8, Table<1>> = Crc::<u8, Table<1>>::new(&CRC_8_I_432_1);
/// The check of four zero octets: the coset.
const COSET: u8 = HEC.checksum(&[0; 4]);
/// The contribution of each octet at each of the four positions. The check is linear, so the four
/// lookups are independent of each other.
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

/// The header error control octet for the header's first four octets.
pub(crate) fn hec([a, b, c, d]: [u8; 4]) -> u8 {
    let [at_0, at_1, at_2, at_3] = &HEC_OF_OCTET;
    at_0[usize::from(a)]
        ^ at_1[usize::from(b)]
        ^ at_2[usize::from(c)]
        ^ at_3[usize::from(d)]
        ^ COSET
}

/// x^16 + x^12 + x^5 + 1 and AAL5's polynomial, both with start value 0.
static CRC_16: Crc<u16, Table<16>> = Crc::<u16, Table<16>>::new(&CRC_16_XMODEM);
static CRC_32: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&CRC_32_CKSUM);

/// From this length to [`FOLD_STEP`], padding to the latter is fastest.
const BEYOND_TABLE: usize = LONGEST_BY_TABLE + 1;
/// Octets that the tables of `crc` process at once.
const TABLE_STEP: usize = 16;
/// Octets that `crc-fast` folds at once.
const FOLD_STEP: usize = 256;
/// Up to this length the tables are fastest.
const LONGEST_BY_TABLE: usize = 3 * PAYLOAD_OCTETS;

/// Aligned to a cache line: elsewhere on the stack the wide loads of `crc-fast` cross lines and
/// earlier stores, at twice the cost.
#[repr(align(64))]
struct Aligned<const N: usize>([u8; N]);

/// `octets` after leading zeros, the first `START` of them inverted. There must be at least `START`
/// and at most `N`.
fn filled<const N: usize, const START: usize>(octets: &[u8]) -> Aligned<N> {
    let mut filled = Aligned([0; N]);
    let place = &mut filled.0[N - octets.len()..];
    let (first, rest) = place.split_at_mut(START);
    first.iter_mut().zip(octets).for_each(|(place, octet)| *place = !octet);
    rest.copy_from_slice(&octets[START..]);
    filled
}

/// The part of a [`filled`] array that the tables of `crc` have to process.
fn whole_steps(filled: &[u8; LONGEST_BY_TABLE], octets: usize) -> &[u8] {
    &filled[LONGEST_BY_TABLE - octets.next_multiple_of(TABLE_STEP)..]
}

/// The CRC-32 of AAL5 (I.363.5 section 9.2.1): 0x04C11DB7, start and end inverted, no reflection.
pub(crate) fn crc32(octets: &[u8]) -> u32 {
    let started_at_0 = |octets: &[u8]| crc_fast::checksum(CrcAlgorithm::Crc32Cksum, octets);
    // The algorithm has 32 bits: the upper half is zero.
    match octets.len() {
        4..=LONGEST_BY_TABLE => {
            CRC_32.checksum(whole_steps(&filled::<LONGEST_BY_TABLE, 4>(octets).0, octets.len()))
        }
        BEYOND_TABLE..=FOLD_STEP => started_at_0(&filled::<FOLD_STEP, 4>(octets).0) as u32,
        _ => crc_fast::checksum(CrcAlgorithm::Crc32Bzip2, octets) as u32,
    }
}

/// The CRC-16 of AAL-T: x^16 + x^12 + x^5 + 1, start and end inverted, no reflection
/// ("CRC-16/GENIBUS").
pub(crate) fn crc16(octets: &[u8]) -> u16 {
    let started_at_0 = |octets: &[u8]| crc_fast::checksum(CrcAlgorithm::Crc16Xmodem, octets);
    // The algorithm has 16 bits: the rest is zero.
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

    /// Every branch on the length against a table of 256 entries, octet by octet.
    #[test]
    fn the_check_equals_the_plain_algorithm_at_every_length() {
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
    fn four_tables_give_the_same_header_check_as_one() {
        for i in 0..100_000_u32 {
            let octets = i.wrapping_mul(2_654_435_761).to_be_bytes();
            assert_eq!(hec(octets), HEC.checksum(&octets));
        }
    }
}
