//! Sockets whose datagrams come and leave in batches: `recvmmsg`, `sendmmsg`, `UDP_GRO`,
//! `UDP_SEGMENT`, `epoll`.

mod batch;
mod inbox;
mod outbox;
mod overflow;
mod parcel;

use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::os::fd::AsFd as _;

use atl_core::time::{Span, Time};
use atl_link::relay::Frame;
use nix::errno::Errno;
use nix::sys::epoll::{Epoll, EpollCreateFlags, EpollEvent, EpollFlags, EpollTimeout};
use nix::sys::socket::{setsockopt, sockopt};

use crate::proxy::Counters;
use crate::proxy::sockets::joint::{BUFFER_BYTES, Side, Sockets, Take, To, any_like};
use crate::{ecn, wait};
use batch::BATCH;
use inbox::Inbox;
use outbox::Outbox;

/// The system's own sockets.
#[derive(Debug)]
pub struct Native {
    epoll: Epoll,
}

/// Buffers for batches. They belong to the thread on which they were made.
#[derive(Debug)]
pub struct Buffers {
    /// From clients.
    arrivals: Inbox,
    /// From the server, which may have another family of addresses than the clients.
    answers: Inbox,
    outbox: Outbox,
}

impl Native {
    fn add(&self, socket: &UdpSocket, number: u64) -> io::Result<()> {
        self.epoll.add(socket, EpollEvent::new(EpollFlags::EPOLLIN, number))?;
        Ok(())
    }
}

impl Sockets for Native {
    type Socket = UdpSocket;
    type Buffers = Buffers;

    fn new() -> io::Result<Self> {
        Ok(Native { epoll: Epoll::new(EpollCreateFlags::EPOLL_CLOEXEC)? })
    }

    fn listen(&self, at: SocketAddr, number: u64) -> io::Result<(UdpSocket, SocketAddr)> {
        let socket = open(at)?;
        let local = socket.local_addr()?;
        self.add(&socket, number)?;
        Ok((socket, local))
    }

    fn connect(&self, to: SocketAddr, number: u64) -> io::Result<(UdpSocket, SocketAddr)> {
        let socket = open(any_like(to))?;
        socket.connect(to)?;
        let local = socket.local_addr()?;
        self.add(&socket, number)?;
        Ok((socket, local))
    }

    fn remove(&self, socket: &mut UdpSocket) {
        // Closing a socket removes it from the set; no other descriptor refers to it.
        let _ = self.epoll.delete(socket);
    }

    fn wait(&mut self, longest: Span) -> io::Result<()> {
        wait::readable([self.epoll.0.as_fd()], longest)
    }

    fn ready(&mut self, numbers: &mut Vec<u64>) -> io::Result<()> {
        let mut events = [EpollEvent::empty(); BATCH];
        let ready = match self.epoll.wait(&mut events, EpollTimeout::ZERO) {
            Ok(ready) => ready,
            Err(Errno::EINTR) => 0,
            Err(error) => return Err(error.into()),
        };
        numbers.extend(events[..ready].iter().map(EpollEvent::data));
        Ok(())
    }

    /// The set tells of a socket for as long as datagrams wait in it.
    fn again(&mut self, _number: u64) {}

    fn buffers(listening: &UdpSocket) -> Buffers {
        let outbox = Outbox::new(listening);
        Buffers { arrivals: Inbox::new(), answers: Inbox::new(), outbox }
    }

    fn receive(
        buffers: &mut Buffers,
        from: Side,
        socket: &UdpSocket,
        counters: &Counters,
        now: &dyn Fn() -> Time,
        take: &mut Take<'_>,
    ) -> io::Result<bool> {
        let inbox = match from {
            Side::Clients => &mut buffers.arrivals,
            Side::Server => &mut buffers.answers,
        };
        inbox.drain(socket, counters, now, take).map(|()| false)
    }

    fn send(
        buffers: &mut Buffers,
        socket: &UdpSocket,
        frames: &[Frame],
        to: &dyn Fn(&Frame) -> Option<To>,
        counters: &Counters,
    ) {
        buffers.outbox.send(socket, frames, to, counters);
    }

    fn overflowed<'a>(
        buffers: &Buffers,
        listening: &'a UdpSocket,
        others: impl Iterator<Item = &'a UdpSocket>,
    ) -> u64 {
        // The kernel counts messages.
        let up = buffers.arrivals.datagrams_in(overflow::of(std::iter::once(listening)));
        let down = buffers.answers.datagrams_in(overflow::of(others));
        up + down
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
