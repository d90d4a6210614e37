//! A UDP proxy whose datagrams pass over the links of a relay: no root, no devices, nothing to
//! clean up.
//!
//! ```text
//! clients <----> listening socket <--- up route, down route ---> a socket per client <----> server
//! ```
//!
//! The server sees each client as a port of its own, as behind a NAT, and answers to that port. A
//! client that is silent in both directions for a while is forgotten.
//!
//! The ECN field of datagrams enters the links and leaves them, marked where a queue marks.
//!
//! Datagrams that were sent as one message (segmentation offload) come as one where the kernel can,
//! and pass the links one by one. Those of one client, length and class that leave at once leave as
//! one message again.
//!
//! That is Linux. [`sockets`] says what is less elsewhere.

mod clients;
mod counters;
mod listener;
pub mod sockets;

use std::io;
use std::sync::Arc;

use atl_core::time::{Span, Time};
use atl_link::{Cause, Ecn, Packet as _};

pub use clients::Limits;
pub use counters::{Counters, Counts};
pub use listener::Listener;

use crate::capture::{Capture, End};
use crate::clock::Clock;
use crate::ports::Ports;
use atl_link::relay::Frame;
use atl_link::relay::{Relay, RouteId};
use clients::Clients;
use listener::LISTENING;
use sockets::{Native, Side, Sockets, To};

/// Limit on the buffers kept for later frames.
const SPARE: usize = 4096;
/// Longest buffer that is kept: one long datagram must not make all buffers large.
const LONGEST_SPARE: usize = 4096;

/// Ports of a UDP proxy. They belong to the thread on which they were made.
#[derive(Debug)]
pub struct Proxy<S: Sockets = Native> {
    listener: Listener<S>,
    up: RouteId,
    down: RouteId,
    /// Octets of the IP and UDP headers in front of a datagram.
    headers: u32,
    clients: Clients<S::Socket>,
    buffers: S::Buffers,
    /// Numbers of the sockets in which datagrams wait, while they are read.
    ready: Vec<u64>,
    /// Frames on their way to the server, and to clients.
    leaving: [Vec<Frame>; 2],
    /// Buffers of frames that have left.
    spare: Vec<Vec<u8>>,
    /// Copies every datagram, at the times of this clock.
    capture: Option<(Capture, Clock)>,
}

impl<S: Sockets> Proxy<S> {
    /// Carries datagrams from clients over the route `up`, and the server's answers over `down`.
    /// The links count the headers of IP and UDP too: 28 bytes where clients speak IPv4, 48 where
    /// they speak IPv6.
    pub fn new(listener: Listener<S>, up: RouteId, down: RouteId) -> Self {
        let headers = if listener.local_addr().is_ipv4() { 28 } else { 48 };
        let clients = Clients::new(listener.limits());
        let buffers = S::buffers(listener.socket());
        Proxy {
            listener,
            up,
            down,
            headers,
            clients,
            buffers,
            ready: Vec::new(),
            leaving: [Vec::new(), Vec::new()],
            spare: Vec::new(),
            capture: None,
        }
    }

    /// The same proxy, with a copy of every datagram that passes its two ends, dated by the
    /// emulator's clock when it enters and when it leaves.
    #[must_use]
    pub fn with_capture(mut self, capture: Capture, clock: Clock) -> Self {
        self.capture = Some((capture, clock));
        self
    }

    /// Takes datagrams of clients.
    fn receive_up(
        &mut self,
        now: &dyn Fn() -> Time,
        enter: &mut dyn FnMut(Frame),
    ) -> io::Result<()> {
        let Proxy { listener, clients, buffers, spare, capture, .. } = self;
        let (counters, route, headers) = (Arc::clone(listener.counters()), self.up, self.headers);
        let mut take = |at, bytes: &[u8], from, class| {
            let ecn = Ecn::of_class(class);
            let Some(from) = from else { return };
            let client = match clients.of(from) {
                Some(client) => client,
                None => match listener.connect(clients, from, at) {
                    Some(client) => client,
                    None => return,
                },
            };
            clients.seen(client, at);
            if let Some((capture, _)) = capture {
                capture.datagram(End::NEAR, at, from, listener.local_addr(), ecn, bytes);
            }
            let frame = frame(spare, bytes, route, at, headers).of_peer(client).of_flow(client);
            enter(frame.with_ecn(ecn).with_dscp(class >> 2));
        };
        let socket = listener.socket();
        if S::receive(buffers, Side::Clients, socket, &counters, now, &mut take)? {
            listener.sockets().again(LISTENING);
        }
        Ok(())
    }

    /// Takes the server's answers to a client.
    fn receive_down(
        &mut self,
        client: u64,
        now: &dyn Fn() -> Time,
        enter: &mut dyn FnMut(Frame),
    ) -> io::Result<()> {
        let Proxy { listener, clients, buffers, spare, capture, .. } = self;
        let Some(known) = clients.get_mut(client) else { return Ok(()) };
        let (counters, route, headers) = (listener.counters(), self.down, self.headers);
        let (local, seen) = (known.local, &mut known.seen);
        let mut take = |at, bytes: &[u8], _, class| {
            let ecn = Ecn::of_class(class);
            *seen = at;
            if let Some((capture, _)) = capture {
                capture.datagram(End::FAR, at, listener.to(), local, ecn, bytes);
            }
            let frame = frame(spare, bytes, route, at, headers).of_peer(client).of_flow(client);
            enter(frame.with_ecn(ecn).with_dscp(class >> 2));
        };
        if S::receive(buffers, Side::Server, &known.socket, counters, now, &mut take)? {
            listener.sockets().again(client);
        }
        Ok(())
    }

    /// Sends the frames that leave on one side, in runs that use the same socket.
    fn send(&mut self, up: bool) {
        let frames = std::mem::take(&mut self.leaving[usize::from(!up)]);
        let counters = self.listener.counters();
        let mut rest = &frames[..];
        while let Some(first) = rest.first() {
            let run = match up {
                true => rest.iter().take_while(|frame| frame.peer == first.peer).count(),
                false => rest.len(),
            };
            let (run, others) = rest.split_at(run);
            rest = others;
            let socket: Option<&S::Socket> = match up {
                true => self.clients.get(first.peer).map(|client| &client.socket),
                false => Some(self.listener.socket()),
            };
            let Some(socket) = socket else {
                counters.add(|c| &c.stray, run.len() as u64);
                continue;
            };
            let (clients, server) = (&self.clients, self.listener.to());
            let to = |frame: &Frame| match up {
                // The server is the peer of this client's socket.
                true => Some(To::Peer(server)),
                false => clients.get(frame.peer).map(|client| To::Address(client.address)),
            };
            S::send(&mut self.buffers, socket, run, &to, counters);
        }
        if let Some((capture, clock)) = &mut self.capture {
            let left = clock.now();
            for frame in &frames {
                let Some(client) = self.clients.get(frame.peer) else { continue };
                let (end, from, to) = match up {
                    true => (End::FAR, client.local, self.listener.to()),
                    false => (End::NEAR, self.listener.local_addr(), client.address),
                };
                capture.datagram(end, left, from, to, frame.ecn(), &frame.bytes);
            }
        }
        self.leaving[usize::from(!up)] = self.reuse_all(frames);
    }

    /// Keeps the buffers of frames, and returns the emptied list.
    fn reuse_all(&mut self, mut frames: Vec<Frame>) -> Vec<Frame> {
        for frame in frames.drain(..) {
            self.reuse(frame);
        }
        frames
    }

    fn reuse(&mut self, frame: Frame) {
        if self.spare.len() < SPARE && frame.bytes.capacity() <= LONGEST_SPARE {
            self.spare.push(frame.bytes);
        }
    }
}

/// A frame of these bytes, in a spare buffer if there is one.
fn frame(spare: &mut Vec<Vec<u8>>, bytes: &[u8], route: RouteId, now: Time, headers: u32) -> Frame {
    let mut buffer = spare.pop().unwrap_or_default();
    buffer.clear();
    buffer.extend_from_slice(bytes);
    Frame::new(buffer, route, now, headers)
}

impl<S: Sockets> Ports for Proxy<S> {
    fn wait(&mut self, longest: Span) -> io::Result<()> {
        self.listener.sockets().wait(longest)
    }

    fn receive(&mut self, now: &dyn Fn() -> Time, enter: &mut dyn FnMut(Frame)) -> io::Result<()> {
        let mut ready = std::mem::take(&mut self.ready);
        self.listener.sockets().ready(&mut ready)?;
        for number in ready.drain(..) {
            match number {
                LISTENING => self.receive_up(now, enter)?,
                client => self.receive_down(client, now, enter)?,
            }
        }
        self.ready = ready;
        Ok(())
    }

    fn deliver(&mut self, frame: Frame) {
        let side = usize::from(frame.route != self.up);
        self.leaving[side].push(frame);
    }

    fn flush(&mut self) -> io::Result<()> {
        for (side, up) in [(0, true), (1, false)] {
            if !self.leaving[side].is_empty() {
                self.send(up);
            }
        }
        Ok(())
    }

    fn datagram<'a>(&self, frame: &'a Frame) -> Option<&'a [u8]> {
        Some(&frame.bytes)
    }

    fn lost(&mut self, frame: Frame, _link: usize, _cause: Cause, _due: Time) {
        self.reuse(frame);
    }

    fn dropped(&mut self, frame: Frame, _link: usize, _due: Time) {
        self.reuse(frame);
    }

    fn tick(&mut self, now: Time, _relay: &mut Relay) -> Span {
        for mut client in self.clients.expire(now) {
            self.listener.sockets().remove(&mut client.socket);
            self.listener.counters().add(|c| &c.forgotten, 1);
        }
        let expiry = self.listener.limits().idle / 16;
        match &mut self.capture {
            Some((capture, _)) => {
                capture.tick(now);
                expiry.min(capture.interval())
            }
            None => expiry,
        }
    }
}

impl<S: Sockets> Drop for Proxy<S> {
    /// Counts what the sockets have missed before they are closed.
    fn drop(&mut self) {
        let (listening, others) = (self.listener.socket(), self.clients.sockets());
        let overflowed = S::overflowed(&self.buffers, listening, others);
        self.listener.counters().add(|c| &c.overflowed, overflowed);
    }
}
