//! Frames between ports and the relay, on time.

use std::io;
use std::os::fd::AsFd;
use std::thread;
use std::time::Duration;

use atl_core::time::{Span, Time};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::time::{TimeSpec, TimeValLike as _};

use crate::clock::Clock;
use crate::lateness::Lateness;
use crate::link_socket::Losses;
use crate::ports::Ports;
use crate::priority::{self, Scheduling};
use crate::snapshot::Snapshot;
pub use crate::stop::Stop;
use atl_link::Cause;
use atl_relay::{Event, Relay};

/// The longest wait: after a stop, an emulator ends at the latest this much later.
const LONGEST_WAIT: Span = Span::from_millis(50);
/// How soon tags of lost datagrams are offered again to a board that somebody was reading, which
/// takes microseconds.
const OFFER_AGAIN: Span = Span::from_micros(100);
/// How often they are offered at the end, when no packet waits behind them.
const LAST_OFFERS: usize = 100;

/// How an emulator keeps time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Ask for `SCHED_FIFO`.
    pub real_time: bool,
    /// How long before a departure it stops sleeping and watches the clock instead. It costs as
    /// much processor time.
    pub spin: Span,
    /// Time between two snapshots. There is one at each change of a link besides.
    pub snapshot_every: Span,
}

impl Default for Timing {
    /// Real time if allowed, no spinning, ten snapshots a second.
    fn default() -> Self {
        Timing { real_time: true, spin: Span::ZERO, snapshot_every: Span::from_millis(100) }
    }
}

/// What a run of an emulator came to.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Its state at the end.
    pub last: Snapshot,
    /// How its thread was scheduled.
    pub scheduling: Scheduling,
}

/// A relay, its ports and a clock: one thread that moves frames on time.
#[derive(Debug)]
pub struct Emulator<P> {
    relay: Relay,
    ports: P,
    clock: Clock,
    timing: Timing,
    lateness: Lateness,
    /// A link has changed since the last snapshot.
    changed: bool,
    /// Due times and packet times of what was delivered and not flushed.
    leaving: Vec<(Time, Span)>,
    losses: Option<Losses>,
    /// Tags wait until nobody reads the board.
    untold: bool,
}

impl<P: Ports> Emulator<P> {
    /// An emulator whose links' time is that of `clock`.
    pub fn new(relay: Relay, ports: P, clock: Clock, timing: Timing) -> Self {
        Emulator {
            relay,
            ports,
            clock,
            timing,
            lateness: Lateness::new(),
            changed: false,
            leaving: Vec::new(),
            losses: None,
            untold: false,
        }
    }

    /// The same emulator, which takes down the datagrams that a MAC lost on the first link of their
    /// route: the MAC of the host that sent them.
    #[must_use]
    pub fn with_losses(mut self, losses: Losses) -> Self {
        self.losses = Some(losses);
        self
    }

    /// Runs on the calling thread until `stop` says so, and tells `watch` now and then what it is
    /// doing.
    ///
    /// # Errors
    /// If a port breaks.
    pub fn run(mut self, stop: &Stop, watch: &mut dyn FnMut(&Snapshot)) -> io::Result<Summary> {
        let scheduling = priority::prepare(self.timing.real_time);
        let mut next_snapshot = self.clock.now();
        let mut next_tick = next_snapshot;
        while !stop.stopped() {
            let clock = self.clock;
            let relay = &mut self.relay;
            self.ports.receive(&|| clock.now(), &mut |frame| relay.offer(frame.entered, frame))?;
            self.depart()?;
            let now = self.clock.now();
            if now >= next_tick {
                next_tick = now.saturating_add(self.ports.tick(now, &mut self.relay));
            }
            let changed = std::mem::take(&mut self.changed);
            if changed || now >= next_snapshot {
                next_snapshot = now.saturating_add(self.timing.snapshot_every);
                watch(&self.snapshot(now));
            }
            self.wait(next_tick.min(next_snapshot))?;
        }
        // What is due leaves; what the last state has counted is told.
        self.depart()?;
        for _ in 0..LAST_OFFERS {
            if !self.untold {
                break;
            }
            thread::sleep(Duration::from_nanos(OFFER_AGAIN.nanos()));
            self.tell();
        }
        let now = self.clock.now();
        Ok(Summary { last: self.snapshot(now), scheduling })
    }

    /// Delivers what is due, and measures how late it left.
    fn depart(&mut self) -> io::Result<()> {
        while let Some(event) = self.relay.poll(self.clock.now()) {
            match event {
                Event::Arrived { frame, due, packet_time } => {
                    self.ports.deliver(frame);
                    self.leaving.push((due, packet_time));
                }
                Event::Lost { frame, link, cause, due } => {
                    if let Some(losses) = &mut self.losses
                        && frame.hop() == 0
                        && cause != Cause::Congestion
                        && let Some(datagram) = self.ports.datagram(&frame)
                    {
                        losses.add(link, datagram);
                    }
                    self.ports.lost(frame, link, cause, due);
                }
                Event::Dropped { frame, link, due } => self.ports.dropped(frame, link, due),
                Event::Changed { link, change, report, due } => {
                    self.changed = true;
                    self.ports.changed(link, change, &report, due);
                }
            }
        }
        if !self.leaving.is_empty() {
            self.ports.flush()?;
            let left = self.clock.now();
            for (due, packet_time) in self.leaving.drain(..) {
                self.lateness.add(left.since(due), packet_time);
            }
        }
        self.tell();
        Ok(())
    }

    /// Tells of lost datagrams, unless somebody is reading of earlier ones.
    fn tell(&mut self) {
        if let Some(losses) = &mut self.losses {
            self.untold = !losses.publish(self.clock.now(), self.relay.links());
        }
    }

    /// Sleeps until a frame is due, `other` comes, or a port is readable, whichever is first.
    fn wait(&mut self, other: Time) -> io::Result<()> {
        let now = self.clock.now();
        let due = self.relay.next_event();
        let asleep = due.since(now).saturating_sub(self.timing.spin);
        let longest = if self.untold { OFFER_AGAIN } else { LONGEST_WAIT };
        let longest = asleep.min(other.since(now)).min(longest);
        if longest.is_zero() {
            // Ports are looked at in any case: no need to ask whether one is readable.
            return Ok(());
        }
        let timeout = TimeSpec::nanoseconds(longest.nanos() as i64);
        let descriptors = self.ports.descriptors();
        let mut polled: Vec<PollFd<'_>> =
            descriptors.iter().map(|fd| PollFd::new(fd.as_fd(), PollFlags::POLLIN)).collect();
        match ppoll(&mut polled, Some(timeout), None) {
            Ok(_) | Err(Errno::EINTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn snapshot(&mut self, at: Time) -> Snapshot {
        Snapshot::of(&mut self.relay, at, self.lateness.clone())
    }
}
