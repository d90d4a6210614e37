//! Real-time scheduling, and exact timers.

use nix::sys::prctl;
use thread_priority::unix::{
    RealtimeThreadSchedulePolicy, ThreadSchedulePolicy, set_thread_priority_and_policy,
    thread_native_id,
};
use thread_priority::{ThreadPriority, ThreadPriorityValue};

/// The system has the policy `SCHED_FIFO`.
pub(crate) const REAL_TIME: bool = true;
/// Priority of `SCHED_FIFO`: above ordinary threads, below the kernel's own.
const LEVEL: u8 = 10;

/// Makes the calling thread's timers exact, and asks for `SCHED_FIFO` if `real_time` says so. True
/// if it got that.
pub(crate) fn prepare(real_time: bool) -> bool {
    // Only kernels before 2.6.28 refuse; timers are then late, and lateness shows it.
    let _ = prctl::set_timerslack(1);
    if !real_time {
        return false;
    }
    let policy = ThreadSchedulePolicy::Realtime(RealtimeThreadSchedulePolicy::Fifo);
    let level = ThreadPriorityValue::try_from(LEVEL).map(ThreadPriority::Crossplatform);
    level.is_ok_and(|level| {
        set_thread_priority_and_policy(thread_native_id(), level, policy).is_ok()
    })
}
