//! Names for what systems do in ways of their own.

use std::net::SocketAddr;
use std::{fmt, io};

use atl_core::time::{Span, Time};
use atl_link::relay::Frame;

use crate::proxy::counters::Counters;

/// Bytes that a socket's buffers are asked to hold: 67 ms at 1 Gb/s.
pub(crate) const BUFFER_BYTES: usize = 8 << 20;

/// The destination of a datagram.
#[derive(Clone, Copy, Debug)]
pub enum To {
    /// That of the socket.
    Peer(SocketAddr),
    /// Given to the system with the datagram.
    Address(SocketAddr),
}

/// The side that datagrams come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Clients, at the listening socket.
    Clients,
    /// The server, at the socket of a client.
    Server,
}

/// Takes a datagram: when it was read, its bytes, its sender where the socket has no peer, and its
/// traffic class.
pub type Take<'a> = dyn FnMut(Time, &[u8], Option<SocketAddr>, u8) + 'a;

/// Sockets of a system, in a set that can be waited for.
pub trait Sockets: fmt::Debug + Sized {
    /// A UDP socket that does not block.
    type Socket: fmt::Debug;
    /// Room for datagrams that come and leave, of one thread.
    type Buffers: fmt::Debug;

    /// An empty set.
    ///
    /// # Errors
    /// If the system has none left.
    fn new() -> io::Result<Self>;

    /// A socket for clients, in the set under this number. Gives its address too.
    ///
    /// # Errors
    /// If the address cannot be used.
    fn listen(&self, at: SocketAddr, number: u64) -> io::Result<(Self::Socket, SocketAddr)>;

    /// A socket whose peer is the server, in the set under this number. Gives its address too.
    ///
    /// # Errors
    /// If there is no way to the server, or no socket left.
    fn connect(&self, to: SocketAddr, number: u64) -> io::Result<(Self::Socket, SocketAddr)>;

    /// Removes a socket from the set, before it is closed.
    fn remove(&self, socket: &mut Self::Socket);

    /// Waits until datagrams wait in a socket of the set, or `longest` is over.
    ///
    /// # Errors
    /// If the system refuses to wait.
    fn wait(&mut self, longest: Span) -> io::Result<()>;

    /// Adds the numbers of sockets in which datagrams wait. It does not wait.
    ///
    /// # Errors
    /// If the set is broken.
    fn ready(&mut self, numbers: &mut Vec<u64>) -> io::Result<()>;

    /// Datagrams still wait in a socket that was told to be ready.
    fn again(&mut self, number: u64);

    /// Buffers for a listening socket and those of its clients, on the calling thread.
    fn buffers(listening: &Self::Socket) -> Self::Buffers;

    /// Reads the datagrams in a socket's buffer, up to some hundred; true if more may be left. The
    /// time of a batch is taken after it was read: before that, a datagram of it may not have been
    /// sent yet.
    ///
    /// # Errors
    /// If the socket is broken. ICMP errors of earlier datagrams are only counted.
    fn receive(
        buffers: &mut Self::Buffers,
        from: Side,
        socket: &Self::Socket,
        counters: &Counters,
        now: &dyn Fn() -> Time,
        take: &mut Take<'_>,
    ) -> io::Result<bool>;

    /// Sends frames to the destination that `to` gives, if any, with their traffic class. Frames
    /// that cannot be sent are counted.
    fn send(
        buffers: &mut Self::Buffers,
        socket: &Self::Socket,
        frames: &[Frame],
        to: &dyn Fn(&Frame) -> Option<To>,
        counters: &Counters,
    );

    /// Datagrams that were lost because these sockets' buffers were full; 0 where the system does
    /// not tell.
    fn overflowed<'a>(
        buffers: &Self::Buffers,
        listening: &'a Self::Socket,
        others: impl Iterator<Item = &'a Self::Socket>,
    ) -> u64
    where
        Self::Socket: 'a;
}

/// The unspecified address of the family of `other`, with any port.
pub(crate) fn any_like(other: SocketAddr) -> SocketAddr {
    match other {
        SocketAddr::V4(_) => SocketAddr::from(([0, 0, 0, 0], 0)),
        SocketAddr::V6(_) => SocketAddr::from(([0_u16; 8], 0)),
    }
}
