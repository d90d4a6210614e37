//! IP packets that programs write into a TUN device.

use std::net::IpAddr;

use atl_net::tun::{Block, Header, MAX_HOSTS, datagram};

/// Reads the bytes as an IP packet. Version and length alone decide where the header ends; an
/// address in it belongs to at most one host of one block. A UDP payload stands behind two headers.
pub fn tun_header(data: &[u8]) {
    if let Some(payload) = datagram(data) {
        assert!(Header::read(data).is_some());
        assert!(payload.len() + 28 <= data.len());
    }
    let Some(header) = Header::read(data) else {
        let least = match data.first().map(|byte| byte >> 4) {
            Some(4) => 20,
            Some(6) => 40,
            _ => return,
        };
        assert!(data.len() < least, "a whole header was refused");
        return;
    };
    let (length, version) = if header.destination.is_ipv4() { (20, 4) } else { (40, 6) };
    assert!(data.len() >= length && data[0] >> 4 == version && header.dscp < 64);
    assert_eq!(Header::read(&data[..length]), Some(header));
    let named = Block::all().filter_map(|block| Some((block, block.host(header.destination)?)));
    let named: Vec<_> = named.collect();
    assert!(named.len() <= 1, "{named:?}");
    for (block, host) in named {
        assert!(host < MAX_HOSTS);
        let address: IpAddr = match version {
            4 => block.v4(host).into(),
            _ => block.v6(host).into(),
        };
        assert_eq!(address, header.destination);
    }
}
