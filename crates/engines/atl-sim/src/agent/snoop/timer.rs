//! An agent's own timer, from its own estimate of the RTT of the wireless part.

use atl_core::measure::{RttConfig, RttEstimator};
use atl_core::time::{Span, Time};

/// Timeout before the first sample.
const INITIAL: Span = Span::from_secs(1);

/// The timer. It backs off as TCP's does (RFC 6298), with a minimum timeout of its own.
#[derive(Debug)]
pub(super) struct Timer {
    rtt: RttEstimator,
    due: Time,
}

impl Timer {
    pub(super) fn new(min_timeout: Span) -> Self {
        let config = RttConfig {
            initial_rto: INITIAL.max(min_timeout),
            min_rto: min_timeout,
            min_spread: Span::ZERO,
            ..RttConfig::default()
        };
        Timer { rtt: RttEstimator::new(config), due: Time::MAX }
    }

    /// When it expires; [`Time::MAX`]: never.
    pub(super) fn due(&self) -> Time {
        self.due
    }

    /// Restarts now if there is something to wait for.
    pub(super) fn restart(&mut self, now: Time, waiting: bool) {
        self.due = if waiting { now.saturating_add(self.rtt.rto()) } else { Time::MAX };
    }

    /// An RTT sample of the wireless part.
    pub(super) fn on_sample(&mut self, rtt: Span) {
        self.rtt.on_sample(rtt);
    }

    /// Something got through.
    pub(super) fn on_progress(&mut self) {
        self.rtt.end_back_off();
    }

    /// It expired: the next timeout is twice as long.
    pub(super) fn back_off(&mut self) {
        self.rtt.back_off();
    }
}
