//! The recovery period after a loss: the effect of acknowledgments on the window in it, and soon
//! after.

use std::time::{Duration, Instant};

use super::change::Change;

/// A recovery period, from the loss that began it to two round trips after it.
#[derive(Debug)]
pub(super) struct Recovery {
    began: Instant,
    growth: u64,
    grew: bool,
    /// The window at its start, in bytes.
    window: u64,
    /// Time at which a packet sent in it was acknowledged.
    over: Option<Instant>,
    doubled: bool,
}

/// Growth that an acknowledgment should not have caused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Breach {
    /// By these bytes, from packets sent before the loss.
    Grew(u64),
    /// To this window in bytes, nearly twice that of the recovery's start, within two round trips.
    Doubled(u64),
}

impl Recovery {
    /// A period that begins with a loss, which left this window.
    pub(super) fn new(began: Instant, window: u64) -> Self {
        Recovery { began, growth: 0, grew: false, window, over: None, doubled: false }
    }

    /// True if the loss of a packet sent at this time belongs to the same period.
    pub(super) fn covers(&self, sent: Instant) -> bool {
        sent <= self.began
    }

    /// True from a round trip after the first acknowledgment of a packet sent in it.
    pub(super) fn is_over(&self, now: Instant, srtt: Duration) -> bool {
        self.over.is_some_and(|over| now.saturating_duration_since(over) > srtt)
    }

    /// Notes the acknowledgment of a packet that left at `sent`. Each breach is returned once.
    pub(super) fn acked(
        &mut self,
        (now, sent): (Instant, Instant),
        window: Change,
        mtu: u64,
        srtt: Duration,
    ) -> Option<Breach> {
        if self.covers(sent) {
            self.growth = self.growth.saturating_add(window.growth());
            if self.growth >= mtu && !self.grew {
                self.grew = true;
                return Some(Breach::Grew(self.growth));
            }
            return None;
        }
        let over = *self.over.get_or_insert(now);
        let soon = now.saturating_duration_since(over) <= srtt * 2;
        // A datagram or two double a small window.
        let large = self.window >= 8 * mtu;
        if soon && large && !self.doubled && window.after >= self.window.saturating_mul(9) / 5 {
            self.doubled = true;
            return Some(Breach::Doubled(self.window));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MTU: u64 = 1200;
    const SRTT: Duration = Duration::from_millis(100);

    #[test]
    #[expect(clippy::disallowed_methods, reason = "all times are spans after it")]
    fn each_breach_is_told_once() {
        let begin = Instant::now();
        let at = |ms| begin + Duration::from_millis(ms);
        let mut recovery = Recovery::new(at(100), 12_000);
        let change = |before, after| Change { before, after };
        let mut acked = |now, sent, window| recovery.acked((at(now), at(sent)), window, MTU, SRTT);
        assert_eq!(acked(110, 90, change(12_000, 12_600)), None, "less than a datagram in all");
        assert_eq!(acked(120, 95, change(12_600, 13_200)), Some(Breach::Grew(1200)));
        assert_eq!(acked(130, 100, change(13_200, 14_000)), None, "told already");
        assert_eq!(acked(210, 110, change(14_000, 22_000)), Some(Breach::Doubled(12_000)));
        assert_eq!(acked(220, 120, change(22_000, 30_000)), None, "told already");
        assert!(!recovery.is_over(at(310), SRTT));
        assert!(recovery.is_over(at(311), SRTT));
    }
}
