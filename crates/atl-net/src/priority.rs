//! What a thread asks of the scheduler so that it wakes on time.

use nix::sys::prctl;
use thread_priority::unix::{
    RealtimeThreadSchedulePolicy, ThreadSchedulePolicy, set_thread_priority_and_policy,
    thread_native_id,
};
use thread_priority::{ThreadPriority, ThreadPriorityValue};

/// Above ordinary threads, below the kernel's own.
const LEVEL: u8 = 10;

/// How a thread is scheduled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheduling {
    /// `SCHED_FIFO`: it runs as soon as it is due.
    RealTime,
    /// Like any other thread: it may have to wait for others.
    Ordinary,
}

/// Prepares the calling thread: timers at their time instead of up to 50 us later, and `SCHED_FIFO`
/// if `real_time` asks for it and the system allows it. Returns what it got.
pub fn prepare(real_time: bool) -> Scheduling {
    // Refused only by kernels before 2.6.28; then timers are late, which lateness shows.
    let _ = prctl::set_timerslack(1);
    if !real_time {
        return Scheduling::Ordinary;
    }
    let policy = ThreadSchedulePolicy::Realtime(RealtimeThreadSchedulePolicy::Fifo);
    let level = ThreadPriorityValue::try_from(LEVEL).map(ThreadPriority::Crossplatform);
    let set = level.is_ok_and(|level| {
        set_thread_priority_and_policy(thread_native_id(), level, policy).is_ok()
    });
    if set { Scheduling::RealTime } else { Scheduling::Ordinary }
}
