//! The fields of an IP header that decide on a packet's route, its priority, and whether a queue
//! may mark it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use atl_link::Ecn;

/// Lower-effort traffic, LE (RFC 8622), which may starve when there is other traffic.
pub(super) const LOWER_EFFORT: u8 = 1;

/// Destination, class and ECN field of an IP packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The address of its destination.
    pub destination: IpAddr,
    /// Its differentiated-services code point (RFC 2474), 0 to 63.
    pub dscp: u8,
    /// Its ECN field (RFC 3168, section 5).
    pub ecn: Ecn,
}

impl Header {
    /// Reads the header of an IPv4 (RFC 791) or IPv6 packet (RFC 8200); `None` for anything else,
    /// and for less than a header. Other fields are not checked: that is up to the receiver.
    pub fn read(packet: &[u8]) -> Option<Header> {
        match packet.first()? >> 4 {
            4 => {
                let header: &[u8; 20] = packet.first_chunk()?;
                let destination: [u8; 4] = header[16..20].try_into().ok()?;
                Some(Header::new(Ipv4Addr::from(destination).into(), header[1]))
            }
            6 => {
                let header: &[u8; 40] = packet.first_chunk()?;
                let destination: [u8; 16] = header[24..40].try_into().ok()?;
                let traffic_class = header[0] << 4 | header[1] >> 4;
                Some(Header::new(Ipv6Addr::from(destination).into(), traffic_class))
            }
            _ => None,
        }
    }

    fn new(destination: IpAddr, class: u8) -> Self {
        Header { destination, dscp: class >> 2, ecn: Ecn::of_class(class) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ipv4() {
        let mut packet = vec![0; 28];
        packet[0] = 0x45;
        packet[1] = LOWER_EFFORT << 2 | 1; // With an ECN bit.
        packet[16..20].copy_from_slice(&[198, 19, 0, 2]);
        let destination = "198.19.0.2".parse().unwrap();
        let (dscp, ecn) = (LOWER_EFFORT, Ecn::Ect1);
        assert_eq!(Header::read(&packet), Some(Header { destination, dscp, ecn }));
        assert_eq!(Header::read(&packet[..19]), None);
    }

    #[test]
    fn ipv6() {
        let mut packet = vec![0; 48];
        // Version 6, traffic class 0b1011_1001 (EF, and an ECN bit), flow label 0x12345.
        packet[..4].copy_from_slice(&[0x6b, 0x91, 0x23, 0x45]);
        packet[24..40].copy_from_slice(&"2001:2::9".parse::<Ipv6Addr>().unwrap().octets());
        let destination = "2001:2::9".parse().unwrap();
        let (dscp, ecn) = (46, Ecn::Ect1);
        assert_eq!(Header::read(&packet), Some(Header { destination, dscp, ecn }));
        assert_eq!(Header::read(&packet[..39]), None);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            if let Some(header) = Header::read(&bytes) {
                prop_assert!(header.dscp < 64);
                let least = if header.destination.is_ipv4() { 20 } else { 40 };
                prop_assert!(bytes.len() >= least);
            }
        }
    }
}
