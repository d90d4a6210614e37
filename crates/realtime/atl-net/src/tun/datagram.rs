//! UDP datagrams within IP packets.

/// Number of UDP as an IP protocol (RFC 768).
const UDP: u8 = 17;
/// Octets of UDP's header.
const HEADER: usize = 8;

/// The payload of the UDP datagram in an IPv4 (RFC 791) or IPv6 packet (RFC 8200); `None` for
/// anything else: another protocol, a fragment, extension headers, lengths that contradict each
/// other.
pub fn datagram(packet: &[u8]) -> Option<&[u8]> {
    let udp = match packet.first()? >> 4 {
        4 => {
            let header: &[u8; 20] = packet.first_chunk()?;
            let length = usize::from(header[0] & 0xf) * 4;
            // More fragments follow, or this one does not begin the packet.
            let fragment = u16::from_be_bytes([header[6], header[7]]) & 0x3fff != 0;
            if header[9] != UDP || fragment || length < header.len() {
                return None;
            }
            packet.get(length..)?
        }
        6 => {
            let header: &[u8; 40] = packet.first_chunk()?;
            packet.get(header.len()..).filter(|_| header[6] == UDP)?
        }
        _ => return None,
    };
    let header: &[u8; HEADER] = udp.first_chunk()?;
    udp.get(HEADER..usize::from(u16::from_be_bytes([header[4], header[5]])))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn udp(payload: &[u8]) -> Vec<u8> {
        let length = (HEADER + payload.len()) as u16;
        [&[0x1f, 0x90, 0x1f, 0x91][..], &length.to_be_bytes(), &[0, 0], payload].concat()
    }

    fn v4(options: usize, payload: &[u8]) -> Vec<u8> {
        let mut packet = vec![0; 20 + options];
        packet[0] = 0x40 | (packet.len() / 4) as u8;
        packet[6] = 0x40; // Do not fragment.
        packet[9] = UDP;
        packet.extend(udp(payload));
        packet
    }

    fn v6(payload: &[u8]) -> Vec<u8> {
        let mut packet = vec![0; 40];
        packet[0] = 0x60;
        packet[6] = UDP;
        packet.extend(udp(payload));
        packet
    }

    #[test]
    fn payloads_are_found() {
        for packet in [v4(0, b"hello"), v4(8, b"hello"), v6(b"hello")] {
            assert_eq!(datagram(&packet), Some(&b"hello"[..]));
            // Octets that a device appends are left out; a packet that is cut off is refused.
            assert_eq!(datagram(&[&packet[..], &[0; 6]].concat()), Some(&b"hello"[..]));
            for length in 0..packet.len() {
                assert_eq!(datagram(&packet[..length]), None);
            }
        }
        assert_eq!(datagram(&v6(b"")), Some(&b""[..]));
    }

    #[test]
    fn other_packets_have_none() {
        let mut tcp = v4(0, b"hello");
        tcp[9] = 6;
        let mut first = v4(0, b"hello");
        first[6] = 0x20;
        let mut later = v4(0, b"hello");
        later[7] = 1;
        let mut short = v4(0, b"hello");
        short[0] = 0x44;
        let mut fragment = v6(b"hello");
        fragment[6] = 44;
        let mut length = v6(b"hello");
        length[45] = 7;
        for packet in [tcp, first, later, short, fragment, length] {
            assert_eq!(datagram(&packet), None, "{packet:?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..120)) {
            if let Some(payload) = datagram(&bytes) {
                prop_assert!(payload.len() + 28 <= bytes.len());
            }
        }
    }
}
