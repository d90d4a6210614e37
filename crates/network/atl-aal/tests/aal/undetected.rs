//! Errors that CRC-16 does not detect, against theory (paper, scenario 7: "the undetected error
//! probability of burst errors of length larger than 17 is 0.0015%").
//!
//! An error passes if it is a multiple of the generator g(x) = x^16 + x^12 + x^5 + 1 = (x + 1)
//! p(x), p primitive of degree
//! 15. So bursts of up to 16 bits, odd numbers of wrong bits, and up to three wrong bits within 32
//! 767 never pass. One in 2^15 bursts of 17 bits passes, and one in 2^16 longer ones. Reordered
//! cells keep the parity of the ones, so the factor x + 1 does not help, and one in 2^15 passes:
//! twice the figure in the paper.

use atl_aal::aalt::cp_arq;
use atl_aal::aalt::{Connection, PduError, SequenceNumber};

use crate::random::{Random, flip};

const CONNECTION: Connection = Connection(0x1F2E);

fn pdu(sn: u16, piece: &[u8]) -> Vec<u8> {
    let mut pdu = Vec::new();
    cp_arq::encode(SequenceNumber(sn), piece, CONNECTION, &mut pdu);
    pdu
}

fn passes(octets: &[u8]) -> bool {
    cp_arq::decode(octets, CONNECTION).is_ok()
}

/// The number of bursts of this length at bit `start` that pass, among all: first and last bit
/// wrong, any pattern between.
fn bursts_that_pass(length: u32, start: usize) -> u32 {
    let mut wrong = pdu(77, &[0xB6; 100]);
    let first = start / 8;
    let right = wrong[first..first + 4].to_vec();
    let right = u32::from_be_bytes(right.try_into().unwrap());
    let mut passed = 0;
    for between in 0..1_u32 << (length - 2) {
        let burst = 1 << (length - 1) | between << 1 | 1;
        let burst = burst << (32 - length) >> (start % 8);
        wrong[first..first + 4].copy_from_slice(&(right ^ burst).to_be_bytes());
        passed += u32::from(passes(&wrong));
    }
    passed
}

#[test]
fn no_burst_of_up_to_16_bits_passes() {
    for length in 2..=16 {
        assert_eq!(bursts_that_pass(length, 0) + bursts_that_pass(length, 205), 0, "{length}");
    }
}

/// 17 bits: only the generator, 1 in 2^15. 18 bits: g(x)(x + 1), 1 in 2^16. 19 bits: g(x)(x^2 + 1)
/// and g(x)(x^2 + x + 1), 2 in 2^17. From 18 bits on the fraction is 2^-16.
#[test]
fn only_multiples_of_the_generator_pass_among_longer_bursts() {
    for start in [0, 205] {
        for (length, multiples) in [(17, 1), (18, 1), (19, 2), (20, 4), (21, 8)] {
            assert_eq!(bursts_that_pass(length, start), multiples, "{length} bits from {start}");
        }
    }
}

#[test]
fn no_two_bits_pass_in_any_pdu_of_table_1() {
    let mut wrong = pdu(3, &[0x11; 44]);
    for first in 0..384 {
        flip(&mut wrong, first);
        for second in first + 1..384 {
            flip(&mut wrong, second);
            assert!(!passes(&wrong), "{first} and {second}");
            flip(&mut wrong, second);
        }
        flip(&mut wrong, first);
    }
    // All distances in the longest PDU.
    let mut wrong = pdu(3, &[0x11; 716]);
    flip(&mut wrong, 0);
    for second in 1..wrong.len() * 8 {
        flip(&mut wrong, second);
        assert!(!passes(&wrong), "0 and {second}");
        flip(&mut wrong, second);
    }
}

/// The order of x modulo g is 32 767: two bits at this distance are the first to pass. No PDU of
/// Table 1 is that long.
#[test]
fn two_bits_pass_only_at_a_distance_of_32_767() {
    let right = pdu(3, &[0x77; 4140]);
    for (distance, pass) in [(32_766, false), (32_767, true), (32_768, false)] {
        let mut wrong = right.clone();
        flip(&mut wrong, 100);
        flip(&mut wrong, 100 + distance);
        assert_eq!(passes(&wrong), pass, "{distance}");
    }
}

#[test]
fn no_odd_number_of_bits_passes_and_no_three() {
    let mut random = Random(5);
    for cells in [1, 5, 15] {
        let mut piece = vec![0; cells * 48 - 4];
        random.fill(&mut piece);
        let right = pdu(9, &piece);
        for trial in 0..40_000 {
            let bits = if trial % 2 == 0 { 3 } else { 3 + 2 * random.below(40) };
            let mut wrong = right.clone();
            let mut flipped = std::collections::BTreeSet::new();
            while flipped.len() < bits {
                flipped.insert(random.below(right.len() * 8));
            }
            flipped.iter().for_each(|bit| flip(&mut wrong, *bit));
            assert!(!passes(&wrong), "{bits} bits");
        }
    }
}

/// Damage to a PDU of several cells.
#[derive(Debug, Clone, Copy)]
enum Damage {
    /// A burst of 18 or more bits: both ends wrong, and half of the bits between.
    Burst,
    /// The payload of one cell replaced.
    Replaced,
    /// A cell of another connection inserted.
    Inserted,
    /// The last cell lost, so that the rest merges with the next PDU (scenario 3).
    LastLost,
    /// The first and the last cell lost, merged with the next PDU (scenario 4).
    FirstAndLastLost,
    /// A middle cell lost.
    MiddleLost,
    /// Two cells, each in the other's place.
    Swapped,
}

impl Damage {
    const ALL: [Damage; 7] = [
        Damage::Burst,
        Damage::Replaced,
        Damage::Inserted,
        Damage::LastLost,
        Damage::FirstAndLastLost,
        Damage::MiddleLost,
        Damage::Swapped,
    ];

    /// The fraction that passes in theory.
    fn expected(self) -> f64 {
        match self {
            Damage::Swapped => 2.0_f64.powi(-15),
            _ => 2.0_f64.powi(-16),
        }
    }

    /// The number of damaged PDUs that pass in `trials` trials, each with fresh random data.
    fn passed(self, trials: u64, seed: u64) -> u64 {
        const CELLS: usize = 3;
        let mut random = Random(seed);
        let mut piece = [0; CELLS * 48 - 4];
        let (mut first, mut second, mut other) = (Vec::new(), Vec::new(), [0; 48]);
        let mut struck: Vec<u8> = Vec::new();
        let mut passed = 0;
        for trial in 0..trials {
            random.fill(&mut piece);
            let sn = SequenceNumber(trial as u16);
            cp_arq::encode(sn, &piece, CONNECTION, &mut first);
            struck.clear();
            struck.extend(&first);
            match self {
                Damage::Burst => {
                    let length = 18 + random.below(first.len() * 8 - 17);
                    let start = random.below(first.len() * 8 - length + 1);
                    let (from, to) = (start / 8, (start + length).div_ceil(8));
                    let mut error = [0; CELLS * 48];
                    random.fill(&mut error[from..to]);
                    // No errors outside, and both ends wrong.
                    let end = start + length - 1;
                    error[from] &= 0xFF >> (start % 8);
                    error[to - 1] &= !(0x7F >> (end % 8));
                    error[from] |= 0x80 >> (start % 8);
                    error[to - 1] |= 0x80 >> (end % 8);
                    struck.iter_mut().zip(error).for_each(|(octet, error)| *octet ^= error);
                }
                Damage::Replaced | Damage::Inserted => {
                    random.fill(&mut other);
                    let at = random.below(CELLS) * 48;
                    let end = if matches!(self, Damage::Replaced) { at + 48 } else { at };
                    struck.splice(at..end, other);
                }
                Damage::LastLost | Damage::FirstAndLastLost => {
                    random.fill(&mut piece);
                    cp_arq::encode(sn.plus(1), &piece, CONNECTION, &mut second);
                    struck.truncate((CELLS - 1) * 48);
                    if matches!(self, Damage::FirstAndLastLost) {
                        struck.drain(..48);
                    }
                    struck.extend(&second);
                }
                Damage::MiddleLost => _ = struck.drain(48..96),
                Damage::Swapped => {
                    let at = random.below(CELLS - 1) * 48;
                    struck[at..at + 96].rotate_left(48);
                }
            }
            match cp_arq::decode(&struck, CONNECTION) {
                Ok(_) => passed += 1,
                Err(error) => assert_eq!(error, PduError::Crc),
            }
        }
        passed
    }
}

#[expect(clippy::print_stdout, reason = "the long run is for its counts")]
/// Each kind is within 4.5 standard deviations of a Poisson count, and the sum of all but `Swapped`
/// within 4.
fn held_to_theory(trials: u64) {
    let (mut sum, mut expected_sum) = (0, 0.0);
    for (i, damage) in Damage::ALL.into_iter().enumerate() {
        let passed = damage.passed(trials, 1000 + i as u64);
        let expected = trials as f64 * damage.expected();
        let off = (passed as f64 - expected) / expected.sqrt();
        println!(
            "{damage:?}: {passed} of {trials} passed, {expected:.1} expected ({off:+.1} deviations)"
        );
        assert!(off.abs() < 4.5, "{damage:?}: {passed}, {expected} expected");
        if !matches!(damage, Damage::Swapped) {
            sum += passed;
            expected_sum += expected;
        }
    }
    let off = (sum as f64 - expected_sum) / expected_sum.sqrt();
    assert!(off.abs() < 4.0, "{sum} in all, {expected_sum} expected");
}

#[test]
fn damage_passes_as_often_as_a_16_bit_check_allows() {
    held_to_theory(1_000_000);
}

/// `cargo test -p atl-aal --release --test aal -- --ignored --nocapture`
#[test]
#[ignore = "takes two minutes; the same test with sixty times as many PDUs"]
fn damage_passes_as_often_as_a_16_bit_check_allows_in_420_million_pdus() {
    held_to_theory(60_000_000);
}
