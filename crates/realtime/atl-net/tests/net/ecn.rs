//! The ECN field of real datagrams: sockets on both sides set it and read it.

use std::io::IoSliceMut;
use std::net::UdpSocket;
use std::os::fd::AsRawFd as _;
use std::time::Duration;

use atl_link::Ecn;
use nix::cmsg_space;
use nix::sys::socket::{
    ControlMessageOwned, MsgFlags, SockaddrStorage, recvmsg, setsockopt, sockopt,
};

/// A socket whose datagrams have this field, and which asks for that of arrivals.
pub(crate) fn socket(address: &str, ecn: Ecn) -> UdpSocket {
    let socket = UdpSocket::bind(address).expect("an address of this machine");
    socket.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout");
    if socket.local_addr().expect("bound").is_ipv4() {
        setsockopt(&socket, sockopt::IpRecvTos, &true).expect("an option of IPv4");
    } else {
        setsockopt(&socket, sockopt::Ipv6RecvTClass, &true).expect("an option of IPv6");
    }
    send_as(&socket, ecn);
    socket
}

/// Gives the datagrams that the socket sends from now on this field.
pub(crate) fn send_as(socket: &UdpSocket, ecn: Ecn) {
    send_in_class(socket, ecn as u8);
}

/// Gives the datagrams that the socket sends from now on this traffic class.
pub(crate) fn send_in_class(socket: &UdpSocket, class: u8) {
    let class = i32::from(class);
    if socket.local_addr().expect("bound").is_ipv4() {
        setsockopt(socket, sockopt::Ipv4Tos, &class).expect("an option of IPv4");
    } else {
        setsockopt(socket, sockopt::Ipv6TClass, &class).expect("an option of IPv6");
    }
}

/// The length and the two bits of the next datagram.
pub(crate) fn receive(socket: &UdpSocket) -> (usize, u8) {
    let (bytes, class) = receive_class(socket);
    (bytes, class & 0b11)
}

/// The length and the traffic class of the next datagram.
pub(crate) fn receive_class(socket: &UdpSocket) -> (usize, u8) {
    let mut buffer = [0; 2048];
    let mut messages = cmsg_space!(i32, i32);
    let mut slices = [IoSliceMut::new(&mut buffer)];
    let room = Some(&mut messages[..]);
    let arrived =
        recvmsg::<SockaddrStorage>(socket.as_raw_fd(), &mut slices, room, MsgFlags::empty())
            .expect("a datagram in time");
    let class = arrived.cmsgs().expect("room").find_map(|message| match message {
        ControlMessageOwned::Ipv4Tos(class) => Some(class),
        ControlMessageOwned::Ipv6TClass(class) => Some(class as u8),
        _ => None,
    });
    (arrived.bytes, class.expect("the system tells"))
}
