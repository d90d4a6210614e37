//! Scheduling of a thread that must wake on time.

use crate::system::priority;

/// True where the system has the policy `SCHED_FIFO`: Linux.
pub const REAL_TIME: bool = priority::REAL_TIME;

/// The scheduling policy of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheduling {
    /// `SCHED_FIFO`: it runs as soon as it is due.
    RealTime,
    /// The system's ordinary one (`SCHED_OTHER`): it may have to wait for other threads.
    Ordinary,
}

/// Prepares the calling thread: on Linux timers that are exact instead of up to 50 us late, and
/// `SCHED_FIFO` if `real_time` asks for it and the system allows it. Returns the policy it got.
pub fn prepare(real_time: bool) -> Scheduling {
    if priority::prepare(real_time) { Scheduling::RealTime } else { Scheduling::Ordinary }
}
