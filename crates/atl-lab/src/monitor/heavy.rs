//! Heavy losses in a row, which have to leave a smaller window.

use std::collections::VecDeque;

use super::watching::Change;

/// How many there have to be.
pub(super) const HEAVY: usize = 8;
/// The share of bytes lost that counts as heavy.
const HEAVY_SHARE: f64 = 0.1;

/// See [the module](self).
#[derive(Debug, Default)]
pub(super) struct Heavy {
    /// Bytes acknowledged since the last loss.
    acked: u64,
    /// The windows before the latest heavy losses, in bytes.
    windows: VecDeque<u64>,
}

impl Heavy {
    /// Bytes were acknowledged.
    pub(super) fn acked(&mut self, bytes: u64) {
        self.acked = self.acked.saturating_add(bytes);
    }

    /// Bytes were lost. Returns the windows before and after the latest [`HEAVY`] of heavy losses
    /// in a row, if there were as many and the window is no smaller; one of up to `spared` bytes
    /// has little left to give.
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
