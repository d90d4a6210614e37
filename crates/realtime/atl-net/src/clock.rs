//! The clock of a run, shared by its threads.

use std::time::Instant;

use atl_core::time::{Epoch, Time};

/// Time since a common beginning, on the machine's monotonic clock. Copies agree, in all threads.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    begin: Instant,
}

impl Clock {
    /// A clock that reads zero now.
    pub fn start() -> Self {
        Clock { begin: Instant::now() }
    }

    /// The moment at which it read zero.
    pub fn epoch(&self) -> Epoch {
        Epoch::new(self.begin)
    }

    /// Time since the clock was started.
    pub fn now(&self) -> Time {
        // 64 bits of nanoseconds last 584 years.
        Time::from_nanos(self.begin.elapsed().as_nanos() as u64)
    }
}
