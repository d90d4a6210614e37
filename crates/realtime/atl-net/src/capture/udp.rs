//! Headers of IP and UDP for a datagram of a socket, which does not show the real ones.

use std::net::{IpAddr, SocketAddr};

use atl_link::Ecn;

/// Protocol number of UDP.
const UDP: u8 = 17;
/// The initial value of common operating systems.
const HOP_LIMIT: u8 = 64;

/// Headers for the front of a datagram.
pub(super) struct Headers {
    bytes: [u8; 48],
    length: usize,
}

impl Headers {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// IPv4 (RFC 791) or IPv6 (RFC 8200), and UDP (RFC 768), with correct lengths and checksums. If the
/// addresses are of two families, both are shown as IPv6.
pub(super) fn headers((from, to): (SocketAddr, SocketAddr), ecn: Ecn, payload: &[u8]) -> Headers {
    let mut bytes = [0; 48];
    // At most 65 535: the kernel took the payload from such a packet.
    let udp_length = (8 + payload.len()) as u16;
    let length = match (from.ip(), to.ip()) {
        (IpAddr::V4(source), IpAddr::V4(destination)) => {
            bytes[0] = 0x45;
            bytes[1] = ecn as u8;
            bytes[2..4].copy_from_slice(&udp_length.saturating_add(20).to_be_bytes());
            // The flag "don't fragment".
            bytes[6] = 0x40;
            bytes[8] = HOP_LIMIT;
            bytes[9] = UDP;
            bytes[12..16].copy_from_slice(&source.octets());
            bytes[16..20].copy_from_slice(&destination.octets());
            let sum = checksum(0, &[&bytes[..20]]);
            bytes[10..12].copy_from_slice(&sum.to_be_bytes());
            28
        }
        (source, destination) => {
            bytes[0] = 0x60;
            bytes[1] = (ecn as u8) << 4;
            bytes[4..6].copy_from_slice(&udp_length.to_be_bytes());
            bytes[6] = UDP;
            bytes[7] = HOP_LIMIT;
            bytes[8..24].copy_from_slice(&octets(source));
            bytes[24..40].copy_from_slice(&octets(destination));
            48
        }
    };
    let udp = length - 8;
    bytes[udp..udp + 2].copy_from_slice(&from.port().to_be_bytes());
    bytes[udp + 2..udp + 4].copy_from_slice(&to.port().to_be_bytes());
    bytes[udp + 4..udp + 6].copy_from_slice(&udp_length.to_be_bytes());
    // The pseudo header: both addresses, the protocol, the length.
    let addresses = if length == 28 { 12..20 } else { 8..40 };
    let pseudo = u32::from(UDP) + u32::from(udp_length);
    let sum = checksum(pseudo, &[&bytes[addresses], &bytes[udp..length], payload]);
    // A checksum of zero would mean that the sender made none (RFC 768).
    let sum = if sum == 0 { u16::MAX } else { sum };
    bytes[udp + 6..udp + 8].copy_from_slice(&sum.to_be_bytes());
    Headers { bytes, length }
}

fn octets(address: IpAddr) -> [u8; 16] {
    match address {
        IpAddr::V4(address) => address.to_ipv6_mapped().octets(),
        IpAddr::V6(address) => address.octets(),
    }
}

/// The Internet checksum (RFC 1071) of `start` and of parts, all but the last of even length.
fn checksum(start: u32, parts: &[&[u8]]) -> u16 {
    let mut sum = u64::from(start);
    for part in parts {
        let pairs = part.chunks_exact(2);
        if let [last] = pairs.remainder() {
            sum += u64::from(*last) << 8;
        }
        for pair in pairs {
            sum += u64::from(u16::from_be_bytes([pair[0], pair[1]]));
        }
    }
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    !(sum as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A textbook example of RFC 1071's sum, worked out by hand: b861.
    #[test]
    fn the_checksum_is_that_of_a_known_header() {
        let header = [
            0x45, 0x00, 0x00, 0x73, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11, 0x00, 0x00, 0xc0, 0xa8,
            0x00, 0x01, 0xc0, 0xa8, 0x00, 0xc7,
        ];
        assert_eq!(checksum(0, &[&header]), 0xb861);
        assert_eq!(checksum(0, &[&[0xff]]), !0xff00, "an odd length is padded with zero");
    }

    #[test]
    fn headers_with_their_checksums_sum_up_to_nothing() {
        for (from, to, length, addresses) in [
            ("10.0.0.1:4000", "10.0.0.2:53", 28, 12..20),
            ("[fe80::1]:4000", "[fe80::2]:53", 48, 8..40),
        ] {
            let payload = b"odd in length";
            let ends = (from.parse().unwrap(), to.parse().unwrap());
            let headers = headers(ends, Ecn::Ce, payload);
            let bytes = headers.bytes();
            assert_eq!(bytes.len(), length);
            let udp = length - 8;
            let pseudo = u32::from(UDP) + 8 + payload.len() as u32;
            assert_eq!(checksum(pseudo, &[&bytes[addresses], &bytes[udp..], payload]), 0);
            if length == 28 {
                assert_eq!((checksum(0, &[&bytes[..20]]), bytes[1]), (0, 0b11));
                assert_eq!(bytes[2..4], (28 + payload.len() as u16).to_be_bytes());
            }
            assert!(length == 28 || bytes[..2] == [0x60, 0b11 << 4]);
            assert_eq!(bytes[udp..udp + 4], [0x0f, 0xa0, 0, 53]);
        }
    }
}
