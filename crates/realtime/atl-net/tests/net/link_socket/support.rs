//! An emulator with a load and a link socket.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_device::emulated::LinkClient;
use atl_engine::setup::LinkSetup;
use atl_link::relay::Frame;
use atl_link::relay::{Relay, RouteId};
use atl_link::{Config, Loss};
use atl_net::clock::Clock;
use atl_net::emulator::{Emulator, Stop, Summary, Timing};
use atl_net::link_socket::{Board, LinkSocket};
use atl_net::ports::Ports;
use atl_wire::link_query::LinkName;
use tempfile::TempDir;

use crate::wait_until;

/// Longer than any step takes on a busy machine.
pub(crate) const AMPLE: Span = Span::from_secs(20);

/// Ports without sockets: a frame of 1000 bytes every two milliseconds onto each route. The last 16
/// bytes begin with the route's number and end with that of the frame.
#[derive(Debug)]
struct Load {
    next: Time,
    routes: usize,
    frames: u64,
}

impl Ports for Load {
    fn wait(&mut self, longest: Span) -> io::Result<()> {
        thread::sleep(Duration::from_nanos(longest.nanos()));
        Ok(())
    }

    fn receive(&mut self, _: &dyn Fn() -> Time, _: &mut dyn FnMut(Frame)) -> io::Result<()> {
        Ok(())
    }

    fn deliver(&mut self, _: Frame) {}

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn datagram<'a>(&self, frame: &'a Frame) -> Option<&'a [u8]> {
        Some(&frame.bytes)
    }

    fn tick(&mut self, now: Time, relay: &mut Relay) -> Span {
        while self.next <= now {
            for route in 0..self.routes {
                let mut bytes = vec![0; 1000];
                bytes[984] = route as u8;
                bytes[992..].copy_from_slice(&self.frames.to_be_bytes());
                relay.offer(now, Frame::new(bytes, RouteId(route), now, 0));
            }
            self.frames += 1;
            self.next = self.next.saturating_add(Span::from_millis(2));
        }
        Span::from_millis(1)
    }
}

pub(crate) fn link(name: &str, wireless: bool, delay: Span, loss: f64) -> LinkSetup {
    let mut config = Config::constant(Rate::from_mbps(8.0), delay, 100);
    config.initial.loss = Loss::Bernoulli(Probability::clamped(loss));
    LinkSetup {
        name: name.to_owned(),
        from: 0,
        to: 1,
        wireless,
        config: Arc::new(config),
        agent: None,
        adaptation: None,
        trace_start: None,
    }
}

/// An emulator of these links, each with a load of its own, and their socket.
#[derive(Debug)]
pub(crate) struct Emulated {
    pub(crate) socket: Option<LinkSocket>,
    stop: Stop,
    thread: Option<JoinHandle<Summary>>,
    _folder: Option<TempDir>,
}

impl Emulated {
    pub(crate) fn new(links: &[LinkSetup]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("links");
        let mut emulated = Emulated::at(path, links);
        emulated._folder = Some(folder);
        emulated
    }

    pub(crate) fn at(path: PathBuf, links: &[LinkSetup]) -> Self {
        Self::over(path, links, (0..links.len()).map(|link| vec![link]).collect())
    }

    /// An emulator with a load on each of these routes.
    pub(crate) fn over(path: PathBuf, links: &[LinkSetup], routes: Vec<Vec<usize>>) -> Self {
        let board = Board::new(links);
        let socket = LinkSocket::open(path, board.clone()).expect("a socket");
        let load = Load { next: Time::ZERO, routes: routes.len(), frames: 0 };
        let relay = atl_engine::setup::relay(links, routes, 5);
        let timing = Timing { real_time: false, ..Timing::default() };
        let stop = Stop::default();
        let ends = stop.clone();
        let losses = board.losses();
        let thread = thread::spawn(move || {
            let emulator = Emulator::new(relay, load, Clock::start(), timing);
            let emulator = emulator.with_losses(losses);
            emulator
                .run(&ends, &mut |snapshot| board.publish(snapshot))
                .expect("ports that do not break")
        });
        Emulated { socket: Some(socket), stop, thread: Some(thread), _folder: None }
    }

    pub(crate) fn path(&self) -> &Path {
        self.socket.as_ref().expect("open").path()
    }

    pub(crate) fn client(&self) -> LinkClient {
        LinkClient::connect(self.path(), AMPLE).expect("it listens")
    }

    /// Ends the emulator, and leaves the socket open.
    pub(crate) fn finish(&mut self) -> Summary {
        self.stop.stop();
        self.thread.take().expect("not finished yet").join().expect("no panic")
    }
}

impl Drop for Emulated {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

pub(crate) fn name(name: &str) -> LinkName {
    LinkName::new(name).expect("a short name")
}

/// Waits until `done` is true, and panics with `what` after [`AMPLE`].
pub(crate) fn until(what: &str, done: impl FnMut() -> bool) {
    wait_until(Duration::from_nanos(AMPLE.nanos()), what, done);
}
