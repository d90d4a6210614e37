//! QUIC's datagrams between an end of a flow and the network.
//!
//! QUIC's packets tell nobody what they hold. So an end writes in front of each datagram what is
//! counted of it:
//!
//! | octets | field |
//! | --- | --- |
//! | 12 | the envelope of `atl-live` |
//! | 8 | twice the number of data packets that the sender has sent so far; one more if this is one |
//! | 8 | when it was sent, in nanoseconds since the beginning of the run |
//!
//! Links charge the QUIC datagram with the headers of UDP and IPv4, and not these octets.

use crate::live::{ENVELOPE, Traffic};
use atl_core::time::Time;
use atl_link::relay::{Frame, RouteId};
use atl_quic::connection::BELOW_QUIC;

/// Octets in front of a QUIC datagram.
pub(crate) const FRONT: usize = ENVELOPE + 16;

/// The part of a datagram that the network can read: QUIC's bytes are encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    /// It elicits an acknowledgment.
    pub data: bool,
    /// Data packets that its sender has sent so far, this one included.
    pub serial: u64,
    pub sent_at: Time,
}

/// Writes a datagram into `buffer`, room for its envelope in front.
pub(crate) fn write(label: Label, quic: &[u8], buffer: &mut Vec<u8>) {
    buffer.clear();
    buffer.resize(ENVELOPE, 0);
    let serial = label.serial << 1 | u64::from(label.data);
    buffer.extend(serial.to_be_bytes());
    buffer.extend(label.sent_at.nanos().to_be_bytes());
    buffer.extend(quic);
}

/// The content of an envelope; `None` if it was cut off.
pub(crate) fn read(content: &[u8]) -> Option<(Label, &[u8])> {
    let (serial, rest) = content.split_first_chunk::<8>()?;
    let (sent_at, quic) = rest.split_first_chunk::<8>()?;
    let serial = u64::from_be_bytes(*serial);
    let sent_at = Time::from_nanos(u64::from_be_bytes(*sent_at));
    let label = Label { data: serial & 1 == 1, serial: serial >> 1, sent_at };
    (!quic.is_empty()).then_some((label, quic))
}

/// QUIC's datagrams.
#[derive(Debug)]
pub(crate) struct Quic;

impl Traffic for Quic {
    fn enter(&self, port: usize, route: RouteId, datagram: &[u8], now: Time) -> Option<Frame> {
        let (label, quic) = read(&datagram[ENVELOPE..])?;
        // A datagram has at most 65 535 octets.
        let wire = quic.len() as u32 + BELOW_QUIC;
        // Only senders send data.
        let fits = port.is_multiple_of(2) || !label.data;
        fits.then(|| Frame::new(datagram.to_vec(), route, now, 0).charged(wire))
    }

    fn is_data(&self, frame: &Frame) -> bool {
        read(&frame.bytes[ENVELOPE..]).is_some_and(|(label, _)| label.data)
    }
}

#[cfg(test)]
mod tests {
    use crate::live::Traffic as _;

    use super::*;

    #[test]
    fn a_label_comes_back_and_what_was_cut_off_does_not() {
        let label = Label { data: true, serial: 7, sent_at: Time::from_nanos(99) };
        let mut buffer = Vec::new();
        write(label, b"quic", &mut buffer);
        assert_eq!(buffer.len(), FRONT + 4);
        assert_eq!(read(&buffer[ENVELOPE..]), Some((label, &b"quic"[..])));
        for cut in ENVELOPE..=FRONT {
            assert_eq!(read(&buffer[ENVELOPE..cut]), None, "{cut}");
        }
    }

    #[test]
    fn links_charge_udp_and_ip_and_receivers_send_no_data() {
        use atl_link::Packet as _;

        let label = |data| Label { data, serial: 0, sent_at: Time::ZERO };
        let mut buffer = Vec::new();
        write(label(true), &[1; 1200], &mut buffer);
        let frame = Quic.enter(0, RouteId(0), &buffer, Time::ZERO).expect("a sender's");
        assert_eq!(frame.wire_bytes(), 1228);
        assert!(Quic.is_data(&frame));
        assert!(Quic.enter(1, RouteId(1), &buffer, Time::ZERO).is_none());
        write(label(false), &[1; 50], &mut buffer);
        let frame = Quic.enter(1, RouteId(1), &buffer, Time::ZERO).expect("a receiver's");
        assert!(!Quic.is_data(&frame));
    }
}
