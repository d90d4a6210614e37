//! A paced receiver's paths. What it does with them is in `roaming::receiving`.

use atl_core::path::PathId;
use atl_core::rate::{FeedbackMode, RateConfig};
use atl_core::roaming::NewPath;
use atl_core::time::{Span, Time};

use super::measurement::Measurement;
use super::resequencer::Resequencer;
use crate::handoff::Key;

/// The longest time that a packet waits for those that were sent before it over another path.
pub const LONGEST_HOLD: Span = Span::from_millis(500);

/// A receiver's knowledge of its paths.
#[derive(Debug)]
pub(in crate::paced) struct Receiving {
    pub(in crate::paced) how: NewPath,
    /// Rebuilds the receiver's half of the protocol on a new path.
    pub(in crate::paced) fresh: (RateConfig, FeedbackMode),
    /// The path that the newest packet came on, and the number of the first packet that the half
    /// counts.
    pub(in crate::paced) path: PathId,
    pub(in crate::paced) first: u64,
    /// The newest of the sender's estimates of the RTT.
    pub(in crate::paced) rtt: Span,
    pub(in crate::paced) measurement: Option<Measurement>,
    /// `None` where the switch is nothing that the ends know of.
    pub(in crate::paced) resequencer: Option<Resequencer>,
    pub(in crate::paced) key: Option<Key>,
}

impl Receiving {
    /// When the measurement has something to do; [`Time::MAX`] if there is none.
    pub(in crate::paced) fn next(&self) -> Time {
        let report = self.measurement.as_ref().map_or(Time::MAX, Measurement::next);
        self.resequencer.as_ref().map_or(report, |resequencer| report.min(resequencer.next()))
    }

    /// The time that [`next`](Self::next) named has come.
    pub(in crate::paced) fn on_timer(&mut self, now: Time) {
        if let Some(resequencer) = &mut self.resequencer {
            resequencer.advance(now);
        }
    }

    /// The first number that the present half of the protocol counts from.
    pub(in crate::paced) fn first(&self) -> u64 {
        self.first
    }
}
