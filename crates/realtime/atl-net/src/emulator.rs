//! Moves frames between ports and the relay, on time.

use std::io;
use std::thread;
use std::time::Duration;

use atl_core::time::{Span, Time};

use crate::clock::Clock;
use crate::lateness::Lateness;
use crate::link_socket::Losses;
use crate::ports::Ports;
use crate::priority::{self, Scheduling};
use crate::snapshot::Snapshot;
pub use crate::stop::Stop;
use atl_link::Cause;
use atl_link::relay::{Event, Relay};

/// The longest wait, and so the longest delay of a stop.
const LONGEST_WAIT: Span = Span::from_millis(50);
/// Time after which tags of lost datagrams are offered again to a board that another thread was
/// reading, which takes microseconds.
const OFFER_AGAIN: Span = Span::from_micros(100);
/// Limit on these offers at the end, when no packet waits behind them.
const LAST_OFFERS: usize = 100;

/// Settings of an emulator's timekeeping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Asks for the scheduling policy `SCHED_FIFO`, which Linux has.
    pub real_time: bool,
    /// Time before a departure from which it watches the clock instead of sleeping. It uses a
    /// processor for as long.
    pub spin: Span,
    /// Time between two snapshots. Each change of a link gives one more.
    pub snapshot_every: Span,
}

impl Default for Timing {
    /// Real time if allowed, no spinning, ten snapshots a second.
    fn default() -> Self {
        Timing { real_time: true, spin: Span::ZERO, snapshot_every: Span::from_millis(100) }
    }
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Its state at the end.
    pub last: Snapshot,
    /// The scheduling policy that its thread got.
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
    /// A link has changed since the last snapshot, so that one is due.
    changed: bool,
    /// Due time, packet time and time on the links of each frame that was delivered and not
    /// flushed.
    leaving: Vec<(Time, Span, Span)>,
    losses: Option<Losses>,
    /// Tags wait for the board, which another thread was reading.
    untold: bool,
}

impl<P: Ports> Emulator<P> {
    /// An emulator whose links take their time from `clock`.
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

    /// The same emulator, which records the datagrams that the first link of their route loses in
    /// its MAC: the MAC of the host that sent them.
    #[must_use]
    pub fn with_losses(mut self, losses: Losses) -> Self {
        self.losses = Some(losses);
        self
    }

    /// Runs on the calling thread until `stop` is set, and passes snapshots to `watch`.
    ///
    /// # Errors
    /// If a port breaks.
    pub fn run(mut self, stop: &Stop, watch: &mut dyn FnMut(&Snapshot)) -> io::Result<Summary> {
        let scheduling = priority::prepare(self.timing.real_time);
        self.ports.begin(self.clock);
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
        // Before the last snapshot, frames that are due leave, and losses that it counts go on the
        // board.
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

    /// Delivers the frames that are due, and measures how late they left.
    fn depart(&mut self) -> io::Result<()> {
        while let Some(event) = self.relay.poll(self.clock.now()) {
            match event {
                Event::Arrived { frame, due, packet_time } => {
                    self.leaving.push((due, packet_time, due.since(frame.entered)));
                    self.ports.deliver(frame);
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
                Event::Copied { frame, due, .. } => self.ports.copied(&frame, due),
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
            for (due, packet_time, transit) in self.leaving.drain(..) {
                self.lateness.left(left.since(due), packet_time, transit);
            }
        }
        self.tell();
        Ok(())
    }

    /// Puts tags of lost datagrams on the board, unless another thread reads it.
    fn tell(&mut self) {
        if let Some(losses) = &mut self.losses {
            self.untold = !losses.publish(self.clock.now(), self.relay.links());
        }
    }

    /// Sleeps until a frame is due, `other` comes, or frames wait at a port, whichever is first.
    fn wait(&mut self, other: Time) -> io::Result<()> {
        let now = self.clock.now();
        let due = self.relay.next_event();
        let asleep = due.since(now).saturating_sub(self.timing.spin);
        let longest = if self.untold { OFFER_AGAIN } else { LONGEST_WAIT };
        let other = other.min(self.ports.next_entry());
        let longest = asleep.min(other.since(now)).min(longest);
        if longest.is_zero() {
            // Ports are read in any case: no need to ask whether frames wait there.
            return Ok(());
        }
        self.ports.wait(longest)
    }

    fn snapshot(&mut self, at: Time) -> Snapshot {
        Snapshot::of(&mut self.relay, at, self.lateness.clone())
    }
}
