//! AAL5 against the examples in ITU-T I.363, and round trips.

use atl_aal::aal5::{self, Aal5Error, MAX_PDU_OCTETS, MAX_SDU_OCTETS};
use atl_aal::cell::Cell;
use atl_aal::sar::{Reassembled, Reassembler, segment};
use proptest::prelude::*;

fn pdu(sdu: &[u8]) -> Vec<u8> {
    let mut pdu = Vec::new();
    aal5::encode(sdu, 0, &mut pdu).unwrap();
    pdu
}

/// The three examples of I.363, and a fourth with other UU and CPI octets from the cell-relay list
/// (1994).
#[test]
fn the_examples_of_the_standard() {
    let counting: Vec<u8> = (1..=40).collect();
    for (sdu, uu, cpi, crc) in [
        (vec![0; 40], 0, 0, 0x864D_7F99_u32),
        (vec![0xFF; 40], 0, 0, 0xC55E_457A),
        (counting.clone(), 0, 0, 0xBF67_1ED0),
        (counting, 0x11, 0x22, 0xACBA_602A),
    ] {
        let mut pdu = Vec::new();
        aal5::encode_with_cpi(&sdu, uu, cpi, &mut pdu).unwrap();
        assert_eq!(pdu.len(), 48);
        assert_eq!(pdu[..40], sdu);
        assert_eq!(pdu[40..44], [uu, cpi, 0, 40]);
        assert_eq!(pdu[44..], crc.to_be_bytes());
        if cpi == 0 {
            assert_eq!(aal5::decode(&pdu).unwrap().sdu, sdu);
        } else {
            assert_eq!(aal5::decode(&pdu), Err(Aal5Error::Cpi));
        }
    }
}

#[test]
fn padding_only_fills_the_last_cell() {
    for (octets, cells) in [(1, 1), (40, 1), (41, 2), (88, 2), (89, 3), (9180, 192), (65_535, 1366)]
    {
        let pdu = pdu(&vec![7; octets]);
        assert_eq!(pdu.len(), cells * 48, "{octets} octets");
        assert!(pdu.len() <= MAX_PDU_OCTETS);
    }
    let mut buffer = Vec::new();
    assert!(aal5::encode(&vec![0; MAX_SDU_OCTETS + 1], 0, &mut buffer).is_err());
}

#[test]
fn a_length_that_does_not_fit_is_refused() {
    // An empty SDU looks like an abort; a long pad and a length beyond the PDU are errors.
    assert_eq!(aal5::decode(&pdu(&[])), Err(Aal5Error::Aborted));
    for length in [41_u16, 65_535] {
        let mut forged = pdu(&[1; 40]);
        forged[42..44].copy_from_slice(&length.to_be_bytes());
        assert_eq!(aal5::decode(&resigned(forged)), Err(Aal5Error::Length));
    }
    let mut forged = pdu(&[1; 80]);
    forged[90..92].copy_from_slice(&40_u16.to_be_bytes());
    assert_eq!(aal5::decode(&resigned(forged)), Err(Aal5Error::Length));
}

/// A PDU with its CRC recomputed bit by bit: an independent implementation of the check.
fn resigned(mut pdu: Vec<u8>) -> Vec<u8> {
    let end = pdu.len() - 4;
    let mut register = u32::MAX;
    for octet in &pdu[..end] {
        for bit in (0..8).rev() {
            let feedback = (register >> 31) ^ u32::from(octet >> bit & 1);
            register = register << 1 ^ if feedback == 1 { 0x04C1_1DB7 } else { 0 };
        }
    }
    pdu[end..].copy_from_slice(&(!register).to_be_bytes());
    pdu
}

#[test]
fn a_lost_last_cell_costs_two_pdus_and_no_more() {
    let (first, second, third) = (pdu(&[1; 100]), pdu(&[2; 100]), pdu(&[3; 100]));
    let mut reassembler = Reassembler::new(MAX_PDU_OCTETS);
    let mut seen = Vec::new();
    let cells: Vec<Cell> =
        [&first, &second, &third].into_iter().flat_map(|p| segment(0, 32, p).unwrap()).collect();
    for (i, cell) in cells.iter().enumerate() {
        if i == 2 {
            continue;
        }
        if let Reassembled::Pdu { pdu, .. } = reassembler.push(cell) {
            seen.push(aal5::decode(pdu).map(|r| r.sdu.to_vec()));
        }
    }
    assert_eq!(seen, [Err(Aal5Error::Crc), Ok(vec![3; 100])]);
}

#[test]
fn a_pdu_that_is_too_long_is_dropped_and_not_stored() {
    let long = pdu(&[1; 500]);
    let mut reassembler = Reassembler::new(96);
    let mut ends = Vec::new();
    for cell in segment(0, 32, &long).unwrap().chain(segment(0, 32, &pdu(&[9; 50])).unwrap()) {
        match reassembler.push(&cell) {
            Reassembled::Pending => {}
            Reassembled::TooLong => ends.push(None),
            Reassembled::Pdu { pdu, .. } => {
                ends.push(Some(aal5::decode(pdu).unwrap().sdu.to_vec()));
            }
        }
        assert!(reassembler.held() <= 96);
        assert_eq!(reassembler.is_idle(), cell.header().is_last());
    }
    assert_eq!(ends, [None, Some(vec![9; 50])]);
}

proptest! {
    #[test]
    fn an_sdu_survives_a_round_trip(sdu in prop::collection::vec(any::<u8>(), 1..3000), uu: u8) {
        let mut pdu = Vec::new();
        aal5::encode(&sdu, uu, &mut pdu).unwrap();
        prop_assert_eq!(&resigned(pdu.clone()), &pdu);
        let mut reassembler = Reassembler::new(MAX_PDU_OCTETS);
        let cells = segment(1, 99, &pdu).unwrap();
        let count = cells.len();
        for (i, cell) in cells.enumerate() {
            match reassembler.push(&cell) {
                Reassembled::Pdu { pdu, congested: false } => {
                    prop_assert_eq!(i + 1, count);
                    let received = aal5::decode(pdu).unwrap();
                    prop_assert_eq!(received.sdu, &sdu[..]);
                    prop_assert_eq!(received.user_to_user, uu);
                }
                other => prop_assert_eq!(other, Reassembled::Pending),
            }
        }
    }

    #[test]
    fn any_burst_of_up_to_32_bits_is_detected(
        sdu in prop::collection::vec(any::<u8>(), 1..400), start: prop::sample::Index, burst in 1_u32..
    ) {
        let mut wrong = pdu(&sdu);
        let bits = wrong.len() * 8;
        let start = start.index(bits);
        for offset in 0..32 {
            let bit = start + offset;
            if bit < bits && burst >> offset & 1 == 1 {
                wrong[bit / 8] ^= 0x80 >> (bit % 8);
            }
        }
        prop_assume!(wrong != pdu(&sdu));
        prop_assert_eq!(aal5::decode(&wrong), Err(Aal5Error::Crc));
    }

    #[test]
    fn no_octets_make_the_decoder_panic(octets in prop::collection::vec(any::<u8>(), 0..500)) {
        let _ = aal5::decode(&octets);
        if octets.len() >= 48 {
            // With a correct CRC, so that the checks after it are reached.
            let whole = octets.len() / 48 * 48;
            let _ = aal5::decode(&resigned(octets[..whole].to_vec()));
        }
    }
}
