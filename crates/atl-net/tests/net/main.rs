//! Real packets through real links. Neither root nor special devices are needed.

mod proxy;

use std::sync::Arc;
use std::thread::{self, JoinHandle};

use atl_core::time::Span;
use atl_core::units::Rate;
use atl_link::Config;
use atl_net::clock::Clock;
use atl_net::emulator::{Emulator, Stop, Summary, Timing};
use atl_net::proxy::{Counters, Listener, Proxy};
use atl_net::relay::{Relay, RouteId};
use atl_scenario::setup::LinkSetup;

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

/// A link that neither loses nor drops.
pub fn clean(mbps: f64, delay_ms: u64) -> Config {
    Config::constant(Rate::from_mbps(mbps), Span::from_millis(delay_ms), 100_000)
}

/// A proxy that runs on a thread of its own.
#[derive(Debug)]
pub struct Running {
    stop: Stop,
    thread: JoinHandle<std::io::Result<Summary>>,
    /// What it counts.
    pub counters: Arc<Counters>,
}

impl Running {
    /// Starts it over these two links.
    pub fn start(listener: Listener, up: Config, down: Config) -> Self {
        let stop = Stop::default();
        let counters = Arc::clone(listener.counters());
        let stopped = stop.clone();
        let thread = thread::spawn(move || {
            let links = [link("up", up), link("down", down)];
            let relay = Relay::new(&links, vec![vec![0], vec![1]], 1);
            let ports = Proxy::new(listener, RouteId(0), RouteId(1));
            let emulator = Emulator::new(relay, ports, Clock::start(), Timing::default());
            emulator.run(&stopped, &mut |_| {})
        });
        Running { stop, thread, counters }
    }

    /// Ends it.
    pub fn end(self) -> Summary {
        self.stop.stop();
        self.thread.join().expect("no panic").expect("no port breaks")
    }
}
