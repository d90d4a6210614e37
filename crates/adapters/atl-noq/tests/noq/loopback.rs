//! noq itself over loopback: the example, and what a socket has lost.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use atl_core::window::{ControllerConfig, atl, reno};
use atl_noq::{Factory, PathHandle};
use noq::{Endpoint, PathId, TransportConfig};

#[path = "../../examples/noq.rs"]
#[allow(dead_code)]
mod example;

const BYTES: usize = 4 << 20;

/// Sends a file and returns the sender's path.
fn transfer(
    factory: Factory,
    client: impl FnOnce() -> std::io::Result<Endpoint>,
) -> (Arc<Factory>, PathHandle, noq::Connection) {
    let factory = Arc::new(factory);
    let mut transport = TransportConfig::default();
    transport.congestion_controller_factory(factory.clone());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("runs");
    let done = runtime.block_on(async {
        let transfer = example::transfer(client().expect("a socket"), transport, BYTES);
        tokio::time::timeout(Duration::from_secs(60), transfer).await
    });
    let done = done.expect("a transfer over loopback takes no minute").expect("it succeeds");
    assert_eq!(done.received, BYTES);
    let state = done.connection.congestion_state(PathId::ZERO).expect("a path");
    let handle = PathHandle::from_state(state).expect("a controller of ours");
    (factory, handle, done.connection)
}

#[test]
fn controllers_carry_a_transfer_of_noq() {
    for config in [
        ControllerConfig::from(atl::robust::Config::default()),
        ControllerConfig::from(atl::Config::default()),
        ControllerConfig::from(reno::Config::default()),
    ] {
        let client = || Endpoint::client((Ipv4Addr::LOCALHOST, 0).into());
        let (factory, handle, _connection) = transfer(Factory::new(config.clone()), client);
        assert!(factory.paths()[0].is_same(&handle));
        let observed = handle.observed();
        // Each packet holds at most 1452 bytes (noq's largest MTU), and the window opened to let
        // them go.
        assert!(observed.counts.sent >= BYTES as u64 / 1452, "{observed:?}");
        assert!(observed.window > 10.0, "{config:?}: {observed:?}");
    }
}

#[cfg(feature = "socket")]
mod socket {
    use std::io::{self, IoSliceMut};
    use std::net::{SocketAddr, UdpSocket};
    use std::num::NonZeroUsize;
    use std::pin::Pin;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::task::{Context, Poll};

    use atl_noq::{MarkingSocket, Marks};
    use noq::udp::{RecvMeta, Transmit};
    use noq::{AsyncUdpSocket, EndpointConfig, Runtime, TokioRuntime, UdpSender};

    use super::*;

    /// Transmits, datagrams lost, and those of which the table did not know.
    #[derive(Debug, Default)]
    struct Counts {
        sent: AtomicU64,
        lost: AtomicU64,
        unknown: AtomicU64,
    }

    /// Loses one transmit in 29 and says so.
    #[derive(Debug)]
    struct Lossy {
        socket: Box<dyn AsyncUdpSocket>,
        marks: Marks,
        counts: Arc<Counts>,
    }

    impl AsyncUdpSocket for Lossy {
        fn create_sender(&self) -> Pin<Box<dyn UdpSender>> {
            let sender = self.socket.create_sender();
            Box::pin(Loses { sender, marks: self.marks.clone(), counts: self.counts.clone() })
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
    struct Loses {
        sender: Pin<Box<dyn UdpSender>>,
        marks: Marks,
        counts: Arc<Counts>,
    }

    impl UdpSender for Loses {
        fn poll_send(
            mut self: Pin<&mut Self>,
            transmit: &Transmit<'_>,
            context: &mut Context<'_>,
        ) -> Poll<io::Result<()>> {
            let number = self.counts.sent.fetch_add(1, Ordering::Relaxed);
            // ACKs alone are small, and nobody misses them.
            if number % 29 != 28 || transmit.contents.len() < 1000 {
                return self.sender.as_mut().poll_send(transmit, context);
            }
            let segment = transmit.segment_size.unwrap_or(transmit.contents.len());
            for datagram in transmit.contents.chunks(segment) {
                self.counts.lost.fetch_add(1, Ordering::Relaxed);
                let unknown = !self.marks.lost(datagram);
                self.counts.unknown.fetch_add(u64::from(unknown), Ordering::Relaxed);
                assert!(!self.marks.lost(datagram), "each counts once");
                assert!(!self.marks.lost(&[7; 20]), "nothing of the sort was sent");
            }
            Poll::Ready(Ok(()))
        }

        fn max_transmit_segments(&self) -> NonZeroUsize {
            self.sender.max_transmit_segments()
        }
    }

    #[test]
    fn what_the_socket_has_lost_is_known_by_its_packets() {
        let marks = Marks::default();
        let counts = Arc::new(Counts::default());
        let client = || {
            let runtime = Arc::new(TokioRuntime);
            let socket = runtime.wrap_udp_socket(UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?)?;
            let lossy = Lossy { socket, marks: marks.clone(), counts: counts.clone() };
            let socket = Box::new(MarkingSocket::new(Box::new(lossy), marks.clone()));
            Endpoint::new_with_abstract_socket(EndpointConfig::default(), None, socket, runtime)
        };
        let factory = Factory::new(atl::Config::default().into()).marks(marks.clone());
        let (_factory, handle, _connection) = transfer(factory, client);
        let observed = handle.observed();
        let lost = counts.lost.load(Ordering::Relaxed);
        assert!(lost > 10, "{lost}");
        assert_eq!(counts.unknown.load(Ordering::Relaxed), 0, "of {lost}");
        assert_eq!(observed.counts.marked + observed.counts.marked_late, lost, "{observed:?}");
        assert_eq!(observed.counts.marked_late, 0, "{observed:?}");
        let told = marks.counts();
        assert_eq!(
            (told.matched, told.unmatched, told.in_time, told.late),
            (lost, 2 * lost, lost, 0)
        );
    }
}
