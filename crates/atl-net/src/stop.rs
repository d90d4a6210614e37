//! Ends threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Ends an emulator; copies end the same one.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ends it, within 50 ms.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// True once it is to end.
    pub fn stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
