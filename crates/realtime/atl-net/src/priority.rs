//! Scheduling of a thread that must wake on time.

use nix::sys::prctl;
use thread_priority::unix::{
    RealtimeThreadSchedulePolicy, ThreadSchedulePolicy, set_thread_priority_and_policy,
    thread_native_id,
};
use thread_priority::{ThreadPriority, ThreadPriorityValue};

/// Priority of `SCHED_FIFO`: above ordinary threads, below the kernel's own.
const LEVEL: u8 = 10;

/// The scheduling policy of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheduling {
    /// `SCHED_FIFO`: it runs as soon as it is due.
    RealTime,
    /// `SCHED_OTHER`: it may have to wait for other threads.
    Ordinary,
}

/// Prepares the calling thread: timers that are exact instead of up to 50 us late, and `SCHED_FIFO`
/// if `real_time` asks for it and the system allows it. Returns the policy it got.
pub fn prepare(real_time: bool) -> Scheduling {
    // Only kernels before 2.6.28 refuse; timers are then late, and lateness shows it.
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
