//! The traffic class of datagrams, with its code point and its ECN field (RFC 3168, sec. 5), which
//! sockets take and give in control messages.

use std::io::{self, IoSlice, IoSliceMut};
use std::net::{SocketAddr, UdpSocket};
use std::os::fd::RawFd;

use atl_link::relay::Frame;
use atl_link::{Ecn, Packet as _};
use nix::cmsg_space;
use nix::errno::Errno;
use nix::sys::socket::{
    ControlMessage, ControlMessageOwned, MsgFlags, SockaddrStorage, recvmsg, send, sendmsg,
    setsockopt, sockopt,
};

/// Asks the system for the class of each datagram that a socket receives. A socket of IPv6 may
/// carry IPv4 too, whose class comes in another message.
///
/// # Errors
/// If the system refuses.
pub fn ask(socket: &UdpSocket) -> io::Result<()> {
    let is_v4 = socket.local_addr()?.is_ipv4();
    match setsockopt(socket, sockopt::IpRecvTos, &true) {
        Ok(()) => {}
        // A socket that carries IPv6 alone has no such option.
        Err(Errno::ENOPROTOOPT | Errno::EINVAL) if !is_v4 => {}
        Err(error) => return Err(error.into()),
    }
    if !is_v4 {
        setsockopt(socket, sockopt::Ipv6RecvTClass, &true)?;
    }
    Ok(())
}

/// Sends a datagram over a connected socket of IPv4 with this field, without waiting.
///
/// # Errors
/// If no buffer takes it, or the system refuses.
pub fn send_with(socket: RawFd, datagram: &[u8], ecn: Ecn) -> nix::Result<usize> {
    // The field of a socket's datagrams is clear by itself.
    if ecn == Ecn::NotEct {
        return send(socket, datagram, MsgFlags::MSG_DONTWAIT);
    }
    let class = ecn as u8;
    let (content, messages) = ([IoSlice::new(datagram)], [ControlMessage::Ipv4Tos(&class)]);
    sendmsg::<SockaddrStorage>(socket, &content, &messages, MsgFlags::MSG_DONTWAIT, None)
}

/// The next datagram that waits in a socket that was [asked](ask) for the field: its length and
/// its field. `room` is [`room`]'s, and can be used again.
///
/// # Errors
/// [`Errno::EAGAIN`] if none waits, or that of the socket.
pub fn receive(socket: RawFd, buffer: &mut [u8], room: &mut [u8]) -> nix::Result<(usize, Ecn)> {
    let mut content = [IoSliceMut::new(buffer)];
    let flags = MsgFlags::MSG_DONTWAIT;
    let message = recvmsg::<SockaddrStorage>(socket, &mut content, Some(room), flags)?;
    let class = message.cmsgs().into_iter().flatten().find_map(of);
    Ok((message.bytes, Ecn::of_class(class.unwrap_or(0))))
}

/// Room for the messages of a datagram, or of several that came as one.
pub fn room() -> Vec<u8> {
    // A type of service and a traffic class: no datagram has both, and room costs nothing. And a
    // length.
    cmsg_space!(i32, i32, i32)
}

/// Room for the message of a datagram that is sent.
pub(crate) fn room_of_one() -> Vec<u8> {
    cmsg_space!(i32)
}

/// Room for the messages of datagrams that are sent as one: a class and a length.
pub(crate) fn room_of_two() -> Vec<u8> {
    cmsg_space!(i32, u16)
}

/// The class in one of a datagram's messages, if it is that which tells.
pub(crate) fn of(message: ControlMessageOwned) -> Option<u8> {
    match message {
        ControlMessageOwned::Ipv4Tos(class) => Some(class),
        ControlMessageOwned::Ipv6TClass(class) => Some(class as u8),
        _ => None,
    }
}

/// The class that a frame leaves with.
pub(crate) fn class(frame: &Frame) -> u8 {
    frame.dscp() << 2 | frame.ecn() as u8
}

/// A class for datagrams to an address of either family, in the forms that messages refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    v4: bool,
    of_service: u8,
    class: i32,
}

impl Stamp {
    pub(crate) fn new(class: u8, to: SocketAddr) -> Self {
        let v4 = match to {
            SocketAddr::V4(_) => true,
            SocketAddr::V6(to) => to.ip().to_ipv4_mapped().is_some(),
        };
        Stamp { v4, of_service: class, class: i32::from(class) }
    }

    /// True if there is nothing to say: the class of a socket's datagrams is 0 by itself.
    pub(crate) fn is_clear(self) -> bool {
        self.of_service == 0
    }

    pub(crate) fn message(&self) -> ControlMessage<'_> {
        match self.v4 {
            true => ControlMessage::Ipv4Tos(&self.of_service),
            false => ControlMessage::Ipv6TClass(&self.class),
        }
    }
}
