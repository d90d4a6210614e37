//! Measures the accuracy and speed of links between TUN devices on this machine. Needs root, and an
//! otherwise idle machine.
//!
//! ```sh
//! cargo run --release -p atl-net --example tun_speed -- tcp      # kernel TCP (CUBIC) against the link's rate
//! cargo run --release -p atl-net --example tun_speed -- udp      # the same for UDP
//! cargo run --release -p atl-net --example tun_speed -- ramp     # how kernel TCP fills 100 Mb/s at 150 ms: CUBIC, Reno, BBR
//! cargo run --release -p atl-net --example tun_speed -- late     # lateness of packets, with SCHED_FIFO and without
//! cargo run --release -p atl-net --example tun_speed -- top      # the most that it moves
//! ```

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream, UdpSocket};
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use atl_core::time::Span;
use atl_core::units::Rate;
use atl_engine::setup::LinkSetup;
use atl_link::Config;
use atl_net::emulator::{Stop, Timing};
use atl_net::tun::{HostPlan, Lab, Network, Options, Place, Summary};
use nix::sys::socket::{setsockopt, sockopt};

const PORT: u16 = 9;
/// IPv4 and TCP headers with timestamps; IPv4 and UDP headers.
const TCP_HEADERS: f64 = 52.0;
const UDP_HEADERS: usize = 28;
const PACKET: usize = 1500;

fn main() -> Result<(), Box<dyn Error>> {
    match std::env::args().nth(1).as_deref() {
        Some("tcp") => against_the_rate("TCP", tcp),
        Some("udp") => against_the_rate("UDP", udp),
        Some("ramp") => ramp(),
        Some("late") => late(),
        Some("top") => top(),
        _ => Err("give one of tcp, udp, ramp, late, top".into()),
    }
}

/// Sends for a while, and returns the bytes/s that arrived.
type Traffic = fn(&Lab, Case) -> Result<f64, Box<dyn Error>>;

/// A link, and the time for which it is measured.
#[derive(Clone, Copy)]
struct Case {
    mbps: f64,
    one_way: Duration,
    /// Time at the start that does not count.
    warm_up: Duration,
    counted: Duration,
}

/// Two hosts. The queue holds one bandwidth-delay product of a round trip, and at least 100
/// packets.
fn lab(case: &Case) -> Result<(Lab, u32), Box<dyn Error>> {
    let round_trip = 2.0 * case.one_way.as_secs_f64();
    let queue = (case.mbps * 1e6 * round_trip / 8.0 / PACKET as f64).ceil().max(100.0) as u32;
    let delay = Span::from_nanos(case.one_way.as_nanos() as u64);
    let config = Arc::new(Config::constant(Rate::from_mbps(case.mbps), delay, queue));
    let link = |name: &str, from, to| LinkSetup {
        name: name.to_owned(),
        from,
        to,
        wireless: false,
        config: Arc::clone(&config),
        agent: None,
        adaptation: None,
        trace_start: None,
    };
    let host = |node, name: &str| HostPlan { name: name.to_owned(), node, place: Place::Namespace };
    let network = Network {
        nodes: 2,
        links: vec![link("up", 0, 1), link("down", 1, 0)],
        hosts: vec![host(0, "phone"), host(1, "server")],
    };
    Ok((Lab::new(network, Options::default())?, queue))
}

/// Runs `traffic` over the lab's links. Returns the bytes/s that arrived, and the emulator's
/// summary.
fn measure(
    lab: &Lab,
    case: Case,
    timing: Timing,
    traffic: Traffic,
) -> Result<(f64, Summary), Box<dyn Error>> {
    let stop = Stop::default();
    std::thread::scope(|scope| {
        let emulator = scope.spawn(|| lab.run(7, timing, &stop, &mut |_| {}));
        let arrived = traffic(lab, case);
        stop.stop();
        let summary = emulator.join().map_err(|_| "the emulator panicked")??;
        Ok((arrived?, summary))
    })
}

/// Bytes/s of IP packets that a TCP connection fills.
fn tcp(lab: &Lab, case: Case) -> Result<f64, Box<dyn Error>> {
    let server = lab.hosts()[1].v4;
    let listener = lab.run_in(1, move || TcpListener::bind((server, PORT))).join().unwrap()?;
    let lasts = case.warm_up + case.counted + Duration::from_millis(500);
    let sender = lab.run_in(0, move || send(server, "cubic", lasts));
    let (mut stream, _) = listener.accept()?;
    let mut buffer = vec![0; 1 << 18];
    let mut begin = Instant::now();
    let mut bytes = 0;
    while begin.elapsed() < case.warm_up {
        bytes += stream.read(&mut buffer)?;
    }
    let before = bytes;
    begin = Instant::now();
    while begin.elapsed() < case.counted {
        bytes += stream.read(&mut buffer)?;
    }
    bytes -= before;
    let rate = bytes as f64 / begin.elapsed().as_secs_f64();
    drop(stream);
    sender.join().map_err(|_| "the sender panicked")??;
    Ok(rate * PACKET as f64 / (PACKET as f64 - TCP_HEADERS))
}

/// Fills a TCP connection for a while. An algorithm that the kernel does not have is an error.
fn send(server: Ipv4Addr, algorithm: &str, lasts: Duration) -> std::io::Result<()> {
    let mut stream = TcpStream::connect((server, PORT))?;
    setsockopt(&stream, sockopt::TcpCongestion, &algorithm.into())?;
    let block = vec![0; 1 << 18];
    let end = Instant::now() + lasts;
    while Instant::now() < end && stream.write_all(&block).is_ok() {}
    Ok(())
}

/// Arrivals of a TCP connection in each slot, as shares of the link's rate.
fn ramp() -> Result<(), Box<dyn Error>> {
    const SLOT: Duration = Duration::from_secs(4);
    const SLOTS: u32 = 10;
    println!("TCP at 100 Mb/s and 150 ms one way, % of the link's rate in each 4 s");
    for algorithm in ["cubic", "reno", "bbr"] {
        let one_way = Duration::from_millis(150);
        let case = Case { mbps: 100.0, one_way, warm_up: Duration::ZERO, counted: SLOTS * SLOT };
        let (lab, queue) = lab(&case)?;
        let server = lab.hosts()[1].v4;
        let stop = Stop::default();
        let (shares, summary) = std::thread::scope(|scope| {
            let emulator = scope.spawn(|| lab.run(7, Timing::default(), &stop, &mut |_| {}));
            let shares = shares(&lab, server, algorithm, (SLOT, SLOTS));
            stop.stop();
            let summary = emulator.join().map_err(|_| "the emulator panicked")??;
            Ok::<_, Box<dyn Error>>((shares?, summary))
        })?;
        let shares: Vec<String> =
            shares.iter().map(|rate| format!("{:5.1}", 100.0 * rate * 8e-6 / case.mbps)).collect();
        let up = &summary.emulator.last.links[0].counters;
        println!(
            "{algorithm:5} queue {queue}: {}  ({} dropped by the queue, {} lost outside)",
            shares.join(" "),
            up.dropped,
            summary.losses.overruns + summary.losses.refused
        );
    }
    Ok(())
}

fn shares(
    lab: &Lab,
    server: Ipv4Addr,
    algorithm: &'static str,
    (slot, slots): (Duration, u32),
) -> Result<Vec<f64>, Box<dyn Error>> {
    let listener = lab.run_in(1, move || TcpListener::bind((server, PORT))).join().unwrap()?;
    let lasts = slots * slot + Duration::from_millis(500);
    let sender = lab.run_in(0, move || send(server, algorithm, lasts));
    let (mut stream, _) = listener.accept()?;
    let mut buffer = vec![0; 1 << 18];
    let mut shares = Vec::new();
    let begin = Instant::now();
    for number in 1..=slots {
        let (from, mut bytes) = (Instant::now(), 0);
        while begin.elapsed() < number * slot {
            bytes += stream.read(&mut buffer)?;
        }
        let rate = bytes as f64 / from.elapsed().as_secs_f64();
        shares.push(rate * PACKET as f64 / (PACKET as f64 - TCP_HEADERS));
    }
    drop(stream);
    sender.join().map_err(|_| "the sender panicked")??;
    Ok(shares)
}

/// Bytes/s of IP packets that arrive when 3 % too many are sent.
fn udp(lab: &Lab, case: Case) -> Result<f64, Box<dyn Error>> {
    datagrams(lab, case, 1.03)
}

/// Bytes/s of IP packets that arrive at 90 % load.
fn udp_without_a_queue(lab: &Lab, case: Case) -> Result<f64, Box<dyn Error>> {
    datagrams(lab, case, 0.9)
}

fn datagrams(lab: &Lab, case: Case, load: f64) -> Result<f64, Box<dyn Error>> {
    let server = lab.hosts()[1].v4;
    let sink = lab.run_in(1, move || UdpSocket::bind((server, PORT))).join().unwrap()?;
    sink.set_read_timeout(Some(Duration::from_secs(2)))?;
    let sender = lab.run_in(0, move || -> std::io::Result<()> {
        let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
        let datagram = vec![0; PACKET - UDP_HEADERS];
        let begin = Instant::now();
        let until = case.warm_up + case.counted + Duration::from_millis(500);
        let mut sent = 0;
        while begin.elapsed() < until {
            let due = begin.elapsed().as_secs_f64() * case.mbps * 1e6 / 8.0 * load / PACKET as f64;
            while sent < due as u64 {
                socket.send_to(&datagram, (server, PORT))?;
                sent += 1;
            }
            sleep(Duration::from_micros(500));
        }
        Ok(())
    });
    let mut buffer = vec![0; PACKET];
    let mut begin = Instant::now();
    while begin.elapsed() < case.warm_up {
        sink.recv(&mut buffer)?;
    }
    begin = Instant::now();
    let mut bytes = 0;
    while begin.elapsed() < case.counted {
        bytes += sink.recv(&mut buffer)? + UDP_HEADERS;
    }
    let rate = bytes as f64 / begin.elapsed().as_secs_f64();
    sender.join().map_err(|_| "the sender panicked")??;
    Ok(rate)
}

fn against_the_rate(what: &str, traffic: Traffic) -> Result<(), Box<dyn Error>> {
    println!("{what}, IP bytes at the receiver against the link's rate");
    for mbps in [2.0, 20.0, 100.0, 500.0] {
        for millis in [10, 150] {
            let one_way = Duration::from_millis(millis);
            // Slow start, and the slower growth if it ends too early, are over by then.
            let warm_up = Duration::from_secs(if what == "UDP" {
                1
            } else if millis == 10 {
                2
            } else {
                8
            });
            let case = Case { mbps, one_way, warm_up, counted: Duration::from_secs(4) };
            let (lab, queue) = lab(&case)?;
            let (rate, summary) = measure(&lab, case, Timing::default(), traffic)?;
            let share = 100.0 * (rate * 8e-6 / mbps - 1.0);
            println!(
                "{mbps:5} Mb/s {millis:4} ms one way, queue {queue:6}: {:8.3} Mb/s {share:+6.2} %  {}",
                rate * 8e-6,
                lateness(&summary)
            );
        }
    }
    Ok(())
}

fn late() -> Result<(), Box<dyn Error>> {
    println!("UDP at 90 % of the link's rate, 10 ms one way");
    for real_time in [true, false] {
        for mbps in [1.0, 5.0, 20.0, 100.0] {
            let second = Duration::from_secs(1);
            let one_way = Duration::from_millis(10);
            let case = Case { mbps, one_way, warm_up: second, counted: 4 * second };
            let (lab, _) = lab(&case)?;
            let timing = Timing { real_time, ..Timing::default() };
            let (_, summary) = measure(&lab, case, timing, udp_without_a_queue)?;
            println!("{mbps:5} Mb/s {:?}: {}", summary.emulator.scheduling, lateness(&summary));
        }
    }
    Ok(())
}

fn top() -> Result<(), Box<dyn Error>> {
    println!("TCP over links of 100 Gb/s, 1 ms one way");
    for real_time in [true, false] {
        let second = Duration::from_secs(1);
        let one_way = Duration::from_millis(1);
        let case = Case { mbps: 100_000.0, one_way, warm_up: 2 * second, counted: 5 * second };
        let (lab, _) = lab(&case)?;
        let timing = Timing { real_time, ..Timing::default() };
        let (rate, summary) = measure(&lab, case, timing, tcp)?;
        let packets: u64 =
            summary.emulator.last.links.iter().map(|link| link.counters.delivered).sum();
        let seconds = summary.emulator.last.at.secs();
        println!(
            "{:.0} Mb/s, {:.0} packets/s both ways, {:?}: {}",
            rate * 8e-6,
            packets as f64 / seconds,
            summary.emulator.scheduling,
            lateness(&summary)
        );
    }
    Ok(())
}

fn lateness(summary: &Summary) -> String {
    let lateness = &summary.emulator.last.lateness;
    let micros = |share| lateness.quantile(share).nanos() as f64 / 1e3;
    let (p50, p90, p99) = (micros(0.5), micros(0.9), micros(0.99));
    let lost = summary.losses.overruns + summary.losses.refused;
    format!(
        "late p50 {p50:.0} p90 {p90:.0} p99 {p99:.0} us, {:.2} % by more than a packet time; {lost} lost outside",
        100.0 * lateness.late_share()
    )
}
