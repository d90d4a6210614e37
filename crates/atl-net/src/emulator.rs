//! Frames between ports and the relay, on time.

use std::io;
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use atl_core::time::{Span, Time};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::time::{TimeSpec, TimeValLike as _};

use crate::clock::Clock;
use crate::lateness::Lateness;
use crate::ports::Ports;
use crate::priority::{self, Scheduling};
use crate::snapshot::Snapshot;
use atl_relay::{Event, Relay};

/// The longest wait: after a stop, an emulator ends at the latest this much later.
const LONGEST_WAIT: Span = Span::from_millis(50);

/// How an emulator keeps time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Ask for `SCHED_FIFO`.
    pub real_time: bool,
    /// How long before a departure it stops sleeping and watches the clock instead. It costs as much processor time.
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

/// Ends an emulator; copies end the same one.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ends it, within 50 ms.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// True once it is to end.
    pub fn stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
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
        }
    }

    /// Runs on the calling thread until `stop` says so, and tells `watch` now and then what it is doing.
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
                Event::Lost { frame, link, cause, due } => self.ports.lost(frame, link, cause, due),
                Event::Dropped { frame, link, due } => self.ports.dropped(frame, link, due),
                Event::Changed { link, change, report, due } => {
                    self.changed = true;
                    self.ports.changed(link, change, &report, due);
                }
            }
        }
        if self.leaving.is_empty() {
            return Ok(());
        }
        self.ports.flush()?;
        let left = self.clock.now();
        for (due, packet_time) in self.leaving.drain(..) {
            self.lateness.add(left.since(due), packet_time);
        }
        Ok(())
    }

    /// Sleeps until a frame is due, `other` comes, or a port is readable, whichever is first.
    fn wait(&mut self, other: Time) -> io::Result<()> {
        let now = self.clock.now();
        let due = self.relay.next_event();
        let asleep = due.since(now).saturating_sub(self.timing.spin);
        let longest = asleep.min(other.since(now)).min(LONGEST_WAIT);
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
