//! The interface that packets to an address take.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::path::Path;

use nix::ifaddrs::getifaddrs;
use nix::net::if_::InterfaceFlags;

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
    let mut interfaces = getifaddrs().ok()?;
    let has = interfaces.find(|interface| {
        let address = interface.address.as_ref();
        let v4 = address.and_then(|address| address.as_sockaddr_in()).map(|v4| v4.ip().into());
        let v6 = address.and_then(|address| address.as_sockaddr_in6()).map(|v6| v6.ip().into());
        v4.or(v6) == Some(from)
    });
    has.map(|interface| interface.interface_name)
}

/// True for an 802.11 device of this machine (Linux; false elsewhere).
pub fn is_wireless(name: &str) -> bool {
    Path::new("/sys/class/net").join(name).join("phy80211").exists()
}

/// The 802.11 devices that are up and have an address, by name.
pub fn wireless() -> Vec<String> {
    let interfaces = getifaddrs().into_iter().flatten();
    let up = interfaces.filter(|interface| {
        interface.flags.contains(InterfaceFlags::IFF_UP)
            && interface.address.as_ref().is_some_and(|address| {
                address.as_sockaddr_in().is_some() || address.as_sockaddr_in6().is_some()
            })
    });
    let mut names: Vec<String> = up.map(|interface| interface.interface_name).collect();
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
