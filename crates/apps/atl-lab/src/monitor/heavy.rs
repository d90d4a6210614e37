//! Heavy losses in a row, which must leave a smaller window.

use std::collections::VecDeque;

use super::change::Change;

/// Heavy losses that make a row.
pub(super) const HEAVY: usize = 8;
/// Share of bytes lost from which a loss is heavy.
const HEAVY_SHARE: f64 = 0.1;

/// The state of the row so far.
#[derive(Debug, Default)]
pub(super) struct Heavy {
    /// Bytes acknowledged since the last loss.
    acked: u64,
    /// The windows before the latest heavy losses, in bytes.
    windows: VecDeque<u64>,
}

impl Heavy {
    /// Notes bytes that were acknowledged.
    pub(super) fn acked(&mut self, bytes: u64) {
        self.acked = self.acked.saturating_add(bytes);
    }

    /// Notes lost bytes. Returns the windows before and after the latest [`HEAVY`] heavy losses in
    /// a row, if there were that many and the window is no smaller. A window of up to `spared`
    /// bytes is exempt: it has little left to give.
    pub(super) fn lost(&mut self, lost: u64, window: Change, spared: u64) -> Option<(u64, u64)> {
        let acked = std::mem::take(&mut self.acked);
        let share = lost as f64 / lost.saturating_add(acked).max(1) as f64;
        if share <= HEAVY_SHARE {
            self.windows.clear();
            return None;
        }
        self.windows.push_back(window.before);
        if self.windows.len() > HEAVY {
            self.windows.pop_front();
        }
        let from = *self.windows.front().filter(|_| self.windows.len() == HEAVY)?;
        let to = window.after;
        (to >= from && to > spared).then_some((from, to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_light_loss_breaks_the_row() {
        let mut heavy = Heavy::default();
        let same = Change { before: 50_000, after: 50_000 };
        for _ in 1..HEAVY {
            heavy.acked(5000);
            assert_eq!(heavy.lost(1000, same, 12_000), None);
        }
        assert_eq!(heavy.lost(1000, same, 12_000), Some((50_000, 50_000)));
        assert_eq!(heavy.lost(1000, same, 60_000), None, "spared");
        assert_eq!(heavy.lost(1000, Change { after: 49_000, ..same }, 12_000), None, "reacted");
        heavy.acked(9001);
        assert_eq!(heavy.lost(1000, same, 12_000), None, "just below a tenth");
        assert_eq!(heavy.lost(1000, same, 12_000), None, "the row begins again");
    }
}
