//! Cells against ITU-T I.361 and I.432.1.

use atl_aal::cell::{Cell, Header, HecMode, HecReceiver, PayloadType, Verdict};
use proptest::prelude::*;

fn cell() -> Cell {
    Cell::new(Header::user(0x5A, 0xBEEF, true), &[0xC3; 48])
}

#[test]
fn known_headers_have_known_checks() {
    // I.432.1 section 4.3.4 and I.361 table 1: idle, unassigned, and the physical layer's OAM
    // cells.
    assert_eq!(Cell::idle().octets()[..6], [0, 0, 0, 1, 0x52, 0x6A]);
    for (octets, hec) in [
        ([0, 0, 0, 0x00], 0x55),
        ([0, 0, 0, 0x01], 0x52),
        ([0, 0, 0, 0x03], 0x5C),
        ([0, 0, 0, 0x05], 0x4E),
        ([0, 0, 0, 0x07], 0x40),
        ([0, 0, 0, 0x09], 0x6A),
    ] {
        let header = Header::decode(octets);
        assert_eq!(header.encode()[4], hec, "{octets:02X?}");
        assert_eq!(header.encode()[..4], octets);
    }
}

#[test]
fn fields_are_where_the_standard_puts_them() {
    let header = Header::user(0xAB, 0x1234, true).with_gfc(0xF).unwrap();
    assert_eq!(header.encode()[..4], [0xFA, 0xB1, 0x23, 0x42]);
    let mut marked = header;
    marked.payload_type = PayloadType::User { congested: true, aau: false };
    marked.low_priority = true;
    assert_eq!(marked.encode()[3], 0x45);
    assert!(Header::user(0, 0, false).with_gfc(16).is_err());
}

#[test]
fn every_single_error_is_corrected_once_and_then_detected() {
    for bit in 0..40 {
        let mut receiver = HecReceiver::new();
        let mut wrong = cell();
        wrong.flip(bit);
        assert_eq!(receiver.receive(wrong), Verdict::Corrected(cell()), "bit {bit}");
        assert_eq!(receiver.mode(), HecMode::Detection);
        assert_eq!(receiver.receive(wrong), Verdict::Discarded, "in detection mode");
        assert_eq!(receiver.receive(cell()), Verdict::Intact(cell()));
        assert_eq!(receiver.receive(wrong), Verdict::Corrected(cell()), "back in correction mode");
        let seen = receiver.statistics();
        assert_eq!((seen.intact, seen.corrected, seen.discarded), (1, 2, 1));
    }
}

/// `note_intact` has the effect of receiving an intact cell: it counts, and returns to correction
/// mode.
#[test]
fn noting_an_intact_cell_is_the_same_as_receiving_it() {
    let (mut noted, mut received) = (HecReceiver::new(), HecReceiver::new());
    let mut wrong = cell();
    wrong.flip(3);
    for _ in 0..3 {
        noted.receive(wrong);
        received.receive(wrong);
        assert_eq!(noted.mode(), HecMode::Detection);
        noted.note_intact();
        received.receive(cell());
        assert_eq!((noted.mode(), noted.statistics()), (received.mode(), received.statistics()));
    }
}

#[test]
fn every_double_error_is_dropped_and_ends_correction() {
    for first in 0..40 {
        for second in first + 1..40 {
            let mut receiver = HecReceiver::new();
            let mut wrong = cell();
            wrong.flip(first);
            wrong.flip(second);
            assert_eq!(receiver.receive(wrong), Verdict::Discarded, "bits {first} and {second}");
            assert_eq!(receiver.mode(), HecMode::Detection);
        }
    }
}

#[test]
fn the_check_leaves_the_payload_alone() {
    let mut receiver = HecReceiver::new();
    for bit in 40..424 {
        let mut wrong = cell();
        wrong.flip(bit);
        assert_eq!(receiver.receive(wrong), Verdict::Intact(wrong), "bit {bit}");
    }
}

proptest! {
    #[test]
    fn a_header_survives_encoding(octets: [u8; 4]) {
        let header = Header::decode(octets);
        prop_assert_eq!(&header.encode()[..4], &octets);
        prop_assert!(Cell::new(header, &[0; 48]).header_is_intact());
    }

    #[test]
    fn no_cell_makes_the_receiver_panic(cells in prop::collection::vec(any::<[u8; 53]>(), 1..40)) {
        let mut receiver = HecReceiver::new();
        for octets in &cells {
            if let Some(passed) = receiver.receive(Cell::from_octets(*octets)).cell() {
                prop_assert!(passed.header_is_intact());
            }
        }
        let seen = receiver.statistics();
        prop_assert_eq!(seen.intact + seen.corrected + seen.discarded, cells.len() as u64);
    }
}
