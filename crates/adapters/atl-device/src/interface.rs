//! The interface that packets to an address take.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::path::Path;

/// The interface over which this machine sends packets to an address; `None` if it has no route
/// there. Nothing is sent.
pub fn towards(to: SocketAddr) -> Option<String> {
    let any: SocketAddr = match to {
        SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
        SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
    };
    let socket = UdpSocket::bind(any).ok()?;
    // A UDP socket learns its address when it is connected, from the routing table.
    socket.connect(to).ok()?;
    let from = socket.local_addr().ok()?.ip();
    addresses().into_iter().find_map(|(name, address)| (address == from).then_some(name))
}

/// The addresses of all interfaces that are up, with their interfaces' names; empty if the system
/// does not say.
pub fn addresses() -> Vec<(String, IpAddr)> {
    #[cfg(unix)]
    {
        use nix::ifaddrs::getifaddrs;
        use nix::net::if_::InterfaceFlags;

        let interfaces = getifaddrs().into_iter().flatten();
        let up = interfaces.filter(|interface| interface.flags.contains(InterfaceFlags::IFF_UP));
        let found = up.filter_map(|interface| {
            let address = interface.address?;
            let v4 = address.as_sockaddr_in().map(|v4| IpAddr::V4(v4.ip()));
            let v6 = address.as_sockaddr_in6().map(|v6| IpAddr::V6(v6.ip()));
            Some((interface.interface_name, v4.or(v6)?))
        });
        found.collect()
    }
    #[cfg(not(unix))]
    {
        let interfaces = if_addrs::get_if_addrs().unwrap_or_default().into_iter();
        interfaces.map(|interface| (interface.name.clone(), interface.ip())).collect()
    }
}

/// True for an 802.11 device of this machine (Linux; false elsewhere).
pub fn is_wireless(name: &str) -> bool {
    Path::new("/sys/class/net").join(name).join("phy80211").exists()
}

/// The 802.11 devices that are up and have an address, by name.
pub fn wireless() -> Vec<String> {
    let mut names: Vec<String> = addresses().into_iter().map(|(name, _)| name).collect();
    names.sort();
    names.dedup();
    names.retain(|name| is_wireless(name));
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_an_interface_without_a_radio() {
        let name = towards((Ipv4Addr::LOCALHOST, 9).into()).expect("there is a loopback interface");
        assert!(!is_wireless(&name), "{name}");
        assert!(!wireless().contains(&name));
    }
}
