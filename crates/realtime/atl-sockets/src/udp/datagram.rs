//! Packets as datagrams: their sizes here and on the links.
//!
//! A link charges a packet for its size in the scenario. The datagram is as long as that packet's
//! UDP payload would be: the size less 28 octets of IP and UDP headers, the envelope included.
//! Packets that need more octets for what they say (small ACKs, reports, the ends of small frames)
//! are longer on loopback, and the links still charge the scenario's size.

use crate::live::{ENVELOPE, Traffic};
use atl_core::time::Time;
use atl_link::relay::{Frame, RouteId};
use atl_wire::paced::{Packet, decode, encode};

/// Octets of an IPv4 header and a UDP header.
const HEADERS: usize = 28;

/// Writes the datagram of a packet into `buffer`, room for its envelope in front.
pub(crate) fn write(packet: &Packet, buffer: &mut Vec<u8>) {
    let octets = encode(packet);
    buffer.clear();
    buffer.resize(ENVELOPE, 0);
    buffer.extend_from_slice(octets.as_ref());
    let length = usize::from(packet.size()).saturating_sub(HEADERS);
    if buffer.len() < length {
        buffer.resize(length, 0);
    }
}

/// The packet in what an envelope held; `None` if it is not a packet, or was cut off.
pub(crate) fn read(content: &[u8]) -> Option<Packet> {
    let (packet, padding) = decode(content).ok()?;
    let packet_octets = content.len() - padding.len();
    let length = usize::from(packet.size()).saturating_sub(HEADERS + ENVELOPE);
    (content.len() == length.max(packet_octets)).then_some(packet)
}

/// Packets of the paced family in datagrams.
#[derive(Debug)]
pub(crate) struct Paced;

impl Traffic for Paced {
    fn enter(&self, port: usize, route: RouteId, datagram: &[u8], now: Time) -> Option<Frame> {
        let packet = read(&datagram[ENVELOPE..])?;
        let forward = matches!(packet, Packet::Data { .. } | Packet::Probe { .. });
        if forward != port.is_multiple_of(2) {
            return None;
        }
        let frame = Frame::new(datagram.to_vec(), route, now, 0);
        let frame = frame.charged(u32::from(packet.size()));
        let low = matches!(packet, Packet::Probe { .. } | Packet::ProbeAck { .. });
        Some(if low { frame.with_low_priority() } else { frame })
    }

    fn is_data(&self, frame: &Frame) -> bool {
        matches!(read(&frame.bytes[ENVELOPE..]), Some(Packet::Data { .. }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_data_packet_has_the_length_of_its_payload_and_small_ones_what_they_need() {
        let mut buffer = Vec::new();
        for (size, length) in [(1040, 1012), (300, 272), (60, 32), (59, 32), (41, 32)] {
            let data = Packet::Data { size, seq: 1, rtt_micros: 2, sent_at: Time::ZERO };
            write(&data, &mut buffer);
            assert_eq!(buffer.len(), length, "{size}");
            let content = &buffer[ENVELOPE..];
            assert_eq!(read(content), Some(data));
            for cut in 0..content.len() {
                assert_eq!(read(&content[..cut]), None, "{cut} octets of {}", content.len());
            }
            assert_eq!(read(&[content, &[0]].concat()), None, "one too many");
        }
    }
}
