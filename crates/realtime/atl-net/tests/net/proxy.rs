//! The UDP proxy over real sockets.

use std::io::ErrorKind;
use std::net::{SocketAddr, UdpSocket};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use atl_core::time::Span;
use atl_core::units::{Probability, Rate};
use atl_link::{Config, Ecn, EcnRule};
use atl_net::proxy::Limits;
use atl_net::proxy::sockets::{Native, Portable};

use crate::{Ended, Kind, Running, clean, ecn, listen};

const V4: &str = "127.0.0.1:0";
const V6: &str = "[::1]:0";

fn socket(address: &str) -> UdpSocket {
    let socket = UdpSocket::bind(address).expect("loopback");
    socket.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout");
    socket
}

fn receive(socket: &UdpSocket) -> (Vec<u8>, SocketAddr) {
    let mut buffer = [0; 65_536];
    let (length, from) = socket.recv_from(&mut buffer).expect("a datagram in time");
    (buffer[..length].to_vec(), from)
}

over_both! {
    datagrams_and_answers_pass_with_the_links_delay_over_ipv4_and_ipv6
    order_and_bytes_are_kept
    what_waits_is_read_whole
    a_silent_client_is_forgotten_and_may_come_back
    a_server_that_is_not_there_is_no_error
    a_client_that_is_gone_does_not_disturb_others
    losses_are_the_links_and_nothing_else_is_lost
    the_ecn_field_passes_and_queues_mark_it
}

fn datagrams_and_answers_pass_with_the_links_delay_over_ipv4_and_ipv6<S: Kind>() {
    for (ours, theirs, headers) in [(V4, V4, 28), (V6, V6, 48), (V6, V4, 48)] {
        let server = socket(theirs);
        let (listener, at) = listen::<S>(ours, server.local_addr().unwrap(), Limits::default());
        let running = Running::start(listener, clean(100.0, 30), clean(100.0, 20));
        let client = socket(ours);

        let begun = Instant::now();
        client.send_to(b"there", at).expect("sent");
        let (bytes, from) = receive(&server);
        assert!(begun.elapsed() >= Duration::from_millis(30), "{:?}", begun.elapsed());
        assert_eq!(bytes, b"there");
        let begun = Instant::now();
        server.send_to(b"and back", from).expect("sent");
        let (bytes, from) = receive(&client);
        assert!(begun.elapsed() >= Duration::from_millis(20), "{:?}", begun.elapsed());
        assert_eq!((&bytes[..], from), (&b"and back"[..], at));

        let Ended { last, counts } = running.end();
        assert_eq!((counts.received, counts.sent, counts.clients), (2, 2, 1));
        assert_eq!(last.links[0].counters.delivered_bytes, 5 + headers);
        assert_eq!(last.links[1].counters.delivered_bytes, 8 + headers);
        assert_eq!(last.lateness.frames(), 2);
    }
}

/// Every datagram arrives once and in order, whatever its length, also in batches.
fn order_and_bytes_are_kept<S: Kind>() {
    const COUNT: usize = 2000;
    // As many as the buffers of sockets hold, however late a thread of a busy machine wakes up.
    const AHEAD: usize = 32;
    let server = socket(V4);
    let (listener, at) = listen::<S>(V4, server.local_addr().unwrap(), Limits::default());
    let running = Running::start(listener, clean(1000.0, 5), clean(1000.0, 5));
    let client = socket(V4);
    let datagram = |n: usize| -> Vec<u8> {
        let length = if n % 500 == 499 { 65_507 } else { n % 700 };
        (0..length).map(|i| (n + i) as u8).collect()
    };
    let (arrived, arrivals) = mpsc::channel();
    let sender = thread::spawn(move || {
        for n in 0..COUNT {
            if n >= AHEAD {
                arrivals.recv().expect("the receiver has not given up");
            }
            client.send_to(&datagram(n), at).expect("sent");
        }
    });
    for n in 0..COUNT {
        assert!(receive(&server).0 == datagram(n), "datagram {n}");
        // The sender is through before the last ones arrive.
        let _ = arrived.send(());
    }
    sender.join().expect("no panic");
    assert_eq!(running.end().last.links[0].counters.delivered, COUNT as u64);
}

/// More than is read at once waits, and nothing more comes.
fn what_waits_is_read_whole<S: Kind>() {
    const COUNT: u64 = 300;
    let server = socket(V4);
    let (listener, at) = listen::<S>(V4, server.local_addr().unwrap(), Limits::default());
    let client = socket(V4);
    for n in 0..COUNT {
        client.send_to(&n.to_le_bytes(), at).expect("sent");
    }
    let running = Running::start(listener, clean(100.0, 1), clean(100.0, 1));
    running.wait_for(|counts| counts.received == COUNT);
    running.end();
}

#[test]
fn each_client_gets_its_own_answers_and_a_full_table_refuses() {
    own_answers_and_a_full_table::<Native>();
    own_answers_and_a_full_table::<Portable>();
}

fn own_answers_and_a_full_table<S: Kind>() {
    let server = socket(V4);
    let limits = Limits { clients: 3, ..Limits::default() };
    let (listener, at) = listen::<S>(V4, server.local_addr().unwrap(), limits);
    let running = Running::start(listener, clean(100.0, 1), clean(100.0, 1));
    let clients: Vec<UdpSocket> = (0..4).map(|_| socket(V4)).collect();
    for (n, client) in clients[..3].iter().enumerate() {
        client.send_to(&[n as u8], at).expect("sent");
        let (bytes, from) = receive(&server);
        // The second answer finds the client in the table.
        server.send_to(&[bytes[0], 1], from).expect("sent");
        server.send_to(&[bytes[0], 2], from).expect("sent");
    }
    for (n, client) in clients[..3].iter().enumerate() {
        assert_eq!(receive(client), (vec![n as u8, 1], at));
        assert_eq!(receive(client), (vec![n as u8, 2], at));
    }
    clients[3].send_to(b"one too many", at).expect("sent");
    running.wait_for(|counts| counts.refused_clients > 0);
    let counts = running.end().counts;
    assert_eq!((counts.clients, counts.refused_clients), (3, 1));
}

fn a_silent_client_is_forgotten_and_may_come_back<S: Kind>() {
    let server = socket(V4);
    let limits = Limits { idle: Span::from_millis(150), ..Limits::default() };
    let (listener, at) = listen::<S>(V4, server.local_addr().unwrap(), limits);
    let running = Running::start(listener, clean(100.0, 1), clean(100.0, 1));
    let client = socket(V4);
    client.send_to(b"1", at).expect("sent");
    let (_, first) = receive(&server);
    running.wait_for(|counts| counts.forgotten > 0);
    // Its socket towards the server is closed: a late datagram is lost.
    server.send_to(b"late", first).expect("sent");
    client.send_to(b"2", at).expect("sent");
    let (bytes, _) = receive(&server);
    assert_eq!(bytes, b"2");
    assert_eq!(running.end().counts.clients, 2);
}

fn a_server_that_is_not_there_is_no_error<S: Kind>() {
    let nobody = socket(V4).local_addr().unwrap();
    let (listener, at) = listen::<S>(V4, nobody, Limits::default());
    let running = Running::start(listener, clean(100.0, 1), clean(100.0, 1));
    let client = socket(V4);
    for _ in 0..20 {
        client.send_to(b"anyone?", at).expect("sent");
        thread::sleep(Duration::from_millis(1));
    }
    running.wait_for(|counts| counts.sent == 20);
    running.end();
}

#[test]
fn ports_that_are_closed_are_counted() {
    let nobody = socket(V4).local_addr().unwrap();
    let (listener, at) = listen::<Native>(V4, nobody, Limits::default());
    let running = Running::start(listener, clean(100.0, 1), clean(100.0, 1));
    let client = socket(V4);
    let begun = Instant::now();
    while running.counters.counts().refused == 0 {
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", running.counters.counts());
        client.send_to(b"anyone?", at).expect("sent");
        thread::sleep(Duration::from_millis(1));
    }
    running.end();
}

/// A client that is gone refuses answers; the others are not affected.
fn a_client_that_is_gone_does_not_disturb_others<S: Kind>() {
    let server = socket(V4);
    let (listener, at) = listen::<S>(V4, server.local_addr().unwrap(), Limits::default());
    let running = Running::start(listener, clean(100.0, 1), clean(100.0, 1));
    let (gone, stays) = (socket(V4), socket(V4));
    gone.send_to(b"a", at).expect("sent");
    let (_, to_gone) = receive(&server);
    stays.send_to(b"b", at).expect("sent");
    let (_, to_stays) = receive(&server);
    drop(gone);
    for n in 0..50 {
        server.send_to(b"nobody", to_gone).expect("sent");
        server.send_to(&[n], to_stays).expect("sent");
        assert_eq!(receive(&stays).0, [n]);
    }
    running.end();
}

fn losses_are_the_links_and_nothing_else_is_lost<S: Kind>() {
    const COUNT: u64 = 1000;
    let server = socket(V4);
    let (listener, at) = listen::<S>(V4, server.local_addr().unwrap(), Limits::default());
    let up = clean(1000.0, 1).with_loss(Probability::clamped(0.2));
    let running = Running::start(listener, up, clean(1000.0, 1));
    let client = socket(V4);
    let mut buffer = [0; 64];
    let mut arrived = 0;
    let mut read = |quiet: Duration| {
        server.set_read_timeout(Some(quiet)).expect("a timeout");
        loop {
            match server.recv(&mut buffer) {
                Ok(_) => arrived += 1,
                Err(error)
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) =>
                {
                    return arrived;
                }
                Err(error) => panic!("{error}"),
            }
        }
    };
    for n in 1..=COUNT {
        client.send_to(&n.to_le_bytes(), at).expect("sent");
        // No socket holds more than a hundred, however busy the machine is.
        if n % 50 == 0 {
            running.wait_for(|counts| counts.received == n);
            read(Duration::from_millis(1));
        }
    }
    let arrived = read(Duration::from_secs(1));
    let counters = running.end().last.links[0].counters;
    assert_eq!((counters.offered, counters.delivered), (COUNT, arrived));
    // 200 on average, deviation 12.6: 7 deviations.
    assert!((112..=288).contains(&counters.lost), "{}", counters.lost);
}

/// UDP's own limits: 65 507 octets over IPv4 and 65 527 over IPv6. A datagram that fits one family
/// and not the other is counted.
#[test]
fn the_longest_datagrams_pass_and_what_fits_no_packet_is_counted() {
    for (ours, theirs, longest, wire) in [(V4, V4, 65_507, 65_535), (V6, V6, 65_527, 65_575)] {
        let server = socket(theirs);
        let (listener, at) =
            listen::<Native>(ours, server.local_addr().unwrap(), Limits::default());
        let running = Running::start(listener, clean(1000.0, 1), clean(1000.0, 1));
        let client = socket(ours);
        let payload: Vec<u8> = (0..longest).map(|i| (i % 251) as u8).collect();
        client.send_to(&payload, at).expect("it fits into a packet");
        let too_long = client.send_to(&vec![0; longest + 1], at).unwrap_err();
        assert_eq!(too_long.raw_os_error(), Some(nix::errno::Errno::EMSGSIZE as i32));
        let (bytes, from) = receive(&server);
        assert!(bytes == payload, "{} of {longest}", bytes.len());
        server.send_to(&payload, from).expect("it fits into a packet");
        assert!(receive(&client).0 == payload);
        let links = running.end().last.links;
        let bytes = links.iter().map(|link| link.counters.delivered_bytes);
        assert_eq!(bytes.collect::<Vec<_>>(), [wire, wire]);
    }
    let server = socket(V4);
    let (listener, at) = listen::<Native>(V6, server.local_addr().unwrap(), Limits::default());
    let running = Running::start(listener, clean(1000.0, 1), clean(1000.0, 1));
    let client = socket(V6);
    client.send_to(&vec![0; 65_527], at).expect("it fits into IPv6");
    client.send_to(b"short", at).expect("sent");
    assert_eq!(receive(&server).0, b"short");
    let counts = running.end().counts;
    assert_eq!((counts.received, counts.sent, counts.unsendable), (2, 1, 1), "{counts:?}");
}

/// The field of datagrams passes in both directions, over IPv4, IPv6 and from one to the other, and
/// a queue marks what it may: from the third on, datagrams find another one waiting.
fn the_ecn_field_passes_and_queues_mark_it<S: Kind>() {
    for (ours, theirs) in [(V4, V4), (V6, V6), (V6, V4), (V4, V6)] {
        let server = ecn::socket(theirs, Ecn::Ect1);
        let (listener, at) = listen::<S>(ours, server.local_addr().unwrap(), Limits::default());
        // A datagram of 1000 bytes takes 80 ms or some more.
        let slow = Config::constant(Rate::from_mbps(0.1), Span::from_millis(1), 100);
        let up = Config { mark_at: Some(1), ..slow };
        let down = Config { ecn: EcnRule::MarkAll, ..clean(100.0, 1) };
        let running = Running::start(listener, up, down);
        let client = ecn::socket(ours, Ecn::Ect0);
        for field in [Ecn::Ect0, Ecn::Ect1, Ecn::Ect0, Ecn::NotEct, Ecn::Ect1, Ecn::Ce] {
            ecn::send_as(&client, field);
            client.send_to(&[0; 1000], at).expect("sent");
        }
        let fields: Vec<u8> = (0..6).map(|_| ecn::receive(&server).1).collect();
        assert_eq!(fields, [0b10, 0b01, 0b11, 0b00, 0b11, 0b11], "{ours} {theirs}");

        // The address of the proxy's end of this client.
        ecn::send_as(&client, Ecn::NotEct);
        client.send_to(b"where", at).expect("sent");
        let (_, from) = receive(&server);
        for (field, expected) in [(Ecn::Ect1, 0b11), (Ecn::NotEct, 0b00), (Ecn::Ect0, 0b11)] {
            ecn::send_as(&server, field);
            server.send_to(b"back", from).expect("sent");
            assert_eq!(ecn::receive(&client), (4, expected), "{ours} {theirs} {field:?}");
        }
        let last = running.end().last;
        assert_eq!([0, 1].map(|link| last.links[link].counters.marked), [2, 2]);
    }
}

/// The code point of datagrams passes in both directions too, and a mark does not change it.
#[test]
fn the_code_point_passes() {
    const EXPEDITED: u8 = 46 << 2;
    for (ours, theirs) in [(V4, V4), (V6, V6), (V6, V4), (V4, V6)] {
        let server = ecn::socket(theirs, Ecn::NotEct);
        let (listener, at) =
            listen::<Native>(ours, server.local_addr().unwrap(), Limits::default());
        let down = Config { ecn: EcnRule::MarkAll, ..clean(100.0, 1) };
        let running = Running::start(listener, clean(100.0, 1), down);
        let client = ecn::socket(ours, Ecn::NotEct);
        for class in [EXPEDITED, 0, EXPEDITED | 0b10, 1 << 2] {
            ecn::send_in_class(&client, class);
            client.send_to(b"there", at).expect("sent");
            assert_eq!(ecn::receive_class(&server), (5, class), "{ours} {theirs}");
        }
        client.send_to(b"where", at).expect("sent");
        let (_, from) = receive(&server);
        ecn::send_in_class(&server, EXPEDITED | 0b10);
        server.send_to(b"back", from).expect("sent");
        assert_eq!(ecn::receive_class(&client), (4, EXPEDITED | 0b11), "{ours} {theirs}");
        running.end();
    }
}
