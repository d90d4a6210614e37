//! Cells of several connections on one line, through a switch that relabels them, to both ends of
//! AAL-T.

use atl_aal::aalt::s_arq::{Receiver, ReceiverConfig, Sender, SenderConfig};
use atl_aal::aalt::{Connection, cp_arq};
use atl_aal::cell::{CELL_OCTETS, Cell, Header, HecReceiver, Verdict};
use atl_aal::sar::{Reassembled, Reassembler, segment};
use atl_core::time::{Span, Time};

use crate::bytes::Bytes;

/// VPI and VCI before the switch: AAL-T data, AAL-T control packets, AAL5. After the switch each
/// connection has another label.
pub const LABELS: [(u8, u16); 3] = [(1, 77), (1, 78), (2, 32)];
const BEHIND: [(u8, u16); 3] = [(9, 100), (9, 101), (255, 65_535)];
/// The AAL-T connection, as both ends know it.
pub const CONNECTION: Connection = Connection(0x0201);
const WINDOW: u16 = 16;
const LONGEST: usize = 960;

/// The cell that the switch forwards: a new label, everything else unchanged.
fn relabelled(cell: Cell) -> Option<(usize, Cell)> {
    let before = cell.header();
    let index = LABELS.iter().position(|label| *label == (before.vpi(), before.vci()))?;
    let (vpi, vci) = BEHIND[index];
    let mut header = Header::user(vpi, vci, false);
    header.payload_type = before.payload_type;
    header.low_priority = before.low_priority;
    let behind = cell.relabelled(header);
    assert_eq!(behind.header(), header);
    assert_eq!(behind.payload(), cell.payload());
    assert!(behind.header_is_intact());
    assert_eq!(behind.payload_type(), before.payload_type);
    Some((index, behind))
}

/// Arbitrary octets, 53 per cell, each cell preceded by an octet that determines the wrong bit on
/// the line after the switch (0: none).
pub fn switch(data: &[u8]) {
    let connection = CONNECTION;
    let mut sender = Sender::new(SenderConfig {
        connection,
        window: WINDOW,
        buffer_octets: 4_000,
        ..SenderConfig::default()
    })
    .expect("within its ranges");
    let config = ReceiverConfig { connection, window: WINDOW, ..ReceiverConfig::default() };
    let mut receiver = Receiver::new(config, Time::ZERO).expect("within its ranges");
    let (mut before, mut behind) = (HecReceiver::new(), HecReceiver::new());
    let mut copying = HecReceiver::new();
    let mut ends = [(); 3].map(|()| Reassembler::new(LONGEST));
    sender.submit(&[0x42; 700]).expect("room");
    let (mut bytes, mut pdu, mut now) = (Bytes(data), Vec::new(), Time::ZERO);
    while bytes.0.len() > CELL_OCTETS {
        let wrong = bytes.byte().unwrap_or(0);
        let mut cell = Cell::from_octets(bytes.number());
        now += Span::from_millis(1);
        sender.poll_send(now, &mut pdu);
        let verdict = copying.receive(cell);
        let passed = before.receive_in_place(&mut cell);
        // Both forms of the check agree.
        assert_eq!(verdict.cell(), passed.then_some(&cell));
        assert_eq!((before.mode(), before.statistics()), (copying.mode(), copying.statistics()));
        if !passed {
            continue;
        }
        let Some((index, mut cell)) = relabelled(cell) else { continue };
        if wrong != 0 {
            cell.flip(usize::from(wrong) * 5 % 424);
        } else if let Verdict::Intact(same) = behind.receive(cell) {
            assert_eq!(same, cell);
        }
        if wrong != 0 && !behind.receive_in_place(&mut cell) {
            continue;
        }
        let label = (cell.header().vpi(), cell.header().vci());
        assert!(label == BEHIND[index] || wrong != 0);
        let Some(end) = BEHIND.iter().position(|behind| *behind == label) else { continue };
        let idle = ends[end].is_idle();
        if let Reassembled::Pdu { pdu, .. } = ends[end].push(&cell) {
            assert!(idle || pdu.len() > 48);
            match end {
                0 => _ = receiver.on_pdu(now, pdu),
                1 => _ = sender.on_control(now, pdu),
                _ => _ = atl_aal::aal5::decode(pdu),
            }
        }
        assert!(ends[end].held() <= LONGEST);
        while receiver.poll_delivered().is_some() {}
        assert!(receiver.held_pdus() < usize::from(WINDOW));
        assert!(receiver.held_octets() <= usize::from(WINDOW) * LONGEST + cp_arq::MAX_PDU_OCTETS);
        assert!(sender.held_pdus() <= sender.span());
        assert!(sender.payload_length().cells() >= 1);
        assert_eq!(sender.is_done(), sender.held_octets() == 0);
        assert!(!(sender.is_done() && sender.has_unsent()));
        if receiver.poll_status(now, &mut pdu) {
            let cells = segment(1, 1, &pdu).expect("a control packet fills whole cells");
            assert!(cells.len() > 0);
        }
    }
}
