//! The window after a pause of the application.

use std::time::{Duration, Instant};

/// Round trips without a packet that make a pause.
const PAUSE: u32 = 10;
/// Round trips after it in which the window is checked.
const SOON: u32 = 4;

/// Detects the end of a pause.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pause {
    last_sent: Instant,
    /// Time of the first packet after a pause, and the window that was known to be safe then.
    resumed: Option<(Instant, u64)>,
}

impl Pause {
    pub(super) fn new(built: Instant) -> Pause {
        Pause { last_sent: built, resumed: None }
    }

    /// Notes a packet. `safe` is the widest window that the path is known to have carried, if it is
    /// known.
    pub(super) fn sent(&mut self, now: Instant, srtt: Duration, safe: Option<u64>) {
        if now.saturating_duration_since(self.last_sent) > PAUSE * srtt {
            self.resumed = safe.map(|safe| (now, safe));
        }
        self.last_sent = now;
    }

    /// Ends the check: a loss has shown how much the path carries.
    pub(super) fn lost(&mut self) {
        self.resumed = None;
    }

    /// The safe window, up to [`SOON`] round trips after a pause.
    pub(super) fn safe(&mut self, now: Instant, srtt: Duration) -> Option<u64> {
        let soon = |at: Instant| now.saturating_duration_since(at) <= SOON * srtt;
        self.resumed = self.resumed.filter(|(at, _)| soon(*at));
        self.resumed.map(|(_, safe)| safe)
    }
}
