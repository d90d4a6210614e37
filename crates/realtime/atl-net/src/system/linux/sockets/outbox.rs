//! Departures, sent in batches.

use std::io::IoSlice;
use std::net::UdpSocket;
use std::os::fd::AsRawFd as _;

use nix::errno::Errno;
use nix::sys::socket::{
    ControlMessage, MsgFlags, MultiHeaders, SockaddrStorage, getsockopt, sendmmsg, sockopt,
};

use super::batch::{BATCH, is_news};
use super::parcel::{Departure, joined};
use crate::ecn;
use crate::proxy::Counters;
use crate::proxy::sockets::To;
use atl_link::relay::Frame;

/// Buffers for sending batches.
#[derive(Debug)]
pub(super) struct Outbox {
    /// With room for none, one and two messages to the system.
    headers: [MultiHeaders<SockaddrStorage>; 3],
    departures: Vec<Departure>,
    addresses: Vec<Option<SockaddrStorage>>,
    /// Length of the longest datagrams that leave several as one message. 0 where the system
    /// cannot.
    longest: usize,
}

impl Outbox {
    /// For sockets of the same system as this.
    pub(super) fn new(socket: &UdpSocket) -> Self {
        let room = [None, Some(ecn::room_of_one()), Some(ecn::room_of_two())];
        // A kernel that does not know the message (before 4.18) would send all as one datagram.
        let knows = getsockopt(socket, sockopt::UdpGsoSegment).is_ok();
        Outbox {
            headers: room.map(|room| MultiHeaders::preallocate(BATCH, room)),
            departures: Vec::with_capacity(BATCH),
            addresses: Vec::with_capacity(BATCH),
            longest: if knows { usize::from(u16::MAX) } else { 0 },
        }
    }

    /// Sends frames to the destination that `to` gives, if any, with their traffic class. Frames
    /// that cannot be sent are counted.
    pub(super) fn send(
        &mut self,
        socket: &UdpSocket,
        frames: &[Frame],
        to: &dyn Fn(&Frame) -> Option<To>,
        counters: &Counters,
    ) {
        for chunk in frames.chunks(BATCH) {
            self.departures.clear();
            let mut slices = [IoSlice::new(&[]); BATCH];
            for frame in chunk {
                let (address, peer) = match to(frame) {
                    Some(To::Peer(peer)) => (None, peer),
                    Some(To::Address(address)) => (Some(address), address),
                    None => {
                        counters.add(|c| &c.stray, 1);
                        continue;
                    }
                };
                slices[self.departures.len()] = IoSlice::new(&frame.bytes);
                let stamp = ecn::Stamp::new(ecn::class(frame), peer);
                self.departures.push(Departure { address, stamp, bytes: frame.bytes.len() });
            }
            self.send_all(socket, &slices[..self.departures.len()], counters);
        }
    }

    fn send_all(&mut self, socket: &UdpSocket, slices: &[IoSlice<'_>], counters: &Counters) {
        let mut done = 0;
        // Those before this one go one by one, since the system refused them as a message.
        let mut alone = 0;
        while done < slices.len() {
            // A call has the same messages to the system for all of its own.
            let first = self.departures[done];
            let longest = |from: usize| if from < alone { 0 } else { self.longest };
            let count = joined(&self.departures[done..], longest(done));
            let segment = if count > 1 { first.bytes } else { 0 };
            let mut parcels: [&[IoSlice<'_>]; BATCH] = [&[]; BATCH];
            let (mut many, mut end) = (0, done);
            self.addresses.clear();
            while let Some(next) = self.departures.get(end) {
                let count = joined(&self.departures[end..], longest(end));
                let fits = if count > 1 { next.bytes == segment } else { next.bytes <= segment };
                if next.stamp != first.stamp || !(fits || segment == 0 && count == 1) {
                    break;
                }
                parcels[many] = &slices[end..end + count];
                self.addresses.push(next.address.map(SockaddrStorage::from));
                (many, end) = (many + 1, end + count);
            }
            let length = segment as u16;
            let (class, length) = (first.stamp.message(), ControlMessage::UdpGsoSegments(&length));
            let all = [class, length];
            let messages = match (first.stamp.is_clear(), segment == 0) {
                (true, true) => &all[..0],
                (true, false) => &all[1..],
                (false, true) => &all[..1],
                (false, false) => &all,
            };
            let (fd, flags) = (socket.as_raw_fd(), MsgFlags::MSG_DONTWAIT);
            let headers = &mut self.headers[messages.len()];
            let sent = sendmmsg(fd, headers, &parcels[..many], &self.addresses, messages, flags);
            match sent.map(Iterator::count) {
                // Fewer than asked for: the next call returns the error.
                Ok(sent) => {
                    let datagrams: usize = parcels[..sent].iter().map(|parcel| parcel.len()).sum();
                    counters.add(|c| &c.sent, datagrams as u64);
                    counters.add(|c| &c.sending_calls, 1);
                    counters.add(|c| &c.messages_sent, sent as u64);
                    done += datagrams;
                }
                Err(Errno::EINTR) => {}
                // An ICMP error of an earlier datagram: this batch was not tried.
                Err(error) if is_news(error) => counters.add(|c| &c.refused, 1),
                Err(error) if count > 1 => {
                    alone = done + count;
                    match error {
                        // Longer than a packet on the way, where a single one is fragmented.
                        Errno::EINVAL | Errno::EMSGSIZE => self.longest = first.bytes - 1,
                        // The device has no checksums of its own, or the socket none.
                        Errno::EIO | Errno::EOPNOTSUPP => self.longest = 0,
                        // Nothing about several as one: no room, no route.
                        _ => {}
                    }
                }
                Err(error) => {
                    let full = matches!(error, Errno::EAGAIN | Errno::ENOBUFS | Errno::ENOMEM);
                    counters.add(if full { |c| &c.no_room } else { |c| &c.unsendable }, 1);
                    done += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::process::Command;
    use std::thread;
    use std::time::Duration;

    use atl_core::time::Time;
    use atl_link::relay::RouteId;
    use nix::sched::{CloneFlags, unshare};

    use super::*;

    /// Two sockets of this thread's network.
    fn pair() -> (UdpSocket, UdpSocket) {
        let receiver = UdpSocket::bind("127.0.0.1:0").expect("loopback");
        receiver.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout");
        let sender = UdpSocket::bind("127.0.0.1:0").expect("loopback");
        sender.connect(receiver.local_addr().expect("bound")).expect("loopback");
        (sender, receiver)
    }

    /// Sends datagrams of these lengths at once. Returns the lengths that arrive, and the number of
    /// messages sent.
    fn sent(outbox: &mut Outbox, lengths: &[usize]) -> (Vec<usize>, u64) {
        let (sender, receiver) = pair();
        let peer = receiver.local_addr().expect("bound");
        let frame = |&bytes: &usize| Frame::new(vec![0; bytes], RouteId(0), Time::ZERO, 28);
        let frames: Vec<Frame> = lengths.iter().map(frame).collect();
        let counters = Counters::default();
        outbox.send(&sender, &frames, &|_| Some(To::Peer(peer)), &counters);
        let counts = counters.counts();
        assert_eq!(counts.sent, lengths.len() as u64, "{counts:?}");
        let mut buffer = [0; 65_536];
        let mut next = || receiver.recv(&mut buffer).expect("a datagram in time");
        (lengths.iter().map(|_| next()).collect(), counts.messages_sent)
    }

    #[test]
    fn a_call_holds_messages_and_single_datagrams() {
        let lengths = [1000, 1000, 300, 1000, 1000, 0, 5, 2000, 2000];
        let (arrived, messages) = sent(&mut Outbox::new(&pair().0), &lengths);
        assert_eq!(arrived, lengths);
        assert_eq!(messages, 5, "[1000 1000 300] [1000 1000] [0] [5] [2000 2000]");
    }

    #[test]
    fn a_system_that_cannot_gets_one_by_one() {
        let mut outbox = Outbox::new(&pair().0);
        outbox.longest = 0;
        assert_eq!(sent(&mut outbox, &[1000; 5]), (vec![1000; 5], 5));
    }

    /// The system fragments a datagram that is longer than a packet, but not several as one.
    #[test]
    fn what_fits_no_packet_leaves_alone_from_then_on() {
        let work = || {
            unshare(CloneFlags::CLONE_NEWNET).map_err(|error| format!("a network: {error}"))?;
            let up = Command::new("ip").args(["link", "set", "lo", "mtu", "1500", "up"]).status();
            match up {
                Ok(status) if status.success() => {}
                other => return Err(format!("ip link: {other:?}")),
            }
            let mut outbox = Outbox::new(&pair().0);
            assert_eq!(sent(&mut outbox, &[3000; 4]), (vec![3000; 4], 4));
            assert_eq!(outbox.longest, 2999);
            assert_eq!(sent(&mut outbox, &[1000; 4]), (vec![1000; 4], 1));
            Ok(())
        };
        if let Err(why) = thread::spawn(work).join().expect("no panic") {
            // `eprintln!` would be hidden by the test harness.
            let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
        }
    }
}
