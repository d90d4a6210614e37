//! Low-priority probe packets, sent by window and rate controllers, and by senders before they move
//! to another path: their spacing, their acknowledgments, and the conclusions about a path.

mod pacer;
mod survey;

pub(crate) use pacer::Pacer;
pub(crate) use survey::LEAST_WINDOW;
pub use survey::{Found, Item, Plan, Survey};

use crate::time::{Span, Time};

/// A probe packet was acknowledged: the path has carried it beside the data.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ProbeAck {
    /// The time at which the acknowledgment arrived.
    pub now: Time,
    /// Number of the probe. Probes are numbered from 0 in the order in which the sender fetched
    /// them, apart from data.
    pub number: u64,
    /// Round-trip time of the probe.
    pub rtt: Span,
}

impl ProbeAck {
    /// Probe `number` was acknowledged at `now` after `rtt`.
    #[inline]
    pub const fn new(now: Time, number: u64, rtt: Span) -> Self {
        ProbeAck { now, number, rtt }
    }
}
