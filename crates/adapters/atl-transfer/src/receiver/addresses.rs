//! The addresses at which a receiver may be reached.

use std::net::{IpAddr, SocketAddr};

use nix::ifaddrs::getifaddrs;
use nix::net::if_::InterfaceFlags;

use crate::ticket::MAX_ADDRESSES;

/// The addresses for a ticket: the one listened at, or those of the interfaces if it listens at all
/// of them, best first.
pub(super) fn reachable(local: SocketAddr) -> Vec<SocketAddr> {
    if !local.ip().is_unspecified() {
        return vec![local];
    }
    let mut found: Vec<(u8, IpAddr)> = Vec::new();
    for interface in getifaddrs().into_iter().flatten() {
        if !interface.flags.contains(InterfaceFlags::IFF_UP) {
            continue;
        }
        let Some(address) = interface.address else { continue };
        let v4 = address.as_sockaddr_in().map(|address| IpAddr::V4(address.ip()));
        let v6 = address.as_sockaddr_in6().map(|address| IpAddr::V6(address.ip()));
        let Some(ip) = v4.or(v6) else { continue };
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
