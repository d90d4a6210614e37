//! Portable sockets, where they differ from the system's own.

use std::net::UdpSocket;
use std::thread;
use std::time::{Duration, Instant};

use atl_core::time::Span;
use atl_link::Ecn;
use atl_net::proxy::Limits;
use atl_net::proxy::sockets::{Portable, Sockets as _};

use crate::{Running, clean, ecn, listen};

const V4: &str = "127.0.0.1:0";
const V6: &str = "[::1]:0";

/// Of the traffic class the ECN field passes, and the code point does not.
#[test]
fn the_code_point_is_cleared() {
    const EXPEDITED: u8 = 46 << 2;
    for (ours, theirs) in [(V4, V4), (V6, V6), (V6, V4), (V4, V6)] {
        let server = ecn::socket(theirs, Ecn::NotEct);
        let (listener, at) =
            listen::<Portable>(ours, server.local_addr().unwrap(), Limits::default());
        let running = Running::start(listener, clean(100.0, 1), clean(100.0, 1));
        let client = ecn::socket(ours, Ecn::NotEct);
        for class in [EXPEDITED, EXPEDITED | 0b10, 1 << 2 | 0b01] {
            ecn::send_in_class(&client, class);
            client.send_to(b"there", at).expect("sent");
            assert_eq!(ecn::receive_class(&server), (5, class & 0b11), "{ours} {theirs}");
        }
        running.end();
    }
}

/// The longest datagrams of both families fit a packet of loopback, or are counted.
#[test]
fn a_datagram_longer_than_a_packet_on_its_way_is_counted() {
    for (address, longest, sent) in [(V4, 65_507, 1), (V6, 65_527, 0)] {
        let server = UdpSocket::bind(address).expect("loopback");
        server.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout");
        let (listener, at) =
            listen::<Portable>(address, server.local_addr().unwrap(), Limits::default());
        let running = Running::start(listener, clean(1000.0, 1), clean(1000.0, 1));
        let client = UdpSocket::bind(address).expect("loopback");
        let payload: Vec<u8> = (0..longest).map(|i| (i % 251) as u8).collect();
        client.send_to(&payload, at).expect("the system fragments it");
        client.send_to(b"short", at).expect("sent");
        let mut buffer = vec![0; 65_536];
        for expected in [&payload[..], b"short"].into_iter().skip(1 - sent) {
            let (length, _) = server.recv_from(&mut buffer).expect("a datagram in time");
            assert!(buffer[..length] == *expected, "{length} bytes over {address}");
        }
        let counts = running.end().counts;
        let (sent, longer) = (sent as u64 + 1, 1 - sent as u64);
        assert_eq!((counts.received, counts.sent, counts.unsendable), (2, sent, longer));
    }
}

/// A client's socket is not connected: it must leave aside what others send.
#[test]
fn answers_come_from_the_server_alone() {
    let [server, other, client] = [0, 1, 2].map(|_| UdpSocket::bind(V4).expect("loopback"));
    for socket in [&server, &client] {
        socket.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout");
    }
    let (listener, at) = listen::<Portable>(V4, server.local_addr().unwrap(), Limits::default());
    let running = Running::start(listener, clean(100.0, 1), clean(100.0, 1));
    client.send_to(b"question", at).expect("sent");
    let mut buffer = [0; 100];
    let (_, place) = server.recv_from(&mut buffer).expect("a datagram in time");
    other.send_to(b"forged", place).expect("sent");
    server.send_to(b"answer", place).expect("sent");
    let (length, from) = client.recv_from(&mut buffer).expect("an answer in time");
    assert_eq!((&buffer[..length], from), (&b"answer"[..], at));
    assert_eq!(running.end().last.links[1].counters.offered, 1);
}

/// It comes back when the time is over, not before, and at once when a datagram comes.
#[test]
fn a_wait_ends_on_time_and_with_a_datagram() {
    let mut sockets = Portable::new().expect("a set");
    let (_socket, at) = sockets.listen(V4.parse().expect("an address"), 7).expect("a port");
    let mut waited = |longest: Span| {
        let begun = Instant::now();
        sockets.wait(longest).expect("a wait");
        let mut ready = Vec::new();
        sockets.ready(&mut ready).expect("a look");
        (Span::from_nanos(begun.elapsed().as_nanos() as u64), ready)
    };
    for micros in [0, 300, 1700, 20_000] {
        let longest = Span::from_micros(micros);
        // The best of some, on a machine that has other work to do.
        let waits =
            (0..20).map(|_| waited(longest)).inspect(|(_, ready)| assert!(ready.is_empty()));
        let best = waits.map(|(waited, _)| waited).min().expect("some");
        assert!(best >= longest, "{best:?} of {longest:?}");
        assert!(best < longest + Span::from_micros(700), "{best:?} of {longest:?}");
    }
    let sender = thread::spawn(move || {
        thread::sleep(Duration::from_millis(20));
        UdpSocket::bind(V4).expect("loopback").send_to(b"now", at).expect("sent");
    });
    let (waited, ready) = waited(Span::from_secs(20));
    assert!(waited < Span::from_secs(10), "{waited:?}");
    assert_eq!(ready, [7_u64]);
    sender.join().expect("no panic");
}
