//! Counts of marks, as controllers take them.

use std::sync::atomic::{AtomicU64, Ordering};

/// The packets of [`MarkCounts`], as controllers count them.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(super) in_time: AtomicU64,
    pub(super) late: AtomicU64,
}

impl Tally {
    pub(crate) fn count(&self, in_time: bool) {
        let counter = if in_time { &self.in_time } else { &self.late };
        counter.fetch_add(1, Ordering::Relaxed);
    }
}
