//! Measures the speed and punctuality of the UDP proxy on this machine: a sender, the proxy and a
//! receiver, all in this process.
//!
//! ```sh
//! cargo run --release -p atl-net --example proxy_speed -- RATE_MBPS DELAY_MS PACKET_BYTES SECONDS LOAD [fifo] [spin=US] [batch=N]
//! ```
//!
//! It offers LOAD times the link's rate (1.2 fills it) in packets of PACKET_BYTES including 28 of
//! headers, and prints the arrivals, in bytes with headers, between a fifth of the time and its
//! end. With `batch=N` the sender hands N datagrams at a time to the system, as one message
//! (UDP_SEGMENT).

use std::env;
use std::error::Error;
use std::net::UdpSocket;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use atl_core::time::Span;
use atl_core::units::Rate;
use atl_engine::setup::LinkSetup;
use atl_link::Config;
use atl_link::relay::RouteId;
use atl_net::clock::Clock;
use atl_net::emulator::{Emulator, Stop, Timing};
use atl_net::proxy::{Limits, Listener, Proxy};
use nix::sys::socket::{setsockopt, sockopt};
use nix::sys::time::TimeValLike as _;
use nix::time::ClockId;

const HEADERS: usize = 28;

#[expect(clippy::print_stdout, reason = "the result")]
fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let number = |place: usize, default: f64| -> Result<f64, std::num::ParseFloatError> {
        args.get(place).map_or(Ok(default), |text| text.parse())
    };
    let (mbps, delay_ms) = (number(0, 20.0)?, number(1, 10.0)?);
    let (bytes, seconds, load) = (number(2, 1000.0)?, number(3, 5.0)?, number(4, 0.9)?);
    let spin = args.iter().find_map(|arg| arg.strip_prefix("spin="));
    let spin = Span::from_micros(spin.map_or(Ok(0), str::parse)?);
    let batch = args.iter().find_map(|arg| arg.strip_prefix("batch="));
    let batch: usize = batch.map_or(Ok(1), str::parse)?;
    let timing = Timing { real_time: args.iter().any(|a| a == "fifo"), spin, ..Timing::default() };

    let server = UdpSocket::bind("127.0.0.1:0")?;
    server.set_read_timeout(Some(Duration::from_millis(50)))?;
    // A receiver that waits for a processor must not lose packets on its own.
    let room = 8 << 20;
    if setsockopt(&server, sockopt::RcvBufForce, &room).is_err() {
        setsockopt(&server, sockopt::RcvBuf, &room)?;
    }
    let to = server.local_addr()?;
    let listener = Listener::bind("127.0.0.1:0".parse()?, to, Limits::default())?;
    let (at, counters) = (listener.local_addr(), Arc::clone(listener.counters()));
    let delay = Span::from_secs_f64(delay_ms / 1e3);
    // Two bandwidth-delay products, and 100 packets.
    let queue = 100 + (2.0 * mbps * 1e6 / 8.0 / bytes * delay.secs()) as u32;
    let config = Config::constant(Rate::from_mbps(mbps), delay, queue);
    let links = ["up", "down"].map(|name| LinkSetup {
        name: name.to_owned(),
        from: 0,
        to: 1,
        wireless: false,
        config: Arc::new(config.clone()),
        agent: None,
        adaptation: None,
        trace_start: None,
    });
    let stop = Stop::default();
    let stopped = stop.clone();
    let emulator = thread::spawn(move || {
        let relay = atl_engine::setup::relay(&links, vec![vec![0], vec![1]], 1);
        let ports = Proxy::new(listener, RouteId(0), RouteId(1));
        let summary =
            Emulator::new(relay, ports, Clock::start(), timing).run(&stopped, &mut |_| {});
        let used = ClockId::CLOCK_THREAD_CPUTIME_ID.now();
        summary.map(|summary| (summary, used))
    });
    let (done, arrived) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let (ends, count) = (Arc::clone(&done), Arc::clone(&arrived));
    let sink = thread::spawn(move || {
        let mut buffer = [0; 65_536];
        while !ends.load(Ordering::Relaxed) {
            if server.recv(&mut buffer).is_ok() {
                count.fetch_add(1, Ordering::Relaxed);
            }
        }
    });

    let client = UdpSocket::bind("127.0.0.1:0")?;
    let datagram = (bytes as usize).saturating_sub(HEADERS);
    if batch > 1 {
        setsockopt(&client, sockopt::UdpGsoSegment, &i32::try_from(datagram)?)?;
    }
    let datagrams = vec![0; datagram * batch];
    let per_second = load * mbps * 1e6 / 8.0 / bytes;
    let begun = Instant::now();
    let (mut sent, mut first) = (0_u64, None);
    while begun.elapsed().as_secs_f64() < seconds {
        let due = (begun.elapsed().as_secs_f64() * per_second) as u64;
        while sent + batch as u64 <= due {
            client.send_to(&datagrams, at)?;
            sent += batch as u64;
        }
        if first.is_none() && begun.elapsed().as_secs_f64() > seconds / 5.0 {
            first = Some((Instant::now(), arrived.load(Ordering::Relaxed)));
        }
        thread::sleep(Duration::from_micros(200));
    }
    let (since, before) = first.unwrap_or((begun, 0));
    let (packets, took) = (arrived.load(Ordering::Relaxed) - before, since.elapsed().as_secs_f64());
    thread::sleep(Duration::from_millis(100));
    stop.stop();
    let (summary, used) = emulator.join().map_err(|_| "the emulator panicked")??;
    done.store(true, Ordering::Relaxed);
    sink.join().map_err(|_| "the receiver panicked")?;
    let late = &summary.last.lateness;
    let [p50, p90, p99] = [0.5, 0.9, 0.99].map(|share| late.quantile(share).secs() * 1e6);
    println!(
        "{mbps} Mb/s, {delay_ms} ms, {bytes} B, {:?}: {:.0} packets/s, {:.4} Mb/s ({:+.2} %); \
         late by {p50:.0} / {p90:.0} / {p99:.0} / {:.0} us (p50, p90, p99, worst), {:.2} % by a packet time",
        summary.scheduling,
        packets as f64 / took,
        packets as f64 * bytes * 8.0 / took / 1e6,
        100.0 * (packets as f64 * bytes * 8.0 / took / 1e6 / (mbps * load.min(1.0)) - 1.0),
        late.worst().secs() * 1e6,
        100.0 * late.late_share(),
    );
    let counts = counters.counts();
    let each = counts.received.max(1) as f64;
    println!(
        "  per datagram: {:.2} us of processor time, {:.3} calls that receive, {:.3} that send",
        used?.num_nanoseconds() as f64 / 1e3 / each,
        counts.receiving_calls as f64 / each,
        counts.sending_calls as f64 / each,
    );
    println!(
        "  {sent} offered, {} dropped by the queue; {counts:?}",
        summary.last.links[0].counters.dropped
    );
    Ok(())
}
