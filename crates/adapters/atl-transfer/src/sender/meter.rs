//! The share of all data that has arrived.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::observer::Observer;

/// Counts of bytes over one connection.
pub(super) struct Meter {
    /// Bytes of files that were finished over earlier connections.
    before: u64,
    total: u64,
    /// Bytes that the receiver had already of files sent over this connection.
    skipped: AtomicU64,
    /// Bytes that the receiver reports as arrived over this connection.
    arrived: AtomicU64,
    /// Bytes of the files that the receiver has confirmed; its report of bytes may still be on its
    /// way.
    delivered: AtomicU64,
    observer: Arc<dyn Observer>,
}

impl Meter {
    pub(super) fn new(before: u64, total: u64, observer: Arc<dyn Observer>) -> Self {
        let (skipped, arrived, delivered) = Default::default();
        let meter = Meter { before, total, skipped, arrived, delivered, observer };
        meter.tell();
        meter
    }

    pub(super) fn skip(&self, bytes: u64) {
        self.skipped.fetch_add(bytes, Ordering::Relaxed);
        self.tell();
    }

    /// Notes the receiver's report. A false one only makes the display false.
    pub(super) fn arrived(&self, bytes: u64) {
        self.arrived.fetch_max(bytes, Ordering::Relaxed);
        self.tell();
    }

    /// Notes a confirmed file of which this number of bytes was sent.
    pub(super) fn delivered(&self, bytes: u64) {
        self.delivered.fetch_add(bytes, Ordering::Relaxed);
        self.tell();
    }

    /// Bytes that arrived over this connection.
    pub(super) fn over_this(&self) -> u64 {
        self.arrived.load(Ordering::Relaxed).max(self.delivered.load(Ordering::Relaxed))
    }

    fn tell(&self) {
        let (skipped, arrived) = (self.skipped.load(Ordering::Relaxed), self.over_this());
        let all = self.before.saturating_add(skipped).saturating_add(arrived);
        self.observer
            .on_progress(if self.total > 0 { all.min(self.total) } else { all }, self.total);
    }
}
