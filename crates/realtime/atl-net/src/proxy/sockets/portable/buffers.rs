//! Arrivals, in as few calls as the system takes.

use std::io::{self, IoSliceMut};

use atl_core::time::Time;
use noq_udp::{BATCH_SIZE, RecvMeta};

use super::socket::Socket;
use crate::proxy::counters::Counters;
use crate::proxy::sockets::joint::Take;

/// Room for the longest message.
const ROOM: usize = 65_536;
/// Datagrams taken from a socket at once, so that departures are not held up: the call that reaches
/// this is the last.
const AT_ONCE: usize = 256;

/// Room for what arrives.
#[derive(Debug)]
pub struct Buffers {
    bytes: Vec<u8>,
    about: [RecvMeta; BATCH_SIZE],
}

impl Buffers {
    pub(super) fn new() -> Self {
        Buffers { bytes: vec![0; BATCH_SIZE * ROOM], about: [RecvMeta::default(); BATCH_SIZE] }
    }

    /// Reads the datagrams in a socket's buffer, up to some hundred; true if more may be left.
    pub(super) fn drain(
        &mut self,
        socket: &Socket,
        counters: &Counters,
        now: &dyn Fn() -> Time,
        take: &mut Take<'_>,
    ) -> io::Result<bool> {
        let mut taken = 0;
        while taken < AT_ONCE {
            match self.batch(socket, now, take) {
                Ok((messages, datagrams)) => {
                    counters.read(messages, datagrams);
                    taken += datagrams.max(1);
                }
                Err(error) if is_news(&error) => counters.add(|c| &c.refused, 1),
                Err(error) => {
                    return match error.kind() {
                        io::ErrorKind::WouldBlock => Ok(false),
                        // The datagrams are still there the next time.
                        io::ErrorKind::Interrupted | io::ErrorKind::OutOfMemory => Ok(true),
                        _ => Err(error),
                    };
                }
            }
        }
        Ok(true)
    }

    /// One call: how many messages and datagrams it brought.
    fn batch(
        &mut self,
        socket: &Socket,
        now: &dyn Fn() -> Time,
        take: &mut Take<'_>,
    ) -> io::Result<(usize, usize)> {
        let mut parts = self.bytes.chunks_exact_mut(ROOM);
        let mut slices: [IoSliceMut<'_>; BATCH_SIZE] =
            std::array::from_fn(|_| IoSliceMut::new(parts.next().unwrap_or_default()));
        let about = &mut self.about;
        // The set hears of a socket that has no more, and tells when it has again.
        let messages = socket
            .socket
            .try_io(|| socket.state.recv((&socket.socket).into(), &mut slices, about))?;
        let at = now();
        let mut datagrams = 0;
        for (bytes, about) in slices.iter().zip(&self.about).take(messages) {
            if !socket.hears(about.addr) {
                continue;
            }
            let (class, from) = (about.ecn.map_or(0, |ecn| ecn as u8), Some(about.addr));
            let (head, rest) = bytes[..about.len].split_at(about.stride.min(about.len));
            // A datagram without bytes is one.
            for datagram in std::iter::once(head).chain(rest.chunks(about.stride.max(1))) {
                datagrams += 1;
                take(at, datagram, from, class);
            }
        }
        Ok((messages, datagrams))
    }
}

/// True of errors by which a socket reports an ICMP message about an earlier datagram, as Windows
/// does where it cannot be told not to. Reading such an error clears it.
fn is_news(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionReset)
}
