//! S-ARQ over a path controlled by the bytes.

use std::collections::VecDeque;

use atl_aal::aalt::payload::PayloadLength;
use atl_aal::aalt::s_arq::{Receiver, ReceiverConfig, Sender, SenderConfig};
use atl_aal::aalt::{Connection, control, cp_arq};
use atl_core::time::{Span, Time};

use crate::bytes::Bytes;

const CONNECTION: Connection = Connection(0x1234);
const WINDOW: u16 = 16;
const BUFFER: usize = 4_000;
/// Steps without faults after the last event, within which everything submitted must be delivered.
const CLEAN: usize = 400;

/// A sender, a receiver, and the PDUs in flight between them. Each byte is an event.
pub fn s_arq(data: &[u8]) {
    let connection = CONNECTION;
    let mut sender = Sender::new(SenderConfig {
        connection,
        window: WINDOW,
        buffer_octets: BUFFER,
        longest: PayloadLength::from_cells(3).expect("three cells"),
        ..SenderConfig::default()
    })
    .expect("within range");
    let mut receiver = Receiver::new(
        ReceiverConfig { connection, window: WINDOW, ..ReceiverConfig::default() },
        Time::ZERO,
    )
    .expect("within range");
    let (mut there, mut back): (VecDeque<Vec<u8>>, VecDeque<Vec<u8>>) = Default::default();
    let mut submitted: Vec<Vec<u8>> = Vec::new();
    let mut delivered = 0;
    let mut now = Time::ZERO;
    let mut pdu = Vec::new();
    let mut bytes = Bytes(data);
    let mut clean = 0;
    while clean < CLEAN && (!bytes.0.is_empty() || !sender.is_done()) {
        let code = bytes.byte();
        now += Span::from_millis(1 + u64::from(code.unwrap_or(0) >> 6) * 7);
        if sender.poll_send(now, &mut pdu).is_some() {
            there.push_back(pdu.clone());
        }
        if receiver.poll_status(now, &mut pdu) {
            back.push_back(pdu.clone());
        }
        match code.map(|code| code & 15) {
            Some(0 | 1) => {
                let length = usize::from(bytes.u16() % 500);
                let sdu = vec![bytes.byte().unwrap_or(0); length];
                if sender.submit(&sdu).is_ok() {
                    submitted.push(sdu);
                }
            }
            Some(2) => _ = there.pop_front(),
            Some(3) => _ = back.pop_front(),
            Some(4) => damage(there.front_mut(), &mut bytes, is_data),
            Some(5) => damage(back.front_mut(), &mut bytes, is_status),
            Some(6) => there.extend(there.front().cloned()),
            Some(7) => back.extend(back.front().cloned()),
            Some(8) => there.rotate_left(1.min(there.len())),
            Some(9) => back.rotate_left(1.min(back.len())),
            Some(10) => there.extend(foreign(&mut bytes)),
            Some(11) => back.extend(foreign(&mut bytes)),
            _ => {
                clean += usize::from(code.is_none());
                if let Some(pdu) = there.pop_front() {
                    let _ = receiver.on_pdu(now, &pdu);
                }
                if let Some(pdu) = back.pop_front() {
                    let _ = sender.on_control(now, &pdu);
                }
            }
        }
        while let Some(sdu) = receiver.poll_delivered() {
            assert_eq!(Some(&sdu), submitted.get(delivered), "wrong SDU, or out of order");
            delivered += 1;
        }
        assert!(receiver.held_pdus() < usize::from(WINDOW));
        assert!(sender.held_octets() <= BUFFER.max(500 + 4));
        assert!(sender.held_pdus() <= sender.span());
        assert!(there.len() < 4096 && back.len() < 4096 || bytes.0.len() < data.len());
    }
    if clean == 0 || clean < CLEAN {
        assert_eq!(
            delivered,
            submitted.len(),
            "the sender is done, but not everything was delivered"
        );
    }
}

fn is_data(pdu: &[u8]) -> bool {
    cp_arq::decode(pdu, CONNECTION).is_ok()
}

fn is_status(pdu: &[u8]) -> bool {
    control::decode(pdu, CONNECTION).is_ok()
}

/// Octets that were never sent. One PDU in 65 536 passes the check by chance and would be accepted;
/// a fuzzer finds such PDUs, but they are not a fault, so they are left out.
fn foreign(bytes: &mut Bytes<'_>) -> Option<Vec<u8>> {
    Some(bytes.up_to(48).to_vec()).filter(|pdu| !is_data(pdu) && !is_status(pdu))
}

/// Damages one octet of an intact PDU of the direction's kind. CRC-16 detects any error within
/// 16 bits, but not every combination of several. It may turn one kind into the other, whose check
/// differs by a constant; no end reads the other direction's kind.
fn damage(pdu: Option<&mut Vec<u8>>, bytes: &mut Bytes<'_>, is_intact: fn(&[u8]) -> bool) {
    let (place, mask) = (usize::from(bytes.u16()), bytes.byte().unwrap_or(0));
    let Some(pdu) = pdu.filter(|pdu| is_intact(pdu)) else { return };
    let index = place % pdu.len();
    pdu[index] ^= mask;
    assert!(mask == 0 || !is_intact(pdu), "the CRC misses an error in one octet");
}
