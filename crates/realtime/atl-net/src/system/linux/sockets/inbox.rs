//! Arrivals, read in batches.

use std::io::{self, IoSliceMut};
use std::net::{SocketAddr, UdpSocket};
use std::os::fd::AsRawFd as _;

use atl_core::time::Time;
use nix::errno::Errno;
use nix::sys::socket::{
    ControlMessageOwned, MsgFlags, MultiHeaders, SockaddrStorage, recvmmsg, setsockopt, sockopt,
};

use super::batch::{BATCH, is_news};
use crate::ecn;
use crate::proxy::Counters;
use crate::proxy::sockets::Take;

/// Room for the longest message, and some bytes more so that the buffers of a batch start on
/// different cache lines.
const ROOM: usize = 65_536 + 192;
/// Datagrams taken from a socket at once, so that departures are not held up: the call that reaches
/// this is the last.
const AT_ONCE: usize = 256;

/// Lets the system hand over datagrams of a socket that came together, of one sender, class and
/// length, in one message. It waits for none: they are what was sent as one message on this
/// machine, or what a device brought with one interrupt. Kernels before 5.0 cannot.
pub(super) fn join(socket: &UdpSocket) {
    let _ = setsockopt(socket, sockopt::UdpGroSegment, &true);
}

/// Buffers for a batch of arrivals from sockets of one family of addresses.
#[derive(Debug)]
pub(super) struct Inbox {
    headers: MultiHeaders<SockaddrStorage>,
    buffers: Vec<u8>,
    /// A header has less room for what the system tells than it needs: what its last message used.
    cramped: bool,
    /// Messages that the next call asks for.
    ask: usize,
    /// Messages and datagrams so far.
    so_far: (u64, u64),
}

impl Inbox {
    pub(super) fn new() -> Self {
        let buffers = vec![0; BATCH * ROOM];
        Inbox { headers: headers(), buffers, cramped: false, ask: BATCH, so_far: (0, 0) }
    }

    /// Estimates the datagrams in messages that were not read, by the mean of those that were.
    pub(super) fn datagrams_in(&self, messages: u64) -> u64 {
        let (of_messages, datagrams) = self.so_far;
        (u128::from(messages) * u128::from(datagrams.max(1)))
            .div_ceil(u128::from(of_messages.max(1))) as u64
    }

    /// Reads the datagrams in a socket's buffer, up to some hundred. The time of a batch is taken
    /// after it was read: before that, a datagram of it may not have been sent yet. The senders'
    /// addresses are known for unconnected sockets.
    ///
    /// # Errors
    /// If the socket is broken. ICMP errors of earlier datagrams are only counted.
    pub(super) fn drain(
        &mut self,
        socket: &UdpSocket,
        counters: &Counters,
        now: &dyn Fn() -> Time,
        take: &mut Take<'_>,
    ) -> io::Result<()> {
        let mut taken = 0;
        while taken < AT_ONCE {
            let asked = self.ask;
            match self.batch(socket, now, take) {
                Ok((messages, datagrams)) => {
                    counters.read(messages, datagrams);
                    self.so_far.0 += messages as u64;
                    self.so_far.1 += datagrams as u64;
                    taken += datagrams;
                    // Long messages hold many datagrams each: as few as give some hundred.
                    self.ask = (AT_ONCE * messages / datagrams.max(1)).clamp(4, BATCH);
                    if messages < asked {
                        return Ok(());
                    }
                }
                Err(Errno::EAGAIN) => return Ok(()),
                Err(Errno::EINTR) => {}
                Err(error) if is_news(error) => counters.add(|c| &c.refused, 1),
                // The kernel is short of memory: the datagrams are still there next time.
                Err(Errno::ENOBUFS | Errno::ENOMEM) => return Ok(()),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// One call: how many messages and datagrams it brought.
    fn batch(
        &mut self,
        socket: &UdpSocket,
        now: &dyn Fn() -> Time,
        take: &mut Take<'_>,
    ) -> nix::Result<(usize, usize)> {
        if std::mem::take(&mut self.cramped) {
            self.headers = headers();
        }
        let mut parts = self.buffers.chunks_exact_mut(ROOM);
        let mut slices: [[IoSliceMut<'_>; 1]; BATCH] =
            std::array::from_fn(|_| [IoSliceMut::new(parts.next().unwrap_or_default())]);
        let (fd, flags) = (socket.as_raw_fd(), MsgFlags::MSG_DONTWAIT);
        let asked = slices.iter_mut().take(self.ask);
        let arrived = recvmmsg(fd, &mut self.headers, asked, flags, None)?;
        let at = now();
        let (mut messages, mut datagrams) = (0, 0);
        for message in arrived {
            messages += 1;
            let (mut class, mut length) = (0, 0);
            for part in message.cmsgs().into_iter().flatten() {
                match part {
                    ControlMessageOwned::UdpGroSegments(segment) => length = segment as usize,
                    other => class = ecn::of(other).unwrap_or(class),
                }
            }
            self.cramped |= length == 0;
            // A datagram without bytes has no slice.
            let bytes = message.iovs().next().unwrap_or_default();
            let from = message.address.and_then(address);
            for datagram in datagrams_of(bytes, length) {
                datagrams += 1;
                take(at, datagram, from, class);
            }
        }
        Ok((messages, datagrams))
    }
}

fn headers() -> MultiHeaders<SockaddrStorage> {
    MultiHeaders::preallocate(BATCH, Some(ecn::room()))
}

/// The datagrams of a message: all of this length, but the last, which may be shorter. The message
/// is one datagram where the system tells no length (0).
fn datagrams_of(bytes: &[u8], length: usize) -> impl Iterator<Item = &[u8]> {
    let length = if length == 0 { bytes.len() } else { length };
    let (head, rest) = bytes.split_at(length.min(bytes.len()));
    std::iter::once(head).chain(rest.chunks(length.max(1)))
}

fn address(storage: SockaddrStorage) -> Option<SocketAddr> {
    let v4 = storage.as_sockaddr_in().map(|a| SocketAddr::V4((*a).into()));
    v4.or_else(|| storage.as_sockaddr_in6().map(|a| SocketAddr::V6((*a).into())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_read_is_taken_to_be_like_what_was() {
        let mut inbox = Inbox::new();
        assert_eq!(inbox.datagrams_in(3), 3, "nothing was read");
        inbox.so_far = (4, 90);
        assert_eq!(inbox.datagrams_in(3), 68, "rounded up");
        assert_eq!(inbox.datagrams_in(0), 0);
    }

    #[test]
    fn a_message_is_cut_into_its_datagrams() {
        let lengths = |bytes: usize, length| {
            let bytes = vec![0; bytes];
            datagrams_of(&bytes, length).map(<[u8]>::len).collect::<Vec<_>>()
        };
        assert_eq!(lengths(25, 10), [10, 10, 5]);
        assert_eq!(lengths(20, 10), [10, 10]);
        assert_eq!(lengths(7, 10), [7], "shorter than the system says");
        assert_eq!(lengths(7, 0), [7]);
        assert_eq!(lengths(0, 0), [0], "a datagram without bytes is one");
        assert_eq!(lengths(0, 10), [0]);
    }
}
