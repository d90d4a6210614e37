//! The addresses at which a receiver may be reached.

use std::net::{IpAddr, SocketAddr};

use atl_device::interface;

use crate::ticket::MAX_ADDRESSES;

/// The addresses for a ticket: the one listened at, or those of the interfaces if it listens at all
/// of them, best first.
pub(super) fn reachable(local: SocketAddr) -> Vec<SocketAddr> {
    if !local.ip().is_unspecified() {
        return vec![local];
    }
    let mut found: Vec<(u8, IpAddr)> = Vec::new();
    for (_, ip) in interface::addresses() {
        // A socket for IPv4 takes no packets of IPv6.
        if local.is_ipv4() && ip.is_ipv6() {
            continue;
        }
        if let Some(rank) = rank(ip) {
            found.push((rank, ip));
        }
    }
    found.sort();
    found.dedup();
    found.truncate(MAX_ADDRESSES);
    found.into_iter().map(|(_, ip)| SocketAddr::new(ip, local.port())).collect()
}

/// Lower is better; `None` for addresses that are of no use on another machine.
fn rank(ip: IpAddr) -> Option<u8> {
    match ip {
        ip if ip.is_loopback() => Some(4),
        IpAddr::V4(ip) if ip.is_link_local() => None,
        IpAddr::V6(ip) if ip.is_unicast_link_local() => None,
        IpAddr::V4(ip) if ip.is_private() => Some(2),
        IpAddr::V6(ip) if ip.is_unique_local() => Some(3),
        IpAddr::V6(_) => Some(1),
        IpAddr::V4(_) => Some(0),
    }
}
