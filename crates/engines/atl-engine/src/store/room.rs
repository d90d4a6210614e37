//! A limit on the results that stay in memory.

use std::sync::Mutex;

use crate::result::{FlowResult, LinkResult, RunResult, Sample};

/// Memory for results, shared by all collectors.
///
/// The limit in bytes is for runs with samples over time. The limit in runs is for runs without: it
/// keeps the memory of a large sweep close to that of a small one, and reading such a run back from
/// the file takes microseconds.
#[derive(Debug)]
pub struct Room {
    left: Mutex<Left>,
}

#[derive(Clone, Copy, Debug)]
struct Left {
    runs: usize,
    bytes: usize,
}

impl Default for Room {
    /// Room for 64 runs of together 16 MiB.
    fn default() -> Room {
        Room::new(64, 16 << 20)
    }
}

impl Room {
    /// Room for at most `runs` runs and `bytes` bytes.
    pub fn new(runs: usize, bytes: usize) -> Room {
        Room { left: Mutex::new(Left { runs, bytes }) }
    }

    /// Room without a limit.
    pub fn unlimited() -> Room {
        Room::new(usize::MAX, usize::MAX)
    }

    /// Takes the room that a result needs, or returns `false` if too little is left.
    pub(crate) fn take(&self, run: &RunResult) -> bool {
        let bytes = size(run);
        let Ok(mut left) = self.left.lock() else { return false };
        if left.runs == 0 || left.bytes < bytes {
            return false;
        }
        *left = Left { runs: left.runs - 1, bytes: left.bytes - bytes };
        true
    }
}

/// Approximate size in memory, in bytes.
fn size(run: &RunResult) -> usize {
    size_of::<RunResult>()
        + run.flows.len() * size_of::<FlowResult>()
        + run.links.len() * size_of::<LinkResult>()
        + run.samples.len() * size_of::<Sample>()
}
