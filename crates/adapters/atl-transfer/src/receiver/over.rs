//! The state that the streams of a connection share.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::batches::Turn;
use super::shared::{Sender, Shared};

/// The state that the streams of a connection share.
pub(super) struct Over {
    pub(super) shared: Arc<Shared>,
    pub(super) sender: Arc<Sender>,
    /// Bytes that the sender has announced; 0 if it does not know.
    pub(super) total: u64,
    /// The right to write, which one of its files has at a time.
    pub(super) turn: Turn,
    /// Bytes that arrived over this connection.
    pub(super) arrived: AtomicU64,
}

impl Over {
    /// Counts bytes that arrived over an earlier connection.
    pub(super) fn had(&self, bytes: u64) {
        self.sender.add(bytes);
    }

    /// Counts bytes that have just arrived.
    pub(super) fn came(&self, bytes: u64) {
        self.arrived.fetch_add(bytes, Ordering::Relaxed);
        let here = self.sender.add(bytes);
        let here = if self.total > 0 { here.min(self.total) } else { here };
        self.shared.observer.on_progress(here, self.total);
    }
}
