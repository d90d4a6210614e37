//! Cells, AAL5 and the PDUs of AAL-T.

use atl_aal::aalt::{Connection, Tag, control, cp_arq, cpcs};
use atl_aal::cell::{CELL_OCTETS, Cell, HecReceiver, Verdict};
use atl_aal::sar::{Reassembled, Reassembler, segment};
use atl_aal::{aal5 as layer, cell};

use crate::bytes::Bytes;

/// A line of cells: the header check, and reassembly of the cells that pass.
pub fn cells(data: &[u8]) {
    const LONGEST: usize = 480;
    let (mut hec, mut reassembler) = (HecReceiver::new(), Reassembler::new(LONGEST));
    let mut seen = 0;
    let (whole, _) = data.as_chunks::<CELL_OCTETS>();
    for octets in whole {
        let cell = Cell::from_octets(*octets);
        let verdict = hec.receive(cell);
        seen += 1;
        let statistics = hec.statistics();
        assert_eq!(statistics.intact + statistics.corrected + statistics.discarded, seen);
        match verdict {
            Verdict::Intact(passed) => assert_eq!(passed, cell),
            Verdict::Corrected(passed) => {
                let pairs = passed.octets().iter().zip(cell.octets());
                let differing: u32 = pairs.map(|(a, b)| (a ^ b).count_ones()).sum();
                assert_eq!(differing, 1);
            }
            Verdict::Discarded => continue,
        }
        let Some(passed) = verdict.cell() else { continue };
        assert!(passed.header_is_intact());
        assert_eq!(passed.header().encode(), passed.octets()[..cell::HEADER_OCTETS]);
        if let Reassembled::Pdu { pdu, .. } = reassembler.push(passed) {
            assert!(pdu.len() <= LONGEST && pdu.len().is_multiple_of(cell::PAYLOAD_OCTETS));
            let _ = layer::decode(pdu);
        }
        assert!(reassembler.held() <= LONGEST);
    }
}

/// AAL5's CPCS: any octets as a PDU, and any octets as an SDU.
pub fn aal5(data: &[u8]) {
    let mut pdu = Vec::new();
    if let Ok(received) = layer::decode(data) {
        assert!(received.sdu.len() + layer::TRAILER_OCTETS <= data.len());
        layer::encode(received.sdu, received.user_to_user, &mut pdu)
            .expect("it was decoded from one");
        assert_eq!(pdu.len(), data.len());
        assert_eq!(layer::decode(&pdu), Ok(received));
    }
    match layer::encode(data, 7, &mut pdu) {
        Ok(()) if data.is_empty() => {
            assert_eq!(layer::decode(&pdu), Err(layer::Aal5Error::Aborted));
        }
        Ok(()) => assert_eq!(layer::decode(&pdu).map(|received| received.sdu), Ok(data)),
        Err(_) => assert!(data.len() > layer::MAX_SDU_OCTETS && pdu.is_empty()),
    }
}

/// The PDUs of AAL-T: the first three octets give the connection and the tag, the others are the
/// PDU. The same octets are also encoded, segmented and reassembled.
pub fn aalt_pdus(data: &[u8]) {
    let mut bytes = Bytes(data);
    let (connection, tag) = (Connection(bytes.u16()), Tag(bytes.byte().unwrap_or(0)));
    let octets = bytes.0;
    let mut pdu = Vec::new();
    if let Ok(decoded) = cp_arq::decode(octets, connection) {
        assert_eq!(cp_arq::claimed_number(octets), Some(decoded.sn));
        cp_arq::encode(decoded.sn, decoded.payload, connection, &mut pdu);
        assert_eq!(pdu, octets);
    }
    if let Ok(status) = control::decode(octets, connection) {
        let bits = (0..status.bitmap.len()).filter(|i| status.bitmap.is_set(*i)).count();
        assert!(status.bitmap.is_empty() || bits > 0 && !status.bitmap.is_set(0));
        status.encode(connection, &mut pdu);
        assert_eq!(pdu.len(), octets.len());
        assert_eq!(control::decode(&pdu, connection), Ok(status));
    }
    for pad in [0, 47] {
        if let Ok(sdu) = cpcs::decode(tag, octets, pad) {
            assert_eq!(cpcs::encode(tag, sdu).map(|pdu| octets.starts_with(&pdu)), Ok(true));
        }
    }
    if let Ok(whole) = cpcs::encode(tag, octets) {
        assert_eq!(cpcs::decode(tag, &whole, 0), Ok(octets));
        cp_arq::encode(atl_aal::aalt::SequenceNumber(1), &whole, connection, &mut pdu);
        let mut reassembler = Reassembler::new(pdu.len());
        let cells: Vec<Cell> = segment(1, 99, &pdu).expect("it fills whole cells").collect();
        let (last, before) = cells.split_last().expect("at least one cell");
        for cell in before {
            assert_eq!(reassembler.push(cell), Reassembled::Pending);
        }
        assert_eq!(reassembler.push(last), Reassembled::Pdu { pdu: &pdu, congested: false });
        let payload = cp_arq::decode(&pdu, connection).map(|decoded| decoded.payload);
        assert_eq!(payload.map(|payload| cpcs::decode(tag, payload, 47)), Ok(Ok(octets)));
    }
}
