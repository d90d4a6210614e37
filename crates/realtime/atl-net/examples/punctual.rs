//! Measures how punctual the UDP proxy is on this machine, whatever its system: echoes over two
//! links of 20 ms, with all in this process.
//!
//! ```sh
//! cargo run --release -p atl-net --example punctual -- PACKETS_PER_S SECONDS [portable] [spin=US]
//! ```
//!
//! It prints how long echoes took without the proxy, by how much they took longer with it than the
//! links say, and what of that the emulator knows as its lateness. With `portable`, Linux uses the
//! sockets of other systems.

use std::env;
use std::error::Error;
use std::net::{SocketAddr, UdpSocket};
use std::thread;
use std::time::{Duration, Instant};

use atl_core::time::Span;
use atl_link::random::Stream;
use atl_link::relay::{Relay, RouteId};
use atl_link::{Config, Link, Service};
use atl_net::clock::Clock;
use atl_net::emulator::{Emulator, Stop, Summary, Timing};
use atl_net::proxy::sockets::{Native, Portable, Sockets};
use atl_net::proxy::{Limits, Listener, Proxy};

/// Delay of each link.
const DELAY: Span = Span::from_millis(20);
const LOOPBACK: &str = "127.0.0.1:0";

#[expect(clippy::print_stdout, reason = "the result")]
fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let number = |place: usize, default: f64| -> Result<f64, std::num::ParseFloatError> {
        args.get(place).map_or(Ok(default), |text| text.parse())
    };
    let (rate, seconds) = (number(0, 200.0)?, number(1, 5.0)?);
    let spin = args.iter().find_map(|arg| arg.strip_prefix("spin="));
    let spin = Span::from_micros(spin.map_or(Ok(0), str::parse)?);
    let timing = Timing { spin, ..Timing::default() };
    let portable = args.iter().any(|arg| arg == "portable");
    let sockets = if portable { "portable" } else { "native" };

    let server = UdpSocket::bind(LOOPBACK)?;
    let to = server.local_addr()?;
    let stop = Stop::default();
    let (at, ends) = (LOOPBACK.parse()?, stop.clone());
    let (at, emulator) = match portable {
        true => start(Listener::<Portable>::over(at, to, Limits::default())?, timing, ends),
        false => start(Listener::<Native>::over(at, to, Limits::default())?, timing, ends),
    };
    // Ends with this process.
    thread::spawn(move || {
        let mut buffer = [0; 2000];
        while let Ok((length, from)) = server.recv_from(&mut buffer) {
            let _ = server.send_to(&buffer[..length], from);
        }
    });

    let count = (rate * seconds) as u64;
    let told = |took: &[u64], beyond: Span| {
        let of = |share: f64| took.get((share * took.len() as f64) as usize).copied();
        [0.5, 0.9, 0.99]
            .map(|share| of(share).map_or(f64::NAN, |ns| (ns as f64 - beyond.nanos() as f64) / 1e3))
    };
    let straight = echoes(to, rate, count)?;
    let [p50, p90, p99] = told(&straight, Span::ZERO);
    println!("without the proxy: {} of {count} came back", straight.len());
    println!("  echoes took {p50:.0} / {p90:.0} / {p99:.0} us (p50, p90, p99)");
    let took = echoes(at, rate, count)?;
    stop.stop();
    let summary = emulator.join().map_err(|_| "the emulator panicked")??;

    let [p50, p90, p99] = told(&took, DELAY + DELAY);
    println!("{sockets}, {:?}: {} of {count} came back", summary.scheduling, took.len());
    println!("  echoes later than 40 ms by {p50:.0} / {p90:.0} / {p99:.0} us");
    let late = &summary.last.lateness;
    let [p50, p90, p99] = [0.5, 0.9, 0.99].map(|share| late.quantile(share).secs() * 1e6);
    println!("  frames left late by {p50:.0} / {p90:.0} / {p99:.0} us");
    Ok(())
}

/// The times that echoes of this many datagrams from `at` took, in nanoseconds, the shortest first.
fn echoes(at: SocketAddr, rate: f64, count: u64) -> std::io::Result<Vec<u64>> {
    let client = UdpSocket::bind(LOOPBACK)?;
    client.set_read_timeout(Some(Duration::from_millis(500)))?;
    let begun = Instant::now();
    let nanos = move || begun.elapsed().as_nanos() as u64;
    let sender = client.try_clone()?;
    let sending = thread::spawn(move || {
        for n in 0..count {
            let due = Duration::from_secs_f64(n as f64 / rate);
            thread::sleep(due.saturating_sub(begun.elapsed()));
            let _ = sender.send_to(&nanos().to_le_bytes(), at);
        }
    });
    let (mut took, mut buffer) = (Vec::new(), [0; 8]);
    while took.len() < count as usize && client.recv(&mut buffer).is_ok() {
        took.push(nanos() - u64::from_le_bytes(buffer));
    }
    let _ = sending.join();
    took.sort_unstable();
    Ok(took)
}

/// Runs a proxy over the two links. Gives its address, and the thread to wait for.
fn start<S: Sockets<Socket: Send> + Send + 'static>(
    listener: Listener<S>,
    timing: Timing,
    stop: Stop,
) -> (SocketAddr, thread::JoinHandle<std::io::Result<Summary>>) {
    let at = listener.local_addr();
    let emulator = thread::spawn(move || {
        let link = |name: &str| {
            let mut config = Config::constant(atl_core::units::Rate::from_mbps(1.0), DELAY, 1000);
            config.initial.service = Service::Unlimited;
            Link::new(config.into(), Stream::new(1, name))
        };
        let relay = Relay::new(vec![link("up"), link("down")], vec![vec![0], vec![1]]);
        let proxy = Proxy::new(listener, RouteId(0), RouteId(1));
        Emulator::new(relay, proxy, Clock::start(), timing).run(&stop, &mut |_| {})
    });
    (at, emulator)
}
