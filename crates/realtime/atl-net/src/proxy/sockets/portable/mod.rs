//! Sockets of any system that has them: one datagram at a time where the system knows no batches.

mod buffers;
mod patience;
mod socket;

use std::io;
use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use atl_core::time::{Span, Time};
use atl_link::relay::Frame;
use mio::{Events, Interest, Poll, Token};

use super::joint::{Side, Sockets, Take, To};
use crate::proxy::counters::Counters;
pub use buffers::Buffers;
use patience::Step;
pub use socket::Socket;

/// Sockets told at once to be ready; more are told the next time.
const AT_ONCE: usize = 64;

/// Portable sockets.
#[derive(Debug)]
pub struct Portable {
    poll: Poll,
    events: Events,
    /// Numbers of sockets in which datagrams wait. The system tells only of new ones.
    ready: Vec<u64>,
}

impl Portable {
    fn add(&self, socket: &mut Socket, number: u64) -> io::Result<()> {
        // As many sockets as fit into an address space.
        let token = Token(number as usize);
        self.poll.registry().register(&mut socket.socket, token, Interest::READABLE)
    }

    /// Asks which sockets are ready, and waits for one for that long.
    fn look(&mut self, longest: Duration) -> io::Result<()> {
        match self.poll.poll(&mut self.events, Some(longest)) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(()),
            looked => looked?,
        }
        for event in &self.events {
            let number = event.token().0 as u64;
            if !self.ready.contains(&number) {
                self.ready.push(number);
            }
        }
        Ok(())
    }
}

impl Sockets for Portable {
    type Socket = Socket;
    type Buffers = Buffers;

    fn new() -> io::Result<Self> {
        let events = Events::with_capacity(AT_ONCE);
        Ok(Portable { poll: Poll::new()?, events, ready: Vec::new() })
    }

    fn listen(&self, at: SocketAddr, number: u64) -> io::Result<(Socket, SocketAddr)> {
        let (mut socket, local) = Socket::open(at, None)?;
        self.add(&mut socket, number)?;
        Ok((socket, local))
    }

    fn connect(&self, to: SocketAddr, number: u64) -> io::Result<(Socket, SocketAddr)> {
        let (mut socket, local) = Socket::towards(to)?;
        self.add(&mut socket, number)?;
        Ok((socket, local))
    }

    fn remove(&self, socket: &mut Socket) {
        // It is closed in any case.
        let _ = self.poll.registry().deregister(&mut socket.socket);
    }

    /// Waits with the system's own call as long as that comes back on time, and then in naps, with
    /// a look at the sockets after each. Frames leave late by what a nap is too long: about 0.1 ms
    /// on Linux, half a millisecond on Windows. On macOS the call is exact, but for timers that
    /// the system puts off to save energy.
    fn wait(&mut self, longest: Span) -> io::Result<()> {
        let end = Instant::now() + Duration::from_nanos(longest.nanos());
        while self.ready.is_empty() {
            let left = end.saturating_duration_since(Instant::now());
            match patience::step(left) {
                Step::Last(call) => return self.look(call),
                Step::Call(call) => self.look(call)?,
                Step::Nap(nap) => {
                    self.look(Duration::ZERO)?;
                    if self.ready.is_empty() {
                        thread::sleep(nap);
                    }
                }
            }
        }
        Ok(())
    }

    fn ready(&mut self, numbers: &mut Vec<u64>) -> io::Result<()> {
        self.look(Duration::ZERO)?;
        numbers.append(&mut self.ready);
        Ok(())
    }

    fn again(&mut self, number: u64) {
        self.ready.push(number);
    }

    fn buffers(_listening: &Socket) -> Buffers {
        Buffers::new()
    }

    fn receive(
        buffers: &mut Buffers,
        _from: Side,
        socket: &Socket,
        counters: &Counters,
        now: &dyn Fn() -> Time,
        take: &mut Take<'_>,
    ) -> io::Result<bool> {
        buffers.drain(socket, counters, now, take)
    }

    fn send(
        _buffers: &mut Buffers,
        socket: &Socket,
        frames: &[Frame],
        to: &dyn Fn(&Frame) -> Option<To>,
        counters: &Counters,
    ) {
        for frame in frames {
            match to(frame) {
                Some(To::Peer(address) | To::Address(address)) => {
                    socket.send(frame, address, counters);
                }
                None => counters.add(|c| &c.stray, 1),
            }
        }
    }

    /// Systems tell this in ways of their own, if at all.
    fn overflowed<'a>(
        _buffers: &Buffers,
        _listening: &'a Socket,
        _others: impl Iterator<Item = &'a Socket>,
    ) -> u64 {
        0
    }
}
