//! Batches of datagrams, one system call for each.

use std::io::{self, IoSlice, IoSliceMut};
use std::net::SocketAddr;
use std::os::fd::{AsRawFd as _, BorrowedFd};

use atl_core::time::Time;
use nix::errno::Errno;
use nix::sys::socket::{
    ControlMessage, MsgFlags, MultiHeaders, SockaddrStorage, recvmmsg, sendmmsg,
};

use super::counters::Counters;
use atl_link::relay::Frame;

/// Datagrams per system call.
pub(super) const BATCH: usize = 64;
/// Room for the longest datagram, and some bytes more so that the buffers of a batch start on
/// different cache lines.
const ROOM: usize = 65_536 + 192;

/// Takes a datagram: when it was read, its bytes, and its sender where the socket is not connected.
pub(super) type Take<'a> = dyn FnMut(Time, &[u8], Option<SocketAddr>) + 'a;

/// Buffers for a batch of arrivals from sockets of one family of addresses.
#[derive(Debug)]
pub(super) struct Inbox {
    headers: MultiHeaders<SockaddrStorage>,
    buffers: Vec<u8>,
}

impl Inbox {
    pub(super) fn new() -> Self {
        Inbox { headers: MultiHeaders::preallocate(BATCH, None), buffers: vec![0; BATCH * ROOM] }
    }

    /// Reads the datagrams in a socket's buffer, in at most `rounds` batches. The time of a batch
    /// is taken after it was read: before that, a datagram of it may not have been sent yet. The
    /// senders' addresses are known for unconnected sockets.
    ///
    /// # Errors
    /// If the socket is broken. ICMP errors of earlier datagrams are only counted.
    pub(super) fn drain(
        &mut self,
        socket: BorrowedFd<'_>,
        rounds: usize,
        counters: &Counters,
        now: &dyn Fn() -> Time,
        take: &mut Take<'_>,
    ) -> io::Result<()> {
        for _ in 0..rounds {
            match self.batch(socket, now, take) {
                Ok(count) => {
                    counters.add(|c| &c.received, count as u64);
                    if count < BATCH {
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

    fn batch(
        &mut self,
        socket: BorrowedFd<'_>,
        now: &dyn Fn() -> Time,
        take: &mut Take<'_>,
    ) -> nix::Result<usize> {
        let mut parts = self.buffers.chunks_exact_mut(ROOM);
        let mut slices: [[IoSliceMut<'_>; 1]; BATCH] =
            std::array::from_fn(|_| [IoSliceMut::new(parts.next().unwrap_or_default())]);
        let flags = MsgFlags::MSG_DONTWAIT;
        let arrived =
            recvmmsg(socket.as_raw_fd(), &mut self.headers, slices.iter_mut(), flags, None)?;
        let at = now();
        let mut count = 0;
        for message in arrived {
            count += 1;
            // A datagram without bytes has no slice.
            take(at, message.iovs().next().unwrap_or_default(), message.address.and_then(address));
        }
        Ok(count)
    }
}

/// Buffers for sending batches.
#[derive(Debug)]
pub(super) struct Outbox {
    headers: MultiHeaders<SockaddrStorage>,
    addresses: Vec<Option<SockaddrStorage>>,
}

impl Outbox {
    pub(super) fn new() -> Self {
        let headers = MultiHeaders::preallocate(BATCH, None);
        Outbox { headers, addresses: Vec::with_capacity(BATCH) }
    }

    /// Sends frames to the destination that `to` gives: none (`None`), the socket's peer
    /// (`Some(None)`), or an address. Frames that cannot be sent are counted.
    pub(super) fn send(
        &mut self,
        socket: BorrowedFd<'_>,
        frames: &[Frame],
        to: &dyn Fn(&Frame) -> Option<Option<SocketAddr>>,
        counters: &Counters,
    ) {
        for chunk in frames.chunks(BATCH) {
            self.addresses.clear();
            let mut slices = [[IoSlice::new(&[])]; BATCH];
            for frame in chunk {
                match to(frame) {
                    Some(address) => {
                        slices[self.addresses.len()] = [IoSlice::new(&frame.bytes)];
                        self.addresses.push(address.map(SockaddrStorage::from));
                    }
                    None => counters.add(|c| &c.stray, 1),
                }
            }
            self.send_all(socket, &slices[..self.addresses.len()], counters);
        }
    }

    fn send_all(
        &mut self,
        socket: BorrowedFd<'_>,
        slices: &[[IoSlice<'_>; 1]],
        counters: &Counters,
    ) {
        let mut done = 0;
        while done < slices.len() {
            let none: [ControlMessage<'_>; 0] = [];
            let sent = sendmmsg(
                socket.as_raw_fd(),
                &mut self.headers,
                &slices[done..],
                &self.addresses[done..],
                none,
                MsgFlags::MSG_DONTWAIT,
            );
            match sent.map(Iterator::count) {
                // Fewer than asked for: the next call returns the error.
                Ok(sent) => {
                    counters.add(|c| &c.sent, sent as u64);
                    done += sent;
                }
                Err(Errno::EINTR) => {}
                // An ICMP error of an earlier datagram: this batch was not tried.
                Err(error) if is_news(error) => counters.add(|c| &c.refused, 1),
                Err(error) => {
                    let full = matches!(error, Errno::EAGAIN | Errno::ENOBUFS | Errno::ENOMEM);
                    counters.add(if full { |c| &c.no_room } else { |c| &c.unsendable }, 1);
                    done += 1;
                }
            }
        }
    }
}

/// True of errors by which a connected socket reports an ICMP message about an earlier datagram.
/// Reading such an error clears it.
fn is_news(error: Errno) -> bool {
    matches!(error, Errno::ECONNREFUSED)
}

fn address(storage: SockaddrStorage) -> Option<SocketAddr> {
    let v4 = storage.as_sockaddr_in().map(|a| SocketAddr::V4((*a).into()));
    v4.or_else(|| storage.as_sockaddr_in6().map(|a| SocketAddr::V6((*a).into())))
}
