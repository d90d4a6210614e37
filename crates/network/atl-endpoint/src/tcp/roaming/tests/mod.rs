//! Senders with several paths, state by state.

mod acks;
mod moves;
mod returns;
mod two_paths;

use std::sync::{Arc, Mutex, MutexGuard};

use atl_core::path::{PathId, PathSignal};
use atl_core::roaming::{Meanwhile, NewPath, Probe};
use atl_core::time::Time;
use atl_core::window::{Ack, Controller, Loss, Marked, Sent, Start, Timeout, WindowController};

use crate::app::Source;
use crate::handoff::Notice;
use crate::options::SackBlocks;
use crate::tcp::ack::AckInfo;
use crate::tcp::paths::Paths;
use crate::tcp::sender::{Outgoing, Sender};
use crate::tcp::{Recovery, testing};

const A: PathId = PathId::FIRST;
const B: PathId = PathId::new(1);
const C: PathId = PathId::new(2);

fn ms(ms: u64) -> Time {
    Time::from_millis(ms)
}

/// A controller with a constant window, which paces and waits as it is told.
#[derive(Clone, Debug)]
struct Told {
    window: f64,
    release: Option<Time>,
    tick: Option<Time>,
    log: Arc<Mutex<Log>>,
}

/// Everything that it has heard.
#[derive(Debug, Default)]
struct Log {
    /// Number and bytes of each packet, and packets in flight with it.
    sent: Vec<(u64, u32, u32)>,
    /// Packets in flight at each timeout.
    timeouts: Vec<u32>,
    marked: u32,
    recovered: u32,
    ticks: u32,
}

impl Told {
    fn new(window: f64) -> Self {
        Told { window, release: None, tick: None, log: Arc::default() }
    }

    fn boxed(&self) -> Controller {
        Controller::Boxed(Box::new(self.clone()))
    }

    fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().expect("one thread")
    }
}

impl WindowController for Told {
    fn on_ack(&mut self, _: &Ack) {}
    fn on_loss(&mut self, _: &Loss) {}
    fn on_timeout(&mut self, timeout: &Timeout) {
        self.log().timeouts.push(timeout.in_flight);
    }
    fn window(&self) -> f64 {
        self.window
    }
    fn release_at(&self) -> Option<Time> {
        self.release
    }
    fn on_sent(&mut self, sent: &Sent) {
        self.log().sent.push((sent.tx, sent.bytes, sent.in_flight));
    }
    fn on_marked(&mut self, marked: &Marked) {
        self.log().marked += marked.packets;
    }
    fn on_recovered(&mut self, _: Time) {
        self.log().recovered += 1;
    }
    fn next_timeout(&self) -> Option<Time> {
        self.tick
    }
    fn on_tick(&mut self, _: Time) {
        self.log().ticks += 1;
    }
}

/// A greedy sender with a window of ten that has yet to send.
fn sender(how: NewPath) -> Sender {
    let controller = testing::reno();
    let sender = testing::sender(&controller, Recovery::Sack, 10.0, &Source::Greedy);
    sender.with_new_path(how, controller, Start::default())
}

fn probe(meanwhile: Meanwhile) -> NewPath {
    NewPath::Probe(Probe { meanwhile, ..Probe::default() })
}

/// A notice of a receiver that came over the path that it names.
fn notice(sender: &mut Sender, now: Time, sequence: u32, signal: PathSignal) {
    let notice = Notice { sequence, signal, tag: 0 };
    sender.on_notice(now, &notice, signal.path(), 1500);
}

/// Everything that may go out now.
fn drain(sender: &mut Sender, now: Time) -> Vec<Outgoing> {
    std::iter::from_fn(|| sender.poll_send(now)).collect()
}

/// The number of the latest challenge among these packets.
fn challenge(sent: &[Outgoing]) -> Option<u64> {
    sent.iter().rev().find_map(|out| match out {
        Outgoing::Challenge { number, .. } => Some(*number),
        _ => None,
    })
}

/// A challenge is answered.
fn answer(sender: &mut Sender, now: Time, number: u64, sent_at: Time) {
    let sack = SackBlocks::default();
    let echo_tx = number as u32;
    let info = AckInfo { ack: 0, echo_tx, echo_sent_at: sent_at, ecn_flags: 0, sack };
    sender.on_probe_ack(now, &info);
}

/// Looks at what is known of the paths.
fn look<R>(sender: &mut Sender, look: impl FnOnce(&mut Paths) -> R) -> R {
    sender.with_paths(|_, paths| look(paths)).expect("a sender with several paths")
}
