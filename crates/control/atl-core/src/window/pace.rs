//! Spreads packets over the round trip, so that a window does not arrive at a short queue as a
//! burst.

use crate::time::{Span, Time};

/// The time at which the next packet may leave.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    next: Time,
    /// The least gap: a packet's time at the rate of the access link.
    least: Span,
}

impl Pace {
    pub(super) const fn new(least: Span) -> Self {
        Pace { next: Time::ZERO, least }
    }

    /// The earliest time for the next packet.
    pub(super) fn next(&self) -> Time {
        self.next
    }

    /// A packet left at `now`; the next one follows at `rate` packets per second. Without a rate,
    /// before the first round trip, only the access link spreads packets.
    pub(super) fn on_sent(&mut self, now: Time, rate: Option<f64>) {
        let gap = rate.map_or(Span::ZERO, |rate| Span::from_secs_f64(1.0 / rate)).max(self.least);
        self.next = now.saturating_add(gap);
    }
}
