//! The PDUs of AAL-T, bit by bit.

use atl_aal::aalt::control::{self, BitMap, Control};
use atl_aal::aalt::cp_arq::{self, MAX_PDU_OCTETS};
use atl_aal::aalt::cpcs::{self, CpcsError, MAX_SDU_OCTETS};
use atl_aal::aalt::{Connection, PduError, SequenceNumber, Tag};
use atl_aal::cell::Cell;
use atl_aal::sar::{Reassembled, Reassembler, segment};
use proptest::prelude::*;

use crate::random::{Random, flip};

const PLAIN: Connection = Connection(0);

/// The check computed bit by bit: an independent implementation.
fn crc16(octets: &[u8]) -> u16 {
    let mut register = u16::MAX;
    for octet in octets {
        for bit in (0..8).rev() {
            let feedback = (register >> 15) ^ u16::from(octet >> bit & 1);
            register = register << 1 ^ if feedback == 1 { 0x1021 } else { 0 };
        }
    }
    !register
}

fn data(sn: u16, piece: &[u8]) -> Vec<u8> {
    let mut pdu = Vec::new();
    cp_arq::encode(SequenceNumber(sn), piece, PLAIN, &mut pdu);
    pdu
}

#[test]
fn the_independent_implementation_gives_the_published_check_value() {
    assert_eq!(crc16(b"123456789"), 0xD64E);
}

#[test]
fn the_fields_of_a_cpcs_pdu_are_in_place() {
    let pdu = cpcs::encode(Tag(0xA7), b"hello").unwrap();
    assert_eq!(pdu, [0xA7, 0x00, 0x09, b'h', b'e', b'l', b'l', b'o', 0xA7]);
    assert_eq!(cpcs::decode(Tag(0xA7), &pdu, 0), Ok(&b"hello"[..]));
    assert_eq!(cpcs::decode(Tag(0xA8), &pdu, 0), Err(CpcsError::BTag));
    assert!(cpcs::encode(Tag(0), &vec![0; MAX_SDU_OCTETS]).is_ok());
    assert!(cpcs::encode(Tag(0), &vec![0; MAX_SDU_OCTETS + 1]).is_err());
}

/// Scenario 6: tags within the data have no effect.
#[test]
fn the_cpcs_length_determines_the_end_not_the_tag() {
    let sdu = [0x33; 20];
    let mut octets = cpcs::encode(Tag(0x33), &sdu).unwrap();
    octets.resize(44, 0);
    assert_eq!(cpcs::decode(Tag(0x33), &octets, 43), Ok(&sdu[..]));
    assert_eq!(cpcs::decode(Tag(0x33), &octets, 19), Err(CpcsError::Length), "longer than a pad");
    assert_eq!(cpcs::decode(Tag(0x33), &octets[..23], 43), Err(CpcsError::Length), "too short");
    octets[23] = 0x34;
    assert_eq!(cpcs::decode(Tag(0x33), &octets, 43), Err(CpcsError::ETag));
    for length in 0..4 {
        assert_eq!(cpcs::decode(Tag(9), &[9, 0, length, 9], 43), Err(CpcsError::Length));
    }
}

#[test]
fn the_fields_of_a_data_pdu_are_in_place() {
    let pdu = data(0xBEEF, &[0xC5; 10]);
    assert_eq!(pdu.len(), 48);
    assert_eq!(pdu[..2], [0xBE, 0xEF]);
    assert_eq!(pdu[2..12], [0xC5; 10]);
    assert_eq!(pdu[12..46], [0x3A; 34], "the complement of the preceding octet");
    assert_eq!(pdu[46..], crc16(&pdu[..46]).to_be_bytes());
    for (octets, cells) in [(1, 1), (44, 1), (45, 2), (92, 2), (716, 15), (65_535, 1366)] {
        let pdu = data(1, &vec![1; octets]);
        assert!(pdu.len() - octets - 4 <= cp_arq::MAX_PAD_OCTETS);
        assert_eq!(pdu.len(), cells * 48, "{octets} octets");
        assert!(pdu.len() <= MAX_PDU_OCTETS);
    }
}

#[test]
fn the_fields_of_a_control_packet_are_in_place() {
    // 12 PDUs from 0xFFFE on, across the wrap: 2, 3 and 11 were received.
    let bitmap = BitMap::new(&[0b0011_0000, 0b0001_0000], 12).unwrap();
    let status = Control { tag: Tag(0x42), msn: SequenceNumber(0xFFFE), bitmap };
    let mut pdu = Vec::new();
    status.encode(PLAIN, &mut pdu);
    assert_eq!(pdu.len(), 48);
    assert_eq!(pdu[..7], [0x42, 0xFF, 0xFE, 0x00, 0x0C, 0b0011_0000, 0b0001_0000]);
    assert_eq!(pdu[7..45], [0; 38]);
    assert_eq!(pdu[45], 0x42);
    assert_eq!(pdu[46..], (crc16(&pdu[..46]) ^ 0x5AA5).to_be_bytes());
    let read = control::decode(&pdu, PLAIN).unwrap();
    assert_eq!(read, status);
    let come: Vec<usize> = (0..20).filter(|&i| read.bitmap.is_set(i)).collect();
    assert_eq!(come, [2, 3, 11]);
}

#[test]
fn a_control_packet_fills_whole_cells_at_every_length_of_its_map() {
    for (bits, cells) in [(0, 1), (320, 1), (321, 2), (704, 2), (705, 3), (32_768, 86)] {
        let mut octets = vec![0; usize::div_ceil(bits, 8)];
        if bits > 0 {
            flip(&mut octets, bits - 1);
        }
        let bitmap = BitMap::new(&octets, bits).unwrap();
        let mut pdu = Vec::new();
        Control { tag: Tag(1), msn: SequenceNumber(7), bitmap }.encode(PLAIN, &mut pdu);
        assert_eq!(pdu.len(), cells * 48, "{bits} bits");
        assert_eq!(control::decode(&pdu, PLAIN).unwrap().bitmap, bitmap);
    }
}

#[test]
fn invalid_maps_are_refused() {
    for (octets, bits) in
        [(&[0x80][..], 8), (&[0x81], 8), (&[0x40], 3), (&[0x01], 7), (&[], 1), (&[0x01, 0x00], 8)]
    {
        assert_eq!(BitMap::new(octets, bits), Err(PduError::Fields), "{octets:?}, {bits} bits");
    }
}

#[test]
fn pdu_types_and_connections_are_never_confused() {
    let mut status = Vec::new();
    Control { tag: Tag(0), msn: SequenceNumber(0), bitmap: BitMap::default() }
        .encode(PLAIN, &mut status);
    assert_eq!(cp_arq::decode(&status, PLAIN), Err(PduError::Crc));
    let one = data(5, b"data");
    assert_eq!(control::decode(&one, PLAIN), Err(PduError::Crc));
    for other in 1..=u16::MAX {
        assert_eq!(cp_arq::decode(&one, Connection(other)), Err(PduError::Crc));
    }
}

#[test]
fn numbers_wrap() {
    let last = SequenceNumber(u16::MAX);
    assert_eq!(last.plus(3), SequenceNumber(2));
    assert_eq!(last.plus(3).after(last), 3);
    assert_eq!(last.after(last.plus(3)), -3);
    assert_eq!(Tag(250).plus(10), Tag(4));
    assert_eq!(Tag(4).after(Tag(250)), 10);
    assert_eq!(Tag(250).after(Tag(4)), -10);
}

/// All tags, and all sequence numbers from those at the edges: the way from one to the other is the
/// shortest there is, and leads there.
#[test]
fn the_way_between_two_numbers_is_the_shortest() {
    for from in 0..=u8::MAX {
        for to in 0..=u8::MAX {
            let way = Tag(to).after(Tag(from));
            assert!((-128..128).contains(&way), "{from} to {to}");
            assert_eq!((i32::from(from) + way).rem_euclid(256), i32::from(to));
            let steps = usize::try_from(way.rem_euclid(256)).expect("not negative");
            assert_eq!(Tag(from).plus(steps), Tag(to));
        }
    }
    for from in [0, 1, 0x7fff, 0x8000, 0x8001, u16::MAX] {
        for to in 0..=u16::MAX {
            let way = SequenceNumber(to).after(SequenceNumber(from));
            assert!((-32_768..32_768).contains(&way), "{from} to {to}");
            assert_eq!((i32::from(from) + way).rem_euclid(65_536), i32::from(to));
            let steps = usize::try_from(way.rem_euclid(65_536)).expect("not negative");
            assert_eq!(SequenceNumber(from).plus(steps), SequenceNumber(to));
        }
    }
}

/// The PDUs received from these cells, by sequence number.
fn received(cells: impl IntoIterator<Item = Cell>) -> Vec<Result<u16, PduError>> {
    let mut reassembler = Reassembler::new(MAX_PDU_OCTETS);
    let mut seen = Vec::new();
    for cell in cells {
        if let Reassembled::Pdu { pdu, .. } = reassembler.push(&cell) {
            seen.push(cp_arq::decode(pdu, PLAIN).map(|read| read.sn.0));
        }
    }
    seen
}

/// Scenarios 1 to 5 of the paper's section 3.4 at cell level: three PDUs of three cells.
#[test]
fn lost_and_damaged_cells_have_the_effects_in_the_paper() {
    let cells: Vec<Cell> = (1..=3)
        .flat_map(|sn| segment(0, 40, &data(sn, &[sn as u8; 140])).unwrap().collect::<Vec<_>>())
        .collect();
    let without = |lost: &[usize]| {
        received(cells.iter().enumerate().filter(|(i, _)| !lost.contains(i)).map(|(_, cell)| *cell))
    };
    let wrong = Err(PduError::Crc);
    assert_eq!(without(&[]), [Ok(1), Ok(2), Ok(3)]);
    assert_eq!(without(&[0]), [wrong, Ok(2), Ok(3)], "scenario 1, first cell");
    assert_eq!(without(&[1]), [wrong, Ok(2), Ok(3)], "scenario 1, middle cell");
    let mut damaged = cells.clone();
    damaged[2].flip(40 + 17);
    assert_eq!(received(damaged), [wrong, Ok(2), Ok(3)], "scenario 2");
    assert_eq!(without(&[2]), [wrong, Ok(3)], "scenario 3");
    assert_eq!(without(&[0, 2]), [wrong, Ok(3)], "scenario 4");
    assert_eq!(without(&[0, 1, 2]), [Ok(2), Ok(3)], "scenario 5");
}

/// Random octets pass with probability 2^-16 (paper, scenario 7: 0.0015 %).
#[test]
fn random_octets_pass_as_often_as_a_16_bit_check_allows() {
    let tries = 2_000_000_u64;
    let mut random = Random(1);
    let mut pdu = vec![0; 48];
    let mut passed = 0;
    for _ in 0..tries {
        random.fill(&mut pdu);
        passed += u64::from(cp_arq::decode(&pdu, PLAIN).is_ok());
    }
    // 30.5 are expected; the margin is five standard deviations.
    assert!((3..=58).contains(&passed), "{passed} of {tries}");
}

proptest! {
    #[test]
    fn data_survives_a_round_trip(sn: u16, piece in prop::collection::vec(any::<u8>(), 0..2000), connection: u16) {
        let mut pdu = Vec::new();
        cp_arq::encode(SequenceNumber(sn), &piece, Connection(connection), &mut pdu);
        let end = pdu.len() - 2;
        prop_assert_eq!(&pdu[end..], &(crc16(&pdu[..end]) ^ connection).to_be_bytes());
        let read = cp_arq::decode(&pdu, Connection(connection)).unwrap();
        prop_assert_eq!(read.sn, SequenceNumber(sn));
        prop_assert_eq!(&read.payload[..piece.len()], &piece[..]);
        prop_assert!(read.payload[piece.len()..].iter().all(|&octet| Some(!octet) == piece.last().copied().or(Some(u8::MAX))));
    }

    #[test]
    fn errors_that_a_crc_must_detect_are_detected(
        sn: u16,
        piece in prop::collection::vec(any::<u8>(), 0..716),
        places in prop::collection::btree_set(any::<prop::sample::Index>().prop_map(|i| i.index(1 << 20)), 1..4),
        burst in 1_u16..,
    ) {
        let right = data(sn, &piece);
        let bits = right.len() * 8;
        // First up to three single bits, then a burst of up to 16 bits.
        let few: std::collections::BTreeSet<usize> = places.iter().map(|place| place % bits).collect();
        let mut wrong = right.clone();
        few.iter().for_each(|&bit| flip(&mut wrong, bit));
        prop_assert_eq!(cp_arq::decode(&wrong, PLAIN), Err(PduError::Crc));
        let mut wrong = right;
        let start = places.first().unwrap() % (bits - 16);
        (0..16).filter(|i| burst >> i & 1 == 1).for_each(|i| flip(&mut wrong, start + i));
        prop_assert_eq!(cp_arq::decode(&wrong, PLAIN), Err(PduError::Crc));
    }

    #[test]
    fn no_octets_make_a_decoder_panic(mut octets in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = cp_arq::decode(&octets, PLAIN);
        let _ = control::decode(&octets, PLAIN);
        let _ = cpcs::decode(Tag(0), &octets, 43);
        if let Some(&tag) = octets.first() {
            let _ = cpcs::decode(Tag(tag), &octets, 43);
        }
        // With a correct check, so that the fields after it are reached.
        octets.truncate(octets.len() / 48 * 48);
        if let Some(end) = octets.len().checked_sub(2) {
            let crc = crc16(&octets[..end]) ^ 0x5AA5;
            octets[end..].copy_from_slice(&crc.to_be_bytes());
            octets[end - 1] = octets[0];
            let crc = crc16(&octets[..end]) ^ 0x5AA5;
            octets[end..].copy_from_slice(&crc.to_be_bytes());
            if let Ok(read) = control::decode(&octets, PLAIN) {
                let mut again = Vec::new();
                read.encode(PLAIN, &mut again);
                prop_assert_eq!(control::decode(&again, PLAIN), Ok(read));
            }
        }
    }
}
