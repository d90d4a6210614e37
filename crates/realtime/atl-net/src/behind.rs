//! A UDP server behind a link, for tests of other programs.
//!
//! ```
//! use std::net::UdpSocket;
//! use std::time::{Duration, Instant};
//!
//! use atl_core::time::Span;
//! use atl_core::units::Rate;
//! use atl_link::Config;
//! use atl_net::behind::Behind;
//!
//! let server = UdpSocket::bind("127.0.0.1:0")?;
//! let link = Config::constant(Rate::from_mbps(8.0), Span::from_millis(20), 50);
//! let behind = Behind::start(server.local_addr()?, link.clone(), link, 1)?;
//!
//! let client = UdpSocket::bind("127.0.0.1:0")?;
//! let began = Instant::now();
//! client.send_to(b"question", behind.address())?;
//! let (_, from) = server.recv_from(&mut [0; 100])?;
//! server.send_to(b"answer", from)?;
//! client.recv(&mut [0; 100])?;
//! assert!(began.elapsed() >= Duration::from_millis(40));
//!
//! let last = behind.end()?;
//! assert_eq!(last.links[0].counters.delivered, 1);
//! # Ok::<(), std::io::Error>(())
//! ```

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::thread::{Builder, JoinHandle};

use atl_link::random::Stream;
use atl_link::relay::{Relay, RouteId};
use atl_link::{Config, Link};

use crate::clock::Clock;
use crate::emulator::{Emulator, Stop, Summary, Timing};
use crate::proxy::{Limits, Listener, Proxy};
use crate::snapshot::Snapshot;

/// A link in front of a server. It ends when this is dropped.
#[derive(Debug)]
pub struct Behind {
    address: SocketAddr,
    stop: Stop,
    thread: Option<JoinHandle<io::Result<Summary>>>,
}

impl Behind {
    /// Puts the server at `to` behind a link: what clients send crosses `up`, and what it answers
    /// `down`. The seed decides their losses and whatever else of them is random.
    ///
    /// # Errors
    /// If there is no free port on loopback, or no thread left.
    pub fn start(to: SocketAddr, up: Config, down: Config, seed: u64) -> io::Result<Self> {
        let listener = Listener::bind((Ipv4Addr::LOCALHOST, 0).into(), to, Limits::default())?;
        let address = listener.local_addr();
        let stop = Stop::default();
        let until = stop.clone();
        let thread = Builder::new().name("link".to_owned()).spawn(move || {
            let link = |config: Config, name: &str| {
                let link = Link::new(config.into(), Stream::new(seed, &format!("link/{name}")));
                link.with_shared(Stream::new(seed, "link/link/shared"))
            };
            let links = vec![link(up, "link"), link(down, "link.back")];
            let relay = Relay::new(links, vec![vec![0], vec![1]]);
            let proxy = Proxy::new(listener, RouteId(0), RouteId(1));
            Emulator::new(relay, proxy, Clock::start(), Timing::default()).run(&until, &mut |_| {})
        })?;
        Ok(Behind { address, stop, thread: Some(thread) })
    }

    /// The address that clients send to.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends it. Gives the counts of its links, `up` first, and how late it was.
    ///
    /// # Errors
    /// If a socket broke while it ran.
    ///
    /// # Panics
    /// Panics if its thread did.
    pub fn end(mut self) -> io::Result<Snapshot> {
        self.stop.stop();
        let thread = self.thread.take().expect("it is taken here alone");
        let ended = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        ended.map(|summary| summary.last)
    }
}

impl Drop for Behind {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            // An error or a panic has no one left to hear of it.
            let _ = thread.join();
        }
    }
}
