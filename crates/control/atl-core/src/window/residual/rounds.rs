//! Measurements of one round trip: packets that arrived and were lost, and its round-trip times.

use super::sample::Sample;
use crate::time::{Span, Time};
use crate::window::{Ack, Loss};

/// A round trip that is over: from the sending of a packet to its ACK.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Round {
    /// Packets that arrived.
    pub(super) delivered: f64,
    /// Packets lost that the sender's own MAC did not mark.
    pub(super) lost: f64,
    /// Those of them that a full queue may have dropped.
    pub(super) unexplained: f64,
    /// Packets that arrived while a queue stood that may have been full.
    pub(super) exposed: f64,
    /// Runs of transmissions in a row of which the lost ones consist.
    pub(super) runs: f64,
    /// Packets lost that it marked.
    pub(super) marked: f64,
    /// Least round-trip time of its second half, in seconds ([`Sample::low`]).
    pub(super) low: f64,
    /// The largest of all of it; zero without a sample.
    pub(super) high: f64,
    /// The largest fall of them from the highest so far, in seconds.
    pub(super) fall: f64,
    /// Its length in seconds.
    pub(super) secs: f64,
    /// The window, and not the application, was the limit all the time.
    pub(super) limited: bool,
}

impl Round {
    pub(super) const NONE: Round = Round {
        delivered: 0.0,
        lost: 0.0,
        unexplained: 0.0,
        exposed: 0.0,
        runs: 0.0,
        marked: 0.0,
        low: f64::INFINITY,
        high: 0.0,
        fall: 0.0,
        secs: 0.0,
        limited: true,
    };

    /// Packets whose fate it showed, but for those that the MAC marked.
    pub(super) fn judged(&self) -> f64 {
        self.delivered + self.lost
    }

    /// The same round if each run of losses had been one. A link that fades loses packets in a row;
    /// a queue that is served all the time loses those between the ones it has room for.
    pub(super) fn of_runs(&self) -> Round {
        Round { lost: self.runs, unexplained: self.unexplained.min(self.runs), ..*self }
    }

    /// Packets per second that came through the bottleneck if a share `p` of them was lost on a
    /// link behind or before it.
    pub(super) fn rate(&self, p: f64) -> f64 {
        let passed = (self.delivered / (1.0 - p).max(0.5)).min(self.judged()) + self.marked;
        if self.secs > 0.0 { passed / self.secs } else { 0.0 }
    }
}

/// Splits the ACKs into round trips.
#[derive(Clone, Debug)]
pub(super) struct Rounds {
    next: u64,
    /// The round ends when this transmission arrives.
    end: u64,
    /// The first transmission of its second half.
    half: u64,
    since: Time,
    now: Round,
    /// Round-trip times of its second half.
    second: Sample,
    /// First and last transmission of the latest run of losses.
    run: Option<(u64, u64)>,
}

impl Rounds {
    pub(super) const fn new() -> Self {
        Rounds {
            next: 0,
            end: 0,
            half: 0,
            since: Time::ZERO,
            now: Round::NONE,
            second: Sample::new(0),
            run: None,
        }
    }

    /// Number of the next transmission.
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    pub(super) fn on_sent(&mut self, tx: u64, now: Time) {
        if self.next == 0 {
            self.since = now;
        }
        self.next = tx.saturating_add(1);
    }

    /// Takes in losses; a full queue is their cause at most if they are not `explained`.
    pub(super) fn on_loss(&mut self, loss: &Loss, explained: bool) {
        let marked = f64::from(loss.link_failures.min(loss.packets));
        let lost = f64::from(loss.packets) - marked;
        self.now.marked += marked;
        self.now.lost += lost;
        self.now.unexplained += if explained { 0.0 } else { lost };
        if lost > 0.0 {
            let first = loss.tx.saturating_sub(u64::from(loss.packets.saturating_sub(1)));
            self.note_run(first, loss.tx);
        }
    }

    /// Counts the losses of `first` to `last` as a run, unless they go on with the latest one.
    fn note_run(&mut self, first: u64, last: u64) {
        self.run = match self.run {
            Some((from, to)) if first <= to.saturating_add(1) && from <= last.saturating_add(1) => {
                Some((from.min(first), to.max(last)))
            }
            _ => {
                self.now.runs += 1.0;
                Some((first, last))
            }
        };
    }

    /// Takes in an ACK, whose round-trip time is `rtt` seconds; `short`: no queue stands that could
    /// drop packets. Gives the round that it ends.
    pub(super) fn on_ack(&mut self, ack: &Ack, rtt: Option<f64>, short: bool) -> Option<Round> {
        let delivered = f64::from(ack.delivered);
        self.now.delivered += delivered;
        self.now.exposed += if short { 0.0 } else { delivered };
        self.now.limited &= ack.window_limited;
        let (tx, _) = ack.newest?;
        if let Some(rtt) = rtt {
            self.now.high = self.now.high.max(rtt);
            self.now.fall = self.now.fall.max(self.fall(rtt));
            if tx >= self.half {
                self.second.push(rtt);
            }
        }
        if tx < self.end || ack.delivered == 0 {
            return None;
        }
        let mut round = core::mem::replace(&mut self.now, Round::NONE);
        round.low = self.second.low();
        round.secs = ack.now.since(self.since).secs();
        self.begin(ack.now, tx);
        (round.secs > 0.0).then_some(round)
    }

    /// Begins a round at `now`, when `newest` has arrived.
    fn begin(&mut self, now: Time, newest: u64) {
        self.since = now;
        self.end = self.next;
        let half = self.next.saturating_sub(newest) / 2;
        self.half = newest.saturating_add(half);
        // An ACK for two packets is usual.
        self.second = Sample::new(usize::try_from(half / 2).unwrap_or(usize::MAX));
    }

    /// By how much a round-trip time is below the highest of the round under way, in seconds.
    pub(super) fn fall(&self, rtt: f64) -> f64 {
        (self.now.high - rtt).max(0.0)
    }

    /// The share of packets lost in the round under way, and their number; with `runs`, those lost
    /// in a row count once.
    pub(super) fn loss_so_far(&self, runs: bool) -> (f64, f64) {
        let now = if runs { self.now.of_runs() } else { self.now };
        let judged = now.judged();
        (if judged > 0.0 { now.lost / judged } else { 0.0 }, now.lost)
    }

    /// The rate of the round under way, once it has lasted `least` seconds; zero before.
    pub(super) fn rate_so_far(&self, now: Time, least: f64) -> f64 {
        let secs = now.since(self.since).secs();
        if secs >= least && secs > 0.0 { self.now.delivered / secs } else { 0.0 }
    }

    /// Forgets the round under way: the path is another one.
    pub(super) fn restart(&mut self, now: Time) {
        self.now = Round::NONE;
        self.run = None;
        self.begin(now, self.next);
    }
}

/// The least round-trip time of the path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Base {
    least: f64,
    /// When a round-trip time was last near it.
    pub(super) at: Time,
}

impl Base {
    pub(super) const fn new() -> Self {
        Base { least: f64::INFINITY, at: Time::ZERO }
    }

    /// In seconds, once it is measured.
    pub(super) fn secs(&self) -> Option<f64> {
        self.least.is_finite().then_some(self.least)
    }

    /// Takes in a round-trip time; one up to `near` above the least counts as equal to it.
    pub(super) fn on_rtt(&mut self, now: Time, rtt: f64, near: f64) {
        if rtt <= self.least + near {
            self.at = now;
        }
        self.least = self.least.min(rtt);
    }

    /// The queue was emptied as far as it goes, and this was the least round-trip time.
    pub(super) fn replace(&mut self, now: Time, rtt: f64) {
        *self = Base { least: rtt, at: now };
    }
}

/// Reads a span as seconds above zero.
pub(super) fn secs(span: Span) -> Option<f64> {
    (!span.is_zero() && span != Span::MAX).then(|| span.secs())
}
