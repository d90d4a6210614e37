//! Datagrams that the system takes and gives as one message: each is a packet of its own on the
//! links.

use std::io::{IoSliceMut, Write as _};
use std::net::UdpSocket;
use std::os::fd::AsRawFd as _;

use atl_core::units::Probability;
use atl_link::{Config, Ecn, Service};
use atl_net::proxy::Limits;
use atl_net::proxy::sockets::Native;
use nix::cmsg_space;
use nix::sys::socket::{
    ControlMessageOwned, MsgFlags, SockaddrStorage, recvmsg, setsockopt, sockopt,
};

use crate::{Ended, Kind, Running, clean, ecn, listen};

const V4: &str = "127.0.0.1:0";
const V6: &str = "[::1]:0";
/// Expedited forwarding, ECT(0).
const CLASS: u8 = 46 << 2 | 0b10;

over_both! {
    a_link_loses_single_datagrams_of_a_message
}

/// A link on which datagrams that came at once leave at once.
fn instant() -> Config {
    let mut config = clean(1.0, 1);
    config.initial.service = Service::Unlimited;
    config
}

/// A socket that gets several datagrams as one message. `None` where the kernel cannot.
fn joining(address: &str) -> Option<UdpSocket> {
    let socket = ecn::socket(address, Ecn::NotEct);
    if let Err(error) = setsockopt(&socket, sockopt::UdpGroSegment, &true) {
        // `eprintln!` would be hidden by the test harness.
        let _ = writeln!(std::io::stderr(), "SKIPPED: UDP_GRO: {error}");
        return None;
    }
    Some(socket)
}

/// Has the system cut what the socket sends into datagrams of this length.
fn cut(socket: &UdpSocket, length: i32) {
    setsockopt(socket, sockopt::UdpGsoSegment, &length).expect("a kernel that joins also cuts");
}

/// The next message: its bytes, the length of its datagrams (0: it is one), its traffic class, and
/// its sender.
fn message(socket: &UdpSocket) -> (Vec<u8>, i32, u8, SockaddrStorage) {
    let mut buffer = vec![0; 65_536];
    let mut room = cmsg_space!(i32, i32, i32);
    let mut slices = [IoSliceMut::new(&mut buffer)];
    let flags = MsgFlags::empty();
    let arrived =
        recvmsg::<SockaddrStorage>(socket.as_raw_fd(), &mut slices, Some(&mut room), flags)
            .expect("a message in time");
    let (mut length, mut class) = (0, 0);
    for part in arrived.cmsgs().expect("room") {
        match part {
            ControlMessageOwned::UdpGroSegments(segment) => length = segment,
            ControlMessageOwned::Ipv4Tos(of_service) => class = of_service,
            ControlMessageOwned::Ipv6TClass(of_traffic) => class = of_traffic as u8,
            _ => {}
        }
    }
    let (bytes, from) = (arrived.bytes, arrived.address.expect("a sender"));
    buffer.truncate(bytes);
    (buffer, length, class, from)
}

#[test]
fn a_message_passes_as_its_datagrams_and_leaves_as_one() {
    for (ours, theirs, headers) in [(V4, V4, 28), (V6, V6, 48), (V6, V4, 48)] {
        let Some(server) = joining(theirs) else { return };
        let Some(client) = joining(ours) else { return };
        let to = server.local_addr().expect("bound");
        let (listener, at) = listen::<Native>(ours, to, Limits::default());
        let running = Running::start(listener, instant(), instant());
        for socket in [&client, &server] {
            cut(socket, 1000);
            ecn::send_in_class(socket, CLASS);
        }

        // 40 datagrams, the last of 500 bytes.
        let there: Vec<u8> = (0..39_500).map(|i| (i % 251) as u8).collect();
        client.send_to(&there, at).expect("sent");
        let (bytes, length, class, from) = message(&server);
        assert!(bytes == there, "{} bytes", bytes.len());
        assert_eq!((length, class), (1000, CLASS), "{ours} {theirs}");
        let from = (from.as_sockaddr_in().map(|a| (*a).into()))
            .or(from.as_sockaddr_in6().map(|a| std::net::SocketAddr::V6((*a).into())))
            .expect("an address");
        server.send_to(&there[..20_000], from).expect("sent");
        let (bytes, length, class, _) = message(&client);
        assert!(bytes == there[..20_000], "{} bytes", bytes.len());
        assert_eq!((length, class), (1000, CLASS), "{ours} {theirs}");

        let Ended { last, counts } = running.end();
        assert_eq!((counts.received, counts.messages_received), (60, 2), "{counts:?}");
        assert_eq!((counts.sent, counts.messages_sent), (60, 2), "{counts:?}");
        let of = |link: usize| {
            let counters = last.links[link].counters;
            (counters.delivered, counters.delivered_bytes)
        };
        assert_eq!(of(0), (40, 39_500 + 40 * headers));
        assert_eq!(of(1), (20, 20_000 + 20 * headers));
    }
}

/// Messages between single datagrams, in other classes: what the system tells of one must not be
/// lost because the one before it had less.
#[test]
fn single_datagrams_and_messages_take_turns() {
    let Some(client) = joining(V4) else { return };
    let server = ecn::socket(V4, Ecn::NotEct);
    let to = server.local_addr().expect("bound");
    let (listener, at) = listen::<Native>(V4, to, Limits::default());
    let running = Running::start(listener, instant(), instant());
    for round in 0..20 {
        let class = CLASS + 4 * (round % 3);
        ecn::send_in_class(&client, class);
        for datagrams in [1, 4, 1, 1, 9] {
            cut(&client, 700);
            client.send_to(&vec![round; 700 * datagrams], at).expect("sent");
            for _ in 0..datagrams {
                assert_eq!(ecn::receive_class(&server), (700, class), "round {round}");
            }
        }
    }
    let counts = running.end().counts;
    assert_eq!((counts.received, counts.messages_received), (320, 100), "{counts:?}");
}

fn a_link_loses_single_datagrams_of_a_message<S: Kind>() {
    let Some(client) = joining(V4) else { return };
    let server = ecn::socket(V4, Ecn::NotEct);
    let to = server.local_addr().expect("bound");
    let (listener, at) = listen::<S>(V4, to, Limits::default());
    let lossy = instant().with_loss(Probability::clamped(0.2));
    let running = Running::start(listener, lossy, instant());
    cut(&client, 1000);
    let mut numbers = Vec::new();
    for first in (0..1000).step_by(50) {
        let datagrams: Vec<u8> =
            (first..first + 50_u16).flat_map(|n| n.to_le_bytes().repeat(500)).collect();
        client.send_to(&datagrams, at).expect("sent");
        // As many as the sockets' buffers hold, however late a thread wakes up.
        let mut buffer = [0; 2000];
        loop {
            let last = numbers.last().copied();
            if last.is_some_and(|last| last >= first + 40) {
                break;
            }
            assert_eq!(server.recv(&mut buffer).expect("one of the last ten"), 1000);
            numbers.push(u16::from_le_bytes([buffer[0], buffer[1]]));
        }
    }
    let counters = running.end().last.links[0].counters;
    assert_eq!(counters.offered, 1000);
    assert!(numbers.is_sorted(), "{numbers:?}");
    // 200 on average, deviation 12.6: 7 deviations.
    assert!((112..=288).contains(&counters.lost), "{}", counters.lost);
}
