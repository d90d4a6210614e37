//! `atl link --queue` as a UDP proxy: each discipline is at work, and mistakes are told.
#![cfg(unix)]

use std::net::UdpSocket;
use std::os::fd::AsRawFd as _;
use std::thread;
use std::time::{Duration, Instant};

use atl_link::Ecn;
use atl_net::ecn;

use crate::link::Running;
use crate::refused;

/// A datagram of a kilobyte takes 16 ms, so that a burst stands for most of a second.
const RATE: &str = "500kb/s";
const BURST: u8 = 40;
/// After this long without a datagram all have arrived.
const SILENCE: Duration = Duration::from_millis(800);

/// Arrivals at the server: who sent each datagram, and its ECN field.
type Arrived = Vec<(u8, Ecn)>;

/// A datagram of a sender, who is known by its first byte.
fn send(socket: &UdpSocket, sender: u8, bytes: usize, field: Ecn) {
    let mut datagram = vec![0; bytes];
    datagram[0] = sender;
    ecn::send_with(socket.as_raw_fd(), &datagram, field).expect("sent");
}

fn arrived(server: &UdpSocket) -> Arrived {
    let (mut seen, mut buffer, mut room) = (Vec::new(), [0; 2000], ecn::room());
    let mut last = Instant::now();
    while last.elapsed() < SILENCE {
        match ecn::receive(server.as_raw_fd(), &mut buffer, &mut room) {
            Ok((_, field)) => {
                seen.push((buffer[0], field));
                last = Instant::now();
            }
            Err(_) => thread::sleep(Duration::from_millis(1)),
        }
    }
    seen
}

/// Sends by `each`, which gets the sockets of two clients, over a link with this queue. Gives what
/// arrived, and how many the queue dropped.
fn through(queue: &str, each: impl Fn(&UdpSocket, &UdpSocket)) -> (Arrived, u64) {
    let dir = tempfile::tempdir().expect("a directory");
    let running = Running::start(dir.path(), &["--rate", RATE, "--queue", queue]);
    ecn::ask(&running.server).expect("the system tells");
    let other = UdpSocket::bind("127.0.0.1:0").expect("loopback");
    other.connect(running.client.peer_addr().expect("connected")).expect("connected");
    each(&running.client, &other);
    let seen = arrived(&running.server);
    let lines = running.interrupt();
    let up = &lines.last().expect("a summary")["links"][0];
    let [offered, dropped, delivered] =
        ["offered", "dropped", "delivered"].map(|key| up[key].as_u64().expect("a number"));
    assert_eq!((offered, delivered), (dropped + delivered, seen.len() as u64), "{queue}: {up}");
    (seen, dropped)
}

/// A burst of the first client, and a datagram of the second behind it, with these fields.
fn burst_and_one(fields: [Ecn; 2]) -> impl Fn(&UdpSocket, &UdpSocket) {
    move |bulk, other| {
        for _ in 0..BURST {
            send(bulk, 0, 1000, fields[0]);
        }
        send(other, 1, 1000, fields[1]);
    }
}

/// The number of datagrams that arrived after the second client's.
fn from_the_end(seen: &Arrived) -> usize {
    seen.iter().rev().position(|(sender, _)| *sender == 1).expect("the other's datagram")
}

fn marks(seen: &Arrived) -> usize {
    seen.iter().filter(|(_, field)| *field == Ecn::Ce).count()
}

/// A plain queue shows none of the signs by which the tests below know disciplines: all arrive
/// unmarked, first in, first out.
#[test]
fn a_plain_queue_drops_marks_and_reorders_nothing() {
    for queue in ["1000", "1MB", "60s", "{ discipline = \"drop-tail\", packets = 1000 }"] {
        let (seen, dropped) = through(queue, burst_and_one([Ecn::Ect0, Ecn::Ect1]));
        assert_eq!((dropped, marks(&seen), from_the_end(&seen)), (0, 0, 0), "{queue}");
    }
    let (seen, dropped) = through("10", burst_and_one([Ecn::NotEct, Ecn::NotEct]));
    assert!(dropped >= 20 && seen.len() < 21, "{dropped}");
}

/// A queue that stands makes them drop long before they are full, or mark what can be marked.
#[test]
fn codel_and_red_signal_a_queue_that_stands() {
    for queue in [
        "codel",
        "{ discipline = \"codel\" }",
        "{ discipline = { name = \"codel\", target = \"1ms\" } }",
        "{ discipline = \"red\", packets = 1000, min = 2, max = 10, weight = 1 }",
    ] {
        let (_, dropped) = through(queue, burst_and_one([Ecn::NotEct; 2]));
        assert!(dropped >= 3, "{queue}: {dropped}");
    }
    for queue in ["codel", "fq-codel", "cake"] {
        let (seen, dropped) = through(queue, burst_and_one([Ecn::Ect0; 2]));
        assert!(marks(&seen) >= 3 && dropped == 0, "{queue}: {} {dropped}", marks(&seen));
    }
    let (seen, dropped) = through("{ packets = 99, mark = 5 }", burst_and_one([Ecn::Ect0; 2]));
    assert!(marks(&seen) >= 20 && dropped == 0, "{} {dropped}", marks(&seen));
}

/// PIE drops what enters while packets wait: the burst takes a fifth of a second. Its options take
/// effect: with the default ones nothing is dropped in the first 150 ms, nor soon after.
#[test]
fn pie_drops_arrivals() {
    let spread = |client: &UdpSocket, _: &UdpSocket| {
        for _ in 0..BURST {
            send(client, 0, 1000, Ecn::NotEct);
            thread::sleep(Duration::from_millis(5));
        }
    };
    let eager =
        "{ discipline = { name = \"pie\", target = \"1ms\", max-burst = \"0s\", alpha = 1e5 } }";
    let (_, dropped) = through(eager, spread);
    assert!(dropped >= 3, "{dropped}");
    let (_, dropped) = through("{ discipline = \"pie\" }", spread);
    assert_eq!(dropped, 0);
}

/// A client that sends little does not wait behind another one's burst.
#[test]
fn fq_codel_and_cake_serve_clients_in_turns() {
    for queue in ["fq-codel", "cake", "{ discipline = { name = \"cake\", rate = \"500kb/s\" } }"] {
        let (seen, _) = through(queue, burst_and_one([Ecn::NotEct; 2]));
        assert!(from_the_end(&seen) >= 10, "{queue}: {}", from_the_end(&seen));
    }
}

/// A datagram that says that it is L4S's does not wait behind classic datagrams.
#[test]
fn dualpi2_has_a_queue_for_l4s() {
    let (seen, _) = through("dualpi2", burst_and_one([Ecn::NotEct, Ecn::Ect1]));
    assert!(from_the_end(&seen) >= 10, "{}", from_the_end(&seen));
    let (seen, _) = through("dualpi2", burst_and_one([Ecn::NotEct; 2]));
    assert_eq!(from_the_end(&seen), 0);
    // Even the shortest wait marks it, and an overload drops some.
    let (seen, dropped) = through("dualpi2", burst_and_one([Ecn::Ect1; 2]));
    assert!(marks(&seen) + 3 >= seen.len() && dropped >= 3, "{} {dropped}", marks(&seen));
}

#[test]
fn a_policer_drops_and_an_ack_filter_spares_long_datagrams() {
    let plan = "{ discipline = { name = \"policer\", rate = \"1kb/s\", burst = \"5500B\" } }";
    let (seen, dropped) = through(plan, burst_and_one([Ecn::Ect0; 2]));
    // Five datagrams of 1028 bytes, and none for the tokens of a few seconds.
    assert_eq!((seen.len(), dropped), (5, u64::from(BURST) - 4));
    let short = |client: &UdpSocket, _: &UdpSocket| {
        for long in [true, false, false, false, false, false, false, true] {
            send(client, 0, if long { 1000 } else { 40 }, Ecn::NotEct);
        }
    };
    let (seen, dropped) = through("{ discipline = \"ack-filter\" }", short);
    assert_eq!((seen.len(), dropped), (4, 4));
}

#[test]
fn mistakes_are_told_with_what_is_allowed() {
    let dir = tempfile::tempdir().expect("a directory");
    for (queue, words) in [
        ("codell", &["--queue codell", "did you mean `codel`"][..]),
        ("\"fq_codel\"", &["did you mean `fq-codel`"]),
        ("red", &["has no length", "packets = 100"]),
        ("policer", &["lacks an option", "rate"]),
        ("5 Mb", &["--queue 5 Mb"]),
        ("-3", &["--queue -3", "from 1 to"]),
        ("{ discipline = \"pie\", packets = 0 }", &["packets", "from 1 to"]),
        ("{ discipline = { name = \"codel\", tarjet = \"5ms\" } }", &["did you mean `target`"]),
        ("{ discipline = { name = \"codel\", target = \"200ms\" } }", &["longer than `target`"]),
        ("{ discipline = { name = \"dualpi2\", coupling = 0 } }", &["from 1 to 255"]),
        ("{ discipline = { name = \"cake\", flows = 20 } }", &["a multiple of 8"]),
        ("{ discipline = { name = \"pie\", mark-up-to = 2 } }", &["from 0 to 1"]),
        ("{ discipline = \"pie\"", &["--queue"]),
    ] {
        let option = format!("--queue={queue}");
        let args =
            ["link", "--rate", RATE, &option, "--listen", "127.0.0.1:0", "--to", "127.0.0.1:9"];
        let told = refused(dir.path(), &args, 2);
        for word in words {
            assert!(told.contains(word), "{queue}: {word} in {told}");
        }
    }
}
