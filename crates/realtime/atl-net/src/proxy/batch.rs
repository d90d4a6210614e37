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
use crate::ecn::{self, Stamp};
use atl_link::relay::Frame;

/// Datagrams per system call.
pub(super) const BATCH: usize = 64;
/// Room for the longest datagram, and some bytes more so that the buffers of a batch start on
/// different cache lines.
const ROOM: usize = 65_536 + 192;

/// Takes a datagram: when it was read, its bytes, its sender where the socket is not connected, and
/// its traffic class.
pub(super) type Take<'a> = dyn FnMut(Time, &[u8], Option<SocketAddr>, u8) + 'a;

/// The destination of a datagram.
#[derive(Clone, Copy, Debug)]
pub(super) enum To {
    /// That which the socket is connected to.
    Peer(SocketAddr),
    /// Given to the system with the datagram.
    Address(SocketAddr),
}

/// Buffers for a batch of arrivals from sockets of one family of addresses.
#[derive(Debug)]
pub(super) struct Inbox {
    headers: MultiHeaders<SockaddrStorage>,
    buffers: Vec<u8>,
}

impl Inbox {
    pub(super) fn new() -> Self {
        let headers = MultiHeaders::preallocate(BATCH, Some(ecn::room()));
        Inbox { headers, buffers: vec![0; BATCH * ROOM] }
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
            let class = message.cmsgs().map_or(0, ecn::of);
            // A datagram without bytes has no slice.
            let bytes = message.iovs().next().unwrap_or_default();
            take(at, bytes, message.address.and_then(address), class);
        }
        Ok(count)
    }
}

/// Buffers for sending batches.
#[derive(Debug)]
pub(super) struct Outbox {
    headers: MultiHeaders<SockaddrStorage>,
    /// With room for a message to the system.
    stamped: MultiHeaders<SockaddrStorage>,
    addresses: Vec<Option<SockaddrStorage>>,
    stamps: Vec<Stamp>,
}

impl Outbox {
    pub(super) fn new() -> Self {
        Outbox {
            headers: MultiHeaders::preallocate(BATCH, None),
            stamped: MultiHeaders::preallocate(BATCH, Some(ecn::room_of_one())),
            addresses: Vec::with_capacity(BATCH),
            stamps: Vec::with_capacity(BATCH),
        }
    }

    /// Sends frames to the destination that `to` gives, if any, with their traffic class. Frames
    /// that cannot be sent are counted.
    pub(super) fn send(
        &mut self,
        socket: BorrowedFd<'_>,
        frames: &[Frame],
        to: &dyn Fn(&Frame) -> Option<To>,
        counters: &Counters,
    ) {
        for chunk in frames.chunks(BATCH) {
            self.addresses.clear();
            self.stamps.clear();
            let mut slices = [[IoSlice::new(&[])]; BATCH];
            for frame in chunk {
                let (address, peer) = match to(frame) {
                    Some(To::Peer(peer)) => (None, peer),
                    Some(To::Address(address)) => (Some(address), address),
                    None => {
                        counters.add(|c| &c.stray, 1);
                        continue;
                    }
                };
                slices[self.addresses.len()] = [IoSlice::new(&frame.bytes)];
                self.addresses.push(address.map(SockaddrStorage::from));
                self.stamps.push(Stamp::new(ecn::class(frame), peer));
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
            // A call has the same messages for all of its datagrams.
            let stamp = self.stamps[done];
            let alike = self.stamps[done..].iter().take_while(|other| **other == stamp).count();
            let run = done..done + alike;
            let (none, one): ([ControlMessage<'_>; 0], _) = ([], [stamp.message()]);
            let (headers, messages) = match stamp.is_clear() {
                true => (&mut self.headers, &none[..]),
                false => (&mut self.stamped, &one[..]),
            };
            let sent = sendmmsg(
                socket.as_raw_fd(),
                headers,
                &slices[run.clone()],
                &self.addresses[run],
                messages,
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
