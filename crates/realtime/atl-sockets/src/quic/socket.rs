//! A socket of noq's at an end of a flow: what it sends and receives is labelled and counted on the
//! way.

use std::io::{self, IoSliceMut};
use std::net::SocketAddr;
use std::os::fd::AsRawFd as _;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use crate::live::{LONGEST, Opening, Plug, Seal, Trouble};
use atl_core::time::Time;
use atl_link::Ecn;
use atl_net::clock::Clock;
use atl_net::ecn;
use atl_quic::connection::Field;
use nix::errno::Errno;
use noq::udp::{EcnCodepoint, RecvMeta, Transmit};
use noq::{AsyncUdpSocket, UdpSender};
use tokio::io::Interest;
use tokio::net::UdpSocket;

use crate::quic::meter::Meter;
use crate::quic::traffic::{self, Label};

/// An end's side of the crossing to the network. noq's socket, its tasks and the node share it.
#[derive(Debug)]
pub(crate) struct Crossing {
    socket: UdpSocket,
    peer: SocketAddr,
    clock: Clock,
    /// After this nothing leaves, and what arrives was under way.
    end: Time,
    /// The ECN field of its datagrams; `None` without ECN.
    field: Option<Field>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    seal: Seal,
    opening: Opening,
    meter: Meter,
    received: Vec<u8>,
    sent: Vec<u8>,
    room: Vec<u8>,
}

impl Crossing {
    /// Within a runtime of tokio.
    ///
    /// # Errors
    /// If the socket cannot be waited for.
    pub(crate) fn new(
        (plug, field): (Plug, Option<Field>),
        meter: Meter,
        clock: Clock,
        end: Time,
    ) -> io::Result<Arc<Self>> {
        let peer = plug.socket.peer_addr()?;
        let Plug { socket, seal, opening, room } = plug;
        let (received, sent) = (vec![0; LONGEST], Vec::new());
        let state = State { seal, opening, meter, received, sent, room };
        let socket = UdpSocket::from_std(socket)?;
        Ok(Arc::new(Crossing { socket, peer, clock, end, field, state: Mutex::new(state) }))
    }

    /// The network's address.
    pub(crate) fn peer(&self) -> SocketAddr {
        self.peer
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at the counts, up to a time within the run.
    pub(crate) fn meter<R>(&self, now: Time, look: impl FnOnce(&mut Meter) -> R) -> R {
        let mut state = self.lock();
        state.meter.advance(now);
        look(&mut state.meter)
    }

    fn send(&self, quic: &[u8], capable: bool) {
        let now = self.clock.now();
        if now > self.end {
            return;
        }
        let State { seal, meter, sent, .. } = &mut *self.lock();
        meter.advance(now);
        let (data, serial) = meter.on_sent(quic);
        traffic::write(Label { data, serial, sent_at: now }, quic, sent);
        seal.seal(sent);
        // If no buffer takes it, it is lost, which the other side notices.
        let field = self.field.filter(|_| capable).map_or(Ecn::NotEct, Field::sent);
        let _ = ecn::send_with(self.socket.as_raw_fd(), sent, field);
    }

    /// The next datagram of QUIC's that waits, into `buffer`: its length and its ECN field.
    ///
    /// # Errors
    /// [`WouldBlock`](io::ErrorKind::WouldBlock) if none waits.
    fn receive(&self, buffer: &mut [u8]) -> io::Result<(usize, Option<EcnCodepoint>)> {
        loop {
            let State { opening, meter, received, room, .. } = &mut *self.lock();
            // Whatever tokio knows of it yet: after the end all that waits is counted.
            let (length, ecn) = match ecn::receive(self.socket.as_raw_fd(), received, room) {
                Ok(taken) => taken,
                Err(Errno::EINTR) => continue,
                // A peer that is gone sends nothing.
                Err(_) => return Err(io::ErrorKind::WouldBlock.into()),
            };
            let Some(content) = opening.open(&received[..length]) else { continue };
            let known = traffic::read(content).filter(|(_, quic)| quic.len() <= buffer.len());
            let Some((label, quic)) = known else {
                opening.refuse();
                continue;
            };
            let now = self.clock.now();
            if now > self.end {
                meter.on_late(label);
                continue;
            }
            meter.advance(now);
            meter.on_arrived(now, label, ecn);
            buffer[..quic.len()].copy_from_slice(quic);
            let field = self.field.and_then(|field| field.received(ecn));
            return Ok((quic.len(), field.and_then(|field| EcnCodepoint::from_bits(field as u8))));
        }
    }

    /// Counts what has arrived after the end.
    pub(crate) fn receive_late(&self) {
        let mut buffer = vec![0; LONGEST];
        while self.receive(&mut buffer).is_ok() {}
    }

    /// Its datagrams that were lost on the way to it or made no sense.
    pub(crate) fn trouble(&self) -> Trouble {
        let state = self.lock();
        Trouble { missing: state.opening.missing(), refused: state.opening.refused() }
    }
}

/// See [the module](self).
#[derive(Debug)]
pub(crate) struct Socket(pub(crate) Arc<Crossing>);

impl AsyncUdpSocket for Socket {
    fn create_sender(&self) -> Pin<Box<dyn UdpSender>> {
        Box::pin(Sender(Arc::clone(&self.0)))
    }

    fn poll_recv(
        &mut self,
        context: &mut Context<'_>,
        buffers: &mut [IoSliceMut<'_>],
        meta: &mut [RecvMeta],
    ) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.0.socket.poll_recv_ready(context))?;
            let mut count = 0;
            for (buffer, meta) in buffers.iter_mut().zip(&mut *meta) {
                // Without one, tokio waits for the next.
                let one = self.0.socket.try_io(Interest::READABLE, || self.0.receive(buffer));
                let Ok((length, ecn)) = one else { break };
                *meta = RecvMeta::default();
                meta.addr = self.0.peer;
                (meta.len, meta.stride, meta.ecn) = (length, length, ecn);
                count += 1;
            }
            if count > 0 {
                return Poll::Ready(Ok(count));
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.socket.local_addr()
    }

    fn may_fragment(&self) -> bool {
        false
    }
}

#[derive(Debug)]
struct Sender(Arc<Crossing>);

impl UdpSender for Sender {
    // One datagram at a time: each has a label, and leaves when it is built.
    fn poll_send(
        self: Pin<&mut Self>,
        transmit: &Transmit<'_>,
        _context: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        self.0.send(transmit.contents, transmit.ecn.is_some());
        Poll::Ready(Ok(()))
    }
}
