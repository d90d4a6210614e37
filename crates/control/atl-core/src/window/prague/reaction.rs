//! The time for which a reaction to congestion, or an observation, lasts.

use crate::time::{Span, Time};

/// Something that lasts for a real and a virtual round trip.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reaction {
    since: Time,
    /// The first transmission after it began.
    next_tx: u64,
}

impl Reaction {
    pub(super) const fn new(since: Time, next_tx: u64) -> Self {
        Reaction { since, next_tx }
    }

    /// True once a packet sent since has arrived, and a virtual round trip has passed.
    pub(super) fn is_over(self, now: Time, newest: u64, virtual_rtt: Span) -> bool {
        newest >= self.next_tx && now.since(self.since) >= virtual_rtt
    }
}
