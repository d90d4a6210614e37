//! The kernel's own UDP and TCP over links.

use std::io::{Read as _, Write as _};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::time::{Duration, Instant};

use atl_core::time::{Span, Time};
use atl_core::units::Probability;
use atl_link::relay::Frame;
use atl_link::relay::{Event, RouteId};
use atl_link::{Ecn, Loss};
use atl_net::tun::{Lab, Losses, Network, Options, Place};

use super::support::{PHONE, SERVER, lab, run, two_hosts};
use crate::ecn;

const TIMEOUT: Duration = Duration::from_secs(5);

/// Answers each datagram to port 9 of the server with itself, until one is empty.
fn echo(lab: &Lab, address: IpAddr) {
    let socket = lab.run_in(SERVER, move || UdpSocket::bind((address, 9)).unwrap()).join().unwrap();
    std::thread::spawn(move || {
        let mut buffer = [0; 2000];
        loop {
            let (length, from) = socket.recv_from(&mut buffer).unwrap();
            if length == 0 {
                return;
            }
            socket.send_to(&buffer[..length], from).unwrap();
        }
    });
}

/// Round trips of datagrams of `bytes` bytes, one after the other, sorted.
fn round_trips(to: SocketAddr, bytes: usize, count: usize) -> Vec<Duration> {
    let any = if to.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
    let socket = UdpSocket::bind(any).unwrap();
    socket.connect(to).unwrap();
    socket.set_read_timeout(Some(TIMEOUT)).unwrap();
    let mut buffer = [0; 2000];
    let mut times: Vec<Duration> = (0..count)
        .map(|i| {
            let sent = Instant::now();
            socket.send(&vec![i as u8; bytes]).unwrap();
            assert_eq!(socket.recv(&mut buffer).expect("an answer"), bytes);
            assert_eq!(buffer[..bytes], vec![i as u8; bytes]);
            sent.elapsed()
        })
        .collect();
    socket.send(&[]).unwrap();
    times.sort_unstable();
    times
}

#[test]
fn a_round_trip_takes_what_the_links_take() {
    let Some(lab) = lab(two_hosts(8.0, Span::from_millis(15), 10, Loss::None)) else { return };
    // 972 bytes and 28 of headers take 1 ms at 8 Mb/s; for IPv6, 952 and 48.
    for (address, bytes) in
        [(IpAddr::from(lab.hosts()[SERVER].v4), 972), (lab.hosts()[SERVER].v6.into(), 952)]
    {
        echo(&lab, address);
        let (times, summary) =
            run(&lab, PHONE, move || round_trips((address, 9).into(), bytes, 30));
        let expected = Duration::from_millis(32);
        assert!(times[0] >= expected, "{address}: {:?} is sooner than the links allow", times[0]);
        // The median of 30: on a machine that also compiles, single late threads do not move it.
        assert!(times[15] < expected + Duration::from_millis(10), "{address}: {times:?}");
        assert_eq!(summary.losses.overruns + summary.losses.refused, 0);
        // The last one, which ends the echo, may still be on its way.
        assert!(summary.emulator.last.links[0].counters.delivered >= 30);
    }
}

#[test]
fn a_link_loses_the_same_packets_as_in_the_simulator() {
    let network =
        || two_hosts(20.0, Span::from_millis(1), 1000, Loss::Bernoulli(Probability::clamped(0.2)));
    let Some(lab) = lab(network()) else { return };
    let server = lab.hosts()[SERVER].v4;
    let sink = lab.run_in(SERVER, move || UdpSocket::bind((server, 9)).unwrap()).join().unwrap();
    sink.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
    const COUNT: u32 = 500;
    // Large enough to take .4 ms each, so that the receiver keeps up: a socket's buffer does not
    // hold all of them.
    let datagram = |number: u32| [number.to_be_bytes().as_slice(), &[0; 968]].concat();
    let receiver = std::thread::spawn(move || {
        let mut arrived = Vec::new();
        let mut buffer = [0; 2000];
        while let Ok(972) = sink.recv(&mut buffer) {
            arrived.push(u32::from_be_bytes(*buffer.first_chunk().unwrap()));
        }
        arrived
    });
    let (arrived, summary) = run(&lab, PHONE, move || {
        let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
        for number in 0..COUNT {
            socket.send_to(&datagram(number), (server, 9)).unwrap();
        }
        receiver.join().unwrap()
    });
    assert_eq!(
        summary.emulator.last.links[0].counters.offered,
        u64::from(COUNT),
        "nothing else on the link"
    );
    // The same frames over the same links, without sockets.
    let mut relay = lab.relay(7);
    for number in 0..COUNT {
        relay.offer(Time::ZERO, Frame::new(datagram(number), RouteId(0), Time::ZERO, 28));
    }
    let mut expected = Vec::new();
    while let Some(event) = relay.poll(Time::from_millis(1000)) {
        if let Event::Arrived { frame, .. } = event {
            expected.push(u32::from_be_bytes(*frame.bytes.first_chunk().unwrap()));
        }
    }
    assert!(expected.len() > 350 && expected.len() < 450, "{}", expected.len());
    assert_eq!(arrived, expected);
}

#[test]
fn tcp_moves_bytes_intact_over_a_lossy_link() {
    let loss = Loss::Bernoulli(Probability::clamped(0.01));
    let Some(lab) = lab(two_hosts(50.0, Span::from_millis(5), 100, loss)) else { return };
    let server = lab.hosts()[SERVER].v4;
    let listener =
        lab.run_in(SERVER, move || TcpListener::bind((server, 80)).unwrap()).join().unwrap();
    let sent: Vec<u8> =
        (0..2_000_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let copy = sent.clone();
    let reader = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut received = Vec::new();
        stream.read_to_end(&mut received).unwrap();
        received
    });
    let (received, summary) = run(&lab, PHONE, move || {
        let mut stream = TcpStream::connect_timeout(&(server, 80).into(), TIMEOUT).unwrap();
        stream.write_all(&copy).unwrap();
        drop(stream);
        reader.join().unwrap()
    });
    assert!(received == sent, "{} bytes of {}", received.len(), sent.len());
    let up = &summary.emulator.last.links[0].counters;
    assert!(up.lost > 0, "the link did lose packets");
    // The kernel's segmentation is off: each segment entered as a packet of its own.
    assert!(up.offered >= 2_000_000 / 1460, "{} packets", up.offered);
}

#[test]
fn several_labs_have_nothing_to_do_with_each_other() {
    let labs: Vec<Lab> = (0..3)
        .map_while(|_| lab(two_hosts(100.0, Span::from_millis(1), 100, Loss::None)))
        .collect();
    std::thread::scope(|scope| {
        for lab in &labs {
            scope.spawn(|| {
                let address = lab.hosts()[SERVER].v4.into();
                echo(lab, address);
                let (times, _) = run(lab, PHONE, move || round_trips((address, 9).into(), 100, 5));
                assert_eq!(times.len(), 5);
            });
        }
    });
}

#[test]
fn a_node_between_hosts_passes_packets_on() {
    // phone - tower - server, and another phone at the same tower.
    let two = two_hosts(100.0, Span::from_millis(4), 100, Loss::None);
    let mut network = Network { nodes: 4, links: Vec::new(), hosts: two.hosts };
    for (node, name) in [(0, "air"), (1, "wire"), (2, "other")] {
        let config = two.links[0].config.as_ref().clone();
        network.links.push(super::support::link(name, (node, 3), config.clone()));
        network.links.push(super::support::link(&format!("{name}.back"), (3, node), config));
    }
    let mut other = network.hosts[0].clone();
    other.name = "other".to_owned();
    other.node = 2;
    network.hosts.push(other);
    let Some(lab) = lab(network) else { return };
    let address = lab.hosts()[SERVER].v4.into();
    echo(&lab, address);
    let (times, summary) = run(&lab, 2, move || round_trips((address, 9).into(), 100, 10));
    assert!(times[0] >= Duration::from_millis(16), "four links of 4 ms: {times:?}");
    let delivered: Vec<u64> =
        summary.emulator.last.links.iter().map(|link| link.counters.delivered).collect();
    assert!(delivered[4] >= 10 && delivered[3] >= 10, "{delivered:?}");
    assert_eq!(delivered[..2], [0, 0], "nothing over the first phone's links");
}

#[test]
fn the_machine_itself_can_be_a_host() {
    let mut network = two_hosts(100.0, Span::from_millis(3), 100, Loss::None);
    network.hosts[SERVER].place = Place::Machine;
    let Some(lab) = lab(network.clone()) else { return };
    // A second lab at the same time gets other addresses.
    let other = super::support::lab(network).expect("there are 256 blocks");
    assert_ne!(lab.hosts()[SERVER].v4, other.hosts()[SERVER].v4);
    for lab in [lab, other] {
        let address = lab.hosts()[SERVER].v4.into();
        // This thread is in the machine's namespace.
        let socket = UdpSocket::bind((address, 9)).unwrap();
        drop(socket);
        echo(&lab, address);
        let (times, _) = run(&lab, PHONE, move || round_trips((address, 9).into(), 100, 5));
        assert!(times[0] >= Duration::from_millis(6));
    }
}

/// With the largest MTU a datagram of UDP's largest payload is one packet of 65 535 bytes.
#[test]
fn the_largest_packet_passes_whole() {
    let options = Options { mtu: u16::MAX, ..Options::default() };
    let network = two_hosts(1000.0, Span::from_millis(1), 10, Loss::None);
    let Some(lab) = super::support::lab_with(network, options) else { return };
    let server = lab.hosts()[SERVER].v4;
    let sink = lab.run_in(SERVER, move || UdpSocket::bind((server, 9)).unwrap()).join().unwrap();
    sink.set_read_timeout(Some(TIMEOUT)).unwrap();
    let payload: Vec<u8> = (0..65_507_u32).map(|i| (i % 251) as u8).collect();
    let copy = payload.clone();
    let (arrived, summary) = run(&lab, PHONE, move || {
        let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
        socket.send_to(&copy, (server, 9)).unwrap();
        let mut buffer = vec![0; 70_000];
        let length = sink.recv(&mut buffer).expect("a datagram");
        buffer.truncate(length);
        buffer
    });
    assert!(arrived == payload, "{} octets", arrived.len());
    let up = &summary.emulator.last.links[0].counters;
    assert_eq!((up.offered, up.delivered_bytes), (1, 65_535));
    assert_eq!(summary.losses, Losses::default());
}

/// Real packets are marked in their IP headers, which the kernel at the other end accepts: it
/// checks the checksum of IPv4.
#[test]
fn a_queue_marks_real_packets() {
    // 972 bytes and the headers take 80 ms.
    let mut network = two_hosts(0.1, Span::from_millis(1), 100, Loss::None);
    let mut config = atl_link::Config::clone(&network.links[0].config);
    config.mark_at = Some(1);
    network.links[0].config = std::sync::Arc::new(config);
    let Some(lab) = lab(network) else { return };
    for address in [IpAddr::from(lab.hosts()[SERVER].v4), IpAddr::from(lab.hosts()[SERVER].v6)] {
        let at = SocketAddr::from((address, 9)).to_string();
        let server =
            lab.run_in(SERVER, move || ecn::socket(&at, Ecn::NotEct)).join().expect("no panic");
        let any = if address.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
        let (fields, summary) = run(&lab, PHONE, move || {
            let client = ecn::socket(any, Ecn::Ect0);
            for field in [Ecn::Ect0, Ecn::Ect1, Ecn::Ect0, Ecn::NotEct, Ecn::Ect1, Ecn::Ce] {
                ecn::send_as(&client, field);
                client.send_to(&[0; 972], (address, 9)).unwrap();
            }
            (0..6).map(|_| ecn::receive(&server).1).collect::<Vec<u8>>()
        });
        assert_eq!(fields, [0b10, 0b01, 0b11, 0b00, 0b11, 0b11], "{address}");
        assert_eq!(summary.emulator.last.links[0].counters.marked, 2, "{address}");
    }
}
