//! How much may stay in memory.

use std::sync::Mutex;

use crate::result::{FlowResult, LinkResult, RunResult, Sample};

/// Room for results in memory, which collectors share.
///
/// There are two limits. That of bytes holds for runs with samples over time. That of runs holds for small ones: it keeps
/// the memory of a large sweep close to that of a small one, and a run without samples is read again from a file within
/// microseconds.
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
    /// For 1024 runs of together 256 MiB.
    fn default() -> Room {
        Room::new(1024, 256 << 20)
    }
}

impl Room {
    /// For that many runs, and that many bytes of them.
    pub fn new(runs: usize, bytes: usize) -> Room {
        Room { left: Mutex::new(Left { runs, bytes }) }
    }

    /// For all results.
    pub fn unlimited() -> Room {
        Room::new(usize::MAX, usize::MAX)
    }

    /// Takes the room that a result needs; `false` if too little is left.
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

/// About how many bytes a result takes in memory.
fn size(run: &RunResult) -> usize {
    size_of::<RunResult>()
        + run.flows.len() * size_of::<FlowResult>()
        + run.links.len() * size_of::<LinkResult>()
        + run.samples.len() * size_of::<Sample>()
}
