//! A receive window that the receiver announces anew in each ACK.
//!
//! Most receivers here have as much room as the parameters say, always. One that passes data on,
//! such as a proxy, has less while what it got has not left.

use super::persist::Persist;

/// The window that a receiver has announced.
#[derive(Clone, Copy, Debug)]
pub(super) struct Credit {
    /// One past the last segment for which it has room. It never falls.
    pub(super) edge: u64,
    /// Runs while the window is closed and nothing is outstanding whose ACK would tell.
    pub(super) persist: Persist,
}
