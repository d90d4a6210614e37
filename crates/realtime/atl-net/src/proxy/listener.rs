//! The socket that clients send to, and the sockets towards the server.

use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;

use atl_core::time::Time;
use nix::sys::epoll::{Epoll, EpollCreateFlags, EpollEvent, EpollFlags};
use nix::sys::socket::{setsockopt, sockopt};

use super::clients::{Client, Clients, Limits};
use super::counters::Counters;
use super::inbox;
use crate::ecn;

/// Number of the listening socket in the set of descriptors; clients are numbered from 1.
pub(super) const LISTENING: u64 = 0;
/// Bytes that a socket's buffers are asked to hold: 67 ms at 1 Gb/s.
const BUFFER_BYTES: usize = 8 << 20;

/// A bound socket for clients, and the address that they are connected to.
#[derive(Debug)]
pub struct Listener {
    socket: UdpSocket,
    local: SocketAddr,
    to: SocketAddr,
    epoll: Epoll,
    limits: Limits,
    counters: Arc<Counters>,
}

impl Listener {
    /// Listens at `listen`, where port 0 means any free one, on behalf of a server at `to`.
    ///
    /// # Errors
    /// If the address cannot be used.
    pub fn bind(listen: SocketAddr, to: SocketAddr, limits: Limits) -> io::Result<Self> {
        let socket = open(listen)?;
        let local = socket.local_addr()?;
        let epoll = Epoll::new(EpollCreateFlags::EPOLL_CLOEXEC)?;
        epoll.add(&socket, readable(LISTENING))?;
        Ok(Listener { socket, local, to, epoll, limits, counters: Arc::default() })
    }

    /// The address that clients send to.
    pub fn local_addr(&self) -> SocketAddr {
        self.local
    }

    /// The server's address, as clients' sockets are connected to it.
    pub(super) fn to(&self) -> SocketAddr {
        self.to
    }

    /// Counts of datagrams outside the links.
    pub fn counters(&self) -> &Arc<Counters> {
        &self.counters
    }

    pub(super) fn limits(&self) -> Limits {
        self.limits
    }

    pub(super) fn socket(&self) -> &UdpSocket {
        &self.socket
    }

    pub(super) fn epoll(&self) -> &Epoll {
        &self.epoll
    }

    /// Gives a new client a socket of its own; `None`, which is counted, if there are too many
    /// clients or the system refuses.
    pub(super) fn connect(
        &self,
        clients: &mut Clients,
        address: SocketAddr,
        now: Time,
    ) -> Option<u64> {
        let connected = || -> io::Result<Client> {
            let socket = open(any_like(self.to))?;
            socket.connect(self.to)?;
            let local = socket.local_addr()?;
            Ok(Client { address, socket, local, seen: now })
        };
        let id = clients.next_id().and_then(|id| {
            let client = connected().ok()?;
            self.epoll.add(&client.socket, readable(id)).ok()?;
            clients.insert(id, client);
            Some(id)
        });
        self.counters.add(if id.is_some() { |c| &c.clients } else { |c| &c.refused_clients }, 1);
        id
    }
}

/// A socket that does not block, with buffers as large as the system grants; only root gets more
/// than its limit.
fn open(address: SocketAddr) -> io::Result<UdpSocket> {
    let socket = UdpSocket::bind(address)?;
    socket.set_nonblocking(true)?;
    ecn::ask(&socket)?;
    inbox::join(&socket);
    if setsockopt(&socket, sockopt::RcvBufForce, &BUFFER_BYTES).is_err() {
        let _ = setsockopt(&socket, sockopt::RcvBuf, &BUFFER_BYTES);
    }
    if setsockopt(&socket, sockopt::SndBufForce, &BUFFER_BYTES).is_err() {
        let _ = setsockopt(&socket, sockopt::SndBuf, &BUFFER_BYTES);
    }
    Ok(socket)
}

/// The event to watch a socket for.
fn readable(data: u64) -> EpollEvent {
    EpollEvent::new(EpollFlags::EPOLLIN, data)
}

/// The unspecified address of the family of `other`, with any port.
fn any_like(other: SocketAddr) -> SocketAddr {
    match other {
        SocketAddr::V4(_) => SocketAddr::from(([0, 0, 0, 0], 0)),
        SocketAddr::V6(_) => SocketAddr::from(([0_u16; 8], 0)),
    }
}
