//! COBALT: CoDel beside BLUE, the law of each queue in CAKE (Palmei and others, "Design and
//! Evaluation of COBALT Queue Discipline", LANMAN 2019; Linux's `sch_cake`).
//!
//! It differs from RFC 8289's CoDel: the count of signals decays at the pace at which it grew once
//! the queue is short, also while the queue is empty, instead of being forgotten or kept; and a
//! queue that overflows is answered with random drops that no mark replaces (BLUE).

use atl_core::time::{Span, Time};

use crate::packet::Packet as _;
use crate::queued::Queued;
use crate::random::Stream;

/// BLUE's probability grows by this much where queues overflow, and falls by a sixteenth of it
/// where this one is empty: Linux's 2^24 and 2^20 of 2^32.
const GROWS: f64 = 1.0 / 256.0;
const FALLS: f64 = 1.0 / 4096.0;

/// The law's parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Law {
    pub target: Span,
    pub interval: Span,
    /// A queue that stands for less than this is none: four packets at the link's rate.
    pub least: Span,
}

/// The law's state.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cobalt {
    /// Signals, from which their rate follows.
    count: u32,
    dropping: bool,
    /// When the next signal is due; without signals, until when the state is of use.
    next: Time,
    /// BLUE's probability, and when it last changed.
    blue: f64,
    changed: Time,
}

impl Cobalt {
    /// One interval / sqrt(count) after `from`. Linux takes the root from a table and by Newton's
    /// method in 32 bits; this is the exact one, from which it is 10^-4 away at most.
    fn after(&self, from: Time, law: &Law) -> Time {
        from.saturating_add(law.interval.mul_f64(1.0 / f64::from(self.count.max(1)).sqrt()))
    }

    /// The queue is the longest where all are full together.
    pub(super) fn on_full(&mut self, law: &Law, now: Time) {
        if now.since(self.changed) > law.target {
            self.blue = (self.blue + GROWS).min(1.0);
            self.changed = now;
        }
        (self.dropping, self.next, self.count) = (true, now, self.count.max(1));
    }

    /// The queue was asked for a packet and had none.
    pub(super) fn on_empty(&mut self, law: &Law, now: Time) {
        if self.blue > 0.0 && now.since(self.changed) > law.target {
            self.blue = (self.blue - FALLS).max(0.0);
            self.changed = now;
        }
        self.dropping = false;
        if self.count > 0 && now >= self.next {
            self.count -= 1;
            self.next = self.after(self.next, law);
        }
    }

    /// True while an empty queue still has to come to rest.
    pub(super) fn decays(&self, now: Time) -> bool {
        self.blue > 0.0 || self.count > 0 || now < self.next
    }

    /// The signal to a packet that leaves, which is marked if that is possible. True if it is to be
    /// dropped.
    pub(super) fn drops(
        &mut self,
        law: &Law,
        now: Time,
        packet: &mut Queued,
        stream: &mut Stream,
    ) -> bool {
        let sojourn = packet.sojourn(now);
        let long = sojourn > law.target && sojourn > law.least;
        // A signal that was due before the queue grew long again is given at once.
        let due = self.count > 0 && now >= self.next;
        if !long {
            self.dropping = false;
        } else {
            if !self.dropping {
                self.dropping = true;
                self.next = self.after(now, law);
            }
            self.count = self.count.max(1);
        }
        let mut drop = false;
        if due {
            if self.dropping {
                drop = !packet.ecn().is_capable();
                packet.mark();
                self.count = self.count.saturating_add(1);
                self.next = self.after(self.next, law);
            } else {
                while self.count > 0 && now >= self.next {
                    self.count -= 1;
                    self.next = self.after(self.next, law);
                }
            }
        }
        // Marks are no answer to a queue that overflows.
        drop |= self.blue > 0.0 && stream.chance(self.blue);
        if self.count == 0 {
            self.next = now.saturating_add(law.interval);
        } else if now > self.next && !drop {
            self.next = now;
        }
        drop
    }
}
