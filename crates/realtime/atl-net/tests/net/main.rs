//! Real packets over emulated links. Only `tun` needs root, and reports when it is skipped.

/// Tests that run over the system's own sockets and over portable ones.
macro_rules! over_both {
    ($($test:ident)*) => {
        mod native {
            $(#[test]
            fn $test() {
                super::$test::<atl_net::proxy::sockets::Native>();
            })*
        }
        mod portable {
            $(#[test]
            fn $test() {
                super::$test::<atl_net::proxy::sockets::Portable>();
            })*
        }
    };
}

mod capture;
mod ecn;
mod link_socket;
mod pcap;
mod portable;
mod proxy;
mod segments;
mod slow_capture;
mod tun;

use std::fmt::Debug;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use atl_core::time::Span;
use atl_core::units::Rate;
use atl_engine::setup::LinkSetup;
use atl_link::Config;
use atl_link::relay::RouteId;
use atl_net::capture::{Capture, Writer};
use atl_net::clock::Clock;
use atl_net::emulator::{Emulator, Stop, Summary, Timing};
use atl_net::proxy::sockets::Sockets;
use atl_net::proxy::{Counters, Counts, Limits, Listener, Proxy};
use atl_net::snapshot::Snapshot;

/// Seed of all links.
pub const SEED: u64 = 1;

/// A link from host 0 to host 1.
pub fn link(name: &str, config: Config) -> LinkSetup {
    LinkSetup {
        name: name.to_owned(),
        from: 0,
        to: 1,
        wireless: false,
        config: Arc::new(config),
        agent: None,
        adaptation: None,
        trace_start: None,
    }
}

/// A link of this rate and delay that neither loses nor drops packets.
pub fn clean(mbps: f64, delay_ms: u64) -> Config {
    Config::constant(Rate::from_mbps(mbps), Span::from_millis(delay_ms), 100_000)
}

/// Waits until `done` is true, and panics with `what` after `limit`.
pub fn wait_until(limit: Duration, what: impl Debug, mut done: impl FnMut() -> bool) {
    let end = Instant::now() + limit;
    while !done() {
        assert!(Instant::now() < end, "{what:?}");
        thread::sleep(Duration::from_millis(1));
    }
}

/// A kind of sockets that a thread can be given.
pub trait Kind: Sockets<Socket: Send> + Send + 'static {}

impl<S: Sockets<Socket: Send> + Send + 'static> Kind for S {}

/// A proxy's socket for clients at `address`, in front of a server at `to`, and its own address.
pub fn listen<S: Kind>(address: &str, to: SocketAddr, limits: Limits) -> (Listener<S>, SocketAddr) {
    let address = address.parse().expect("an address");
    let listener = Listener::over(address, to, limits).expect("a free port");
    let at = listener.local_addr();
    (listener, at)
}

/// A proxy on a thread of its own.
#[derive(Debug)]
pub struct Running {
    stop: Stop,
    thread: JoinHandle<std::io::Result<Summary>>,
    /// Counts of datagrams outside the links. One that has arrived need not be in them yet: the
    /// proxy counts it after it has sent it.
    pub counters: Arc<Counters>,
    writer: Option<Writer>,
}

impl Running {
    /// Starts the proxy over these two links.
    pub fn start<S: Kind>(listener: Listener<S>, up: Config, down: Config) -> Self {
        Running::captured(listener, up, down, None)
    }

    /// The same, with captures of the near and the far end in these files.
    pub fn captured<S: Kind>(
        listener: Listener<S>,
        up: Config,
        down: Config,
        files: Option<[PathBuf; 2]>,
    ) -> Self {
        let clock = Clock::start();
        let (capture, writer) =
            files.map(|files| Capture::start(files, clock).expect("writable")).unzip();
        let stop = Stop::default();
        let counters = Arc::clone(listener.counters());
        let stopped = stop.clone();
        let thread = thread::spawn(move || {
            let links = [link("up", up), link("down", down)];
            let relay = atl_engine::setup::relay(&links, vec![vec![0], vec![1]], SEED);
            let mut ports = Proxy::new(listener, RouteId(0), RouteId(1));
            if let Some(capture) = capture {
                ports = ports.with_capture(capture, clock);
            }
            let emulator = Emulator::new(relay, ports, clock, Timing::default());
            emulator.run(&stopped, &mut |_| {})
        });
        Running { stop, thread, counters, writer }
    }

    /// Waits until the counts have come so far, for ten seconds at most.
    pub fn wait_for(&self, reached: impl Fn(&Counts) -> bool) {
        let counts = || self.counters.counts();
        wait_until(Duration::from_secs(10), &self.counters, || reached(&counts()));
    }

    /// Stops the proxy, waits for it, and tells what passed.
    pub fn end(self) -> Ended {
        self.stop.stop();
        let summary = self.thread.join().expect("no panic").expect("no port breaks");
        let counts = self.counters.counts();
        if let Some(writer) = self.writer {
            assert_eq!(writer.finish().expect("written"), 0, "nothing is left out");
        }
        Ended { last: summary.last, counts }
    }
}

/// A proxy that has ended.
#[derive(Debug)]
pub struct Ended {
    /// Its links at the end.
    pub last: Snapshot,
    /// Its final counts of datagrams.
    pub counts: Counts,
}
