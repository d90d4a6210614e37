//! A socket for endpoints of the crate `noq` that shows a table what leaves.

use std::io::{self, IoSliceMut};
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::pin::Pin;
use std::task::{Context, Poll};

use noq::udp::{RecvMeta, Transmit};
use noq::{AsyncUdpSocket, UdpSender};

use super::Marks;

/// Wraps a socket: everything that it sends is shown to a [`Marks`].
#[derive(Debug)]
pub struct MarkingSocket {
    socket: Box<dyn AsyncUdpSocket>,
    marks: Marks,
}

impl MarkingSocket {
    /// A socket that shows `marks` what `socket` sends.
    pub fn new(socket: Box<dyn AsyncUdpSocket>, marks: Marks) -> Self {
        MarkingSocket { socket, marks }
    }
}

impl AsyncUdpSocket for MarkingSocket {
    fn create_sender(&self) -> Pin<Box<dyn UdpSender>> {
        Box::pin(MarkingSender { sender: self.socket.create_sender(), marks: self.marks.clone() })
    }

    fn poll_recv(
        &mut self,
        context: &mut Context<'_>,
        buffers: &mut [IoSliceMut<'_>],
        meta: &mut [RecvMeta],
    ) -> Poll<io::Result<usize>> {
        self.socket.poll_recv(context, buffers, meta)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    fn max_receive_segments(&self) -> NonZeroUsize {
        self.socket.max_receive_segments()
    }

    fn may_fragment(&self) -> bool {
        self.socket.may_fragment()
    }
}

#[derive(Debug)]
struct MarkingSender {
    sender: Pin<Box<dyn UdpSender>>,
    marks: Marks,
}

impl UdpSender for MarkingSender {
    fn poll_send(
        mut self: Pin<&mut Self>,
        transmit: &Transmit<'_>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        // A transmit that has to wait comes again, and is then no longer among those that were
        // built.
        self.marks.sent(transmit.contents, transmit.segment_size);
        self.sender.as_mut().poll_send(transmit, context)
    }

    fn max_transmit_segments(&self) -> NonZeroUsize {
        self.sender.max_transmit_segments()
    }
}
