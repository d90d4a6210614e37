//! A UDP socket whose datagrams carry the ECN field.

use std::io;
use std::net::SocketAddr;

use atl_link::Packet as _;
use atl_link::relay::Frame;
use mio::net::UdpSocket;
use noq_udp::{EcnCodepoint, Transmit, UdpSocketState};

use crate::proxy::counters::Counters;
use crate::proxy::sockets::joint::{BUFFER_BYTES, any_like};

/// A socket. It is not connected, since some systems then take no address with a datagram.
#[derive(Debug)]
pub struct Socket {
    pub(super) socket: UdpSocket,
    pub(super) state: UdpSocketState,
    /// The one address from which it takes datagrams.
    peer: Option<SocketAddr>,
}

impl Socket {
    /// A socket at an address, and that address, with the port that it got.
    pub(super) fn open(
        at: SocketAddr,
        peer: Option<SocketAddr>,
    ) -> io::Result<(Socket, SocketAddr)> {
        let socket = std::net::UdpSocket::bind(at)?;
        let local = socket.local_addr()?;
        let state = UdpSocketState::new((&socket).into())?;
        // As large as the system grants: some refuse what is above their limit.
        let sizes = || (0..6).map(|halved| BUFFER_BYTES >> halved);
        let _ = sizes().find(|size| state.set_recv_buffer_size((&socket).into(), *size).is_ok());
        let _ = sizes().find(|size| state.set_send_buffer_size((&socket).into(), *size).is_ok());
        Ok((Socket { socket: UdpSocket::from_std(socket), state, peer }, local))
    }

    /// A socket at the address from which this machine reaches `to`, its peer.
    pub(super) fn towards(to: SocketAddr) -> io::Result<(Socket, SocketAddr)> {
        let way = std::net::UdpSocket::bind(any_like(to))?;
        way.connect(to)?;
        let mut local = way.local_addr()?;
        local.set_port(0);
        Socket::open(local, Some(to))
    }

    /// True of an address from which it takes datagrams.
    pub(super) fn hears(&self, from: SocketAddr) -> bool {
        // Systems do not agree on the other parts of an address of IPv6.
        self.peer.is_none_or(|peer| (peer.ip(), peer.port()) == (from.ip(), from.port()))
    }

    /// Sends a frame with its ECN field.
    pub(super) fn send(&self, frame: &Frame, destination: SocketAddr, counters: &Counters) {
        let transmit = Transmit {
            destination,
            ecn: EcnCodepoint::from_bits(frame.ecn() as u8),
            contents: &frame.bytes,
            segment_size: None,
            src_ip: None,
        };
        match self.state.try_send((&self.socket).into(), &transmit) {
            Ok(()) => {
                counters.add(|c| &c.sent, 1);
                counters.add(|c| &c.sending_calls, 1);
                counters.add(|c| &c.messages_sent, 1);
            }
            Err(error) => {
                let none = is_unsendable(&error);
                counters.add(if none { |c| &c.unsendable } else { |c| &c.no_room }, 1);
            }
        }
    }
}

/// True if no buffer that becomes free will help: the datagram is too long, or has no way. Systems
/// name a full buffer in several ways (`EAGAIN`, `ENOBUFS`), which are the other errors.
fn is_unsendable(error: &io::Error) -> bool {
    let kinds = [
        io::ErrorKind::AddrNotAvailable,
        io::ErrorKind::HostUnreachable,
        io::ErrorKind::InvalidInput,
        io::ErrorKind::NetworkDown,
        io::ErrorKind::NetworkUnreachable,
        io::ErrorKind::PermissionDenied,
    ];
    noq_udp::is_msg_size_err(error) || kinds.contains(&error.kind())
}
