//! The persist timer: a sender whose receiver has closed its window asks whether it is open again
//! (RFC 9293, sec. 3.8.6.1).

use atl_core::time::{Span, Time};

/// Maximum interval between window probes (RFC 9293 lets it back off like the retransmission
/// timer).
const LONGEST: Span = Span::from_secs(60);

/// Backs off from one probe to the next, and runs until it is stopped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Persist {
    /// [`Time::MAX`] while it does not run.
    due: Time,
    interval: Span,
    /// A window probe is to be sent.
    asking: bool,
}

impl Persist {
    /// One that does not run.
    pub(super) const STOPPED: Persist =
        Persist { due: Time::MAX, interval: Span::ZERO, asking: false };

    /// Time at which it expires; [`Time::MAX`] if it does not run.
    pub(super) fn due(&self) -> Time {
        self.due
    }

    /// Runs from now on, unless it does already.
    pub(super) fn start(&mut self, now: Time, interval: Span) {
        if self.due == Time::MAX {
            (self.due, self.interval) = (now.saturating_add(interval), interval);
        }
    }

    /// There is no more reason to ask.
    pub(super) fn stop(&mut self) {
        (self.due, self.asking) = (Time::MAX, false);
    }

    /// It may have expired.
    pub(super) fn on_timer(&mut self, now: Time) {
        if self.due <= now {
            self.asking = true;
            self.interval = (self.interval * 2).min(LONGEST);
            self.due = now.saturating_add(self.interval);
        }
    }

    /// True, once, if a window probe is due.
    pub(super) fn ask(&mut self) -> bool {
        core::mem::take(&mut self.asking)
    }
}
