//! The UDP socket of either end.

use std::io;
use std::net::{SocketAddr, UdpSocket};

use socket2::{Domain, Protocol, Socket, Type};

/// Bytes that may wait in a socket for this program. The usual 208 KiB are full 1 ms after a core
/// has gone to another program at 1 Gb/s, and what comes then is lost as if by congestion. Linux
/// counts its own headers, and grants what `net.core.rmem_max` permits.
const WAITING_BYTES: usize = 4 << 20;

/// A socket at `address`; one at the unspecified address of IPv6 takes IPv4, too, where it can.
pub(crate) fn bind(address: SocketAddr) -> io::Result<UdpSocket> {
    let socket = Socket::new(Domain::for_address(address), Type::DGRAM, Some(Protocol::UDP))?;
    if address.is_ipv6() {
        // Without dual stack it still reaches IPv6.
        let _ = socket.set_only_v6(false);
    }
    // Some systems refuse what is above their limit instead of granting the limit.
    let mut sizes = (0..4).map(|halved| WAITING_BYTES >> halved);
    let _ = sizes.find(|bytes| socket.set_recv_buffer_size(*bytes).is_ok());
    socket.bind(&address.into())?;
    Ok(socket.into())
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr};
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_socket_of_ipv6_hears_ipv4() {
        // There are machines without IPv6.
        let Ok(socket) = bind((Ipv6Addr::UNSPECIFIED, 0).into()) else { return };
        socket.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let to = (Ipv4Addr::LOCALHOST, socket.local_addr().unwrap().port());
        let other = bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
        other.send_to(b"over IPv4", to).unwrap();
        let mut heard = [0; 16];
        let (bytes, from) = socket.recv_from(&mut heard).unwrap();
        assert_eq!(&heard[..bytes], b"over IPv4");
        assert_eq!(from.port(), other.local_addr().unwrap().port());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn as_many_bytes_may_wait_as_the_system_grants() {
        let most = std::fs::read_to_string("/proc/sys/net/core/rmem_max").unwrap();
        let granted = most.trim().parse::<usize>().unwrap().min(WAITING_BYTES);
        let socket = bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
        // Linux doubles what it is asked for, to have room for its headers (socket(7)).
        assert_eq!(Socket::from(socket).recv_buffer_size().unwrap(), 2 * granted);
    }
}
