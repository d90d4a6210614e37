//! A reader of pcap files, independent of the code that writes them.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;

/// A UDP datagram of a capture.
#[derive(Debug)]
pub(crate) struct Captured {
    /// Time of the packet, in nanoseconds since 1970.
    pub at: u64,
    /// Source of the datagram.
    pub from: SocketAddr,
    /// Destination of the datagram.
    pub to: SocketAddr,
    /// Payload of the datagram.
    pub payload: Vec<u8>,
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

fn big(bytes: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([bytes[at], bytes[at + 1]])
}

/// All datagrams of a file of IP packets with times in nanoseconds; anything else is an error.
pub(crate) fn read(path: &Path) -> Vec<Captured> {
    let file = fs::read(path).expect("a file");
    assert_eq!(word(&file, 0), 0xa1b2_3c4d, "nanoseconds");
    assert_eq!((file[4], file[6]), (2, 4), "version");
    assert_eq!(word(&file, 20), 101, "raw IP");
    let mut rest = &file[24..];
    let mut packets = Vec::new();
    while !rest.is_empty() {
        let nanos = u64::from(word(rest, 4));
        assert!(nanos < 1_000_000_000);
        let at = u64::from(word(rest, 0)) * 1_000_000_000 + nanos;
        let length = word(rest, 8) as usize;
        assert_eq!(word(rest, 12) as usize, length, "nothing is cut off");
        packets.push(datagram(at, &rest[16..16 + length]));
        rest = &rest[16 + length..];
    }
    packets
}

fn datagram(at: u64, packet: &[u8]) -> Captured {
    let (from, to, udp): (std::net::IpAddr, std::net::IpAddr, _) = match packet[0] >> 4 {
        4 => {
            assert_eq!((big(packet, 2) as usize, packet[9]), (packet.len(), 17));
            let address = |at: usize| <[u8; 4]>::try_from(&packet[at..at + 4]).expect("four");
            (address(12).into(), address(16).into(), &packet[20..])
        }
        6 => {
            assert_eq!((big(packet, 4) as usize, packet[6]), (packet.len() - 40, 17));
            let address = |at: usize| <[u8; 16]>::try_from(&packet[at..at + 16]).expect("sixteen");
            (address(8).into(), address(24).into(), &packet[40..])
        }
        version => panic!("IP version {version}"),
    };
    assert_eq!(big(udp, 4) as usize, udp.len());
    assert_ne!(big(udp, 6), 0, "a checksum");
    Captured {
        at,
        from: (from, big(udp, 0)).into(),
        to: (to, big(udp, 2)).into(),
        payload: udp[8..].to_vec(),
    }
}
