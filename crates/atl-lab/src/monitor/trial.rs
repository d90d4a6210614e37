//! Events that hardly occur by themselves, told to a controller in the middle of a run.

use std::time::Duration;

/// How far into a run it takes place: the window is wide by then.
pub(super) const AFTER: Duration = Duration::from_secs(3);

/// Something that a controller is told once, in the middle of a run, though the path has not done
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trial {
    /// Persistent congestion.
    Persistent,
    /// A loss, and then persistent congestion of packets that were sent before it.
    PersistentInRecovery,
    /// A mark of ECN.
    Ecn,
    /// A loss that turns out to be none.
    Undone,
    /// Datagrams may be larger.
    Resized,
}

impl Trial {
    /// All of them.
    pub const ALL: [Trial; 5] =
        [Trial::Persistent, Trial::PersistentInRecovery, Trial::Ecn, Trial::Undone, Trial::Resized];

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Trial::Persistent => "persistent congestion",
            Trial::PersistentInRecovery => "persistent congestion during a recovery",
            Trial::Ecn => "a mark of ECN",
            Trial::Undone => "a loss that was none",
            Trial::Resized => "larger datagrams",
        }
    }
}
