//! The socket that clients send to, and the sockets towards the server.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use atl_core::time::Time;

use super::clients::{Client, Clients, Limits};
use super::counters::Counters;
use super::sockets::{Native, Sockets};

/// Number of the listening socket in the set of sockets; clients are numbered from 1.
pub(super) const LISTENING: u64 = 0;

/// A bound socket for clients, and the address that they are connected to.
#[derive(Debug)]
pub struct Listener<S: Sockets = Native> {
    socket: S::Socket,
    local: SocketAddr,
    to: SocketAddr,
    sockets: S,
    limits: Limits,
    counters: Arc<Counters>,
}

impl Listener {
    /// Listens at `listen`, where port 0 means any free one, on behalf of a server at `to`.
    ///
    /// # Errors
    /// If the address cannot be used.
    pub fn bind(listen: SocketAddr, to: SocketAddr, limits: Limits) -> io::Result<Self> {
        Listener::over(listen, to, limits)
    }
}

impl<S: Sockets> Listener<S> {
    /// The same with sockets of this kind: `Listener::<Portable>::over`.
    ///
    /// # Errors
    /// If the address cannot be used.
    pub fn over(listen: SocketAddr, to: SocketAddr, limits: Limits) -> io::Result<Self> {
        let sockets = S::new()?;
        let (socket, local) = sockets.listen(listen, LISTENING)?;
        Ok(Listener { socket, local, to, sockets, limits, counters: Arc::default() })
    }

    /// The address that clients send to.
    pub fn local_addr(&self) -> SocketAddr {
        self.local
    }

    /// The server's address, the peer of clients' sockets.
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

    pub(super) fn socket(&self) -> &S::Socket {
        &self.socket
    }

    pub(super) fn sockets(&mut self) -> &mut S {
        &mut self.sockets
    }

    /// Gives a new client a socket of its own; `None`, which is counted, if there are too many
    /// clients or the system refuses.
    pub(super) fn connect(
        &self,
        clients: &mut Clients<S::Socket>,
        address: SocketAddr,
        now: Time,
    ) -> Option<u64> {
        let id = clients.next_id().and_then(|id| {
            let (socket, local) = self.sockets.connect(self.to, id).ok()?;
            clients.insert(id, Client { address, socket, local, seen: now });
            Some(id)
        });
        self.counters.add(if id.is_some() { |c| &c.clients } else { |c| &c.refused_clients }, 1);
        id
    }
}
