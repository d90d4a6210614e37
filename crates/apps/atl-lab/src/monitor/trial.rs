//! Rare events, reported to a controller in the middle of a run.

use std::time::Duration;

/// Time from the start of a run to the trial, by when the window is wide.
pub(super) const AFTER: Duration = Duration::from_secs(3);

/// An event that the controller is told of once, in the middle of a run, although it has not
/// happened on the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trial {
    /// Persistent congestion outside of a recovery period.
    Persistent,
    /// A loss, and then persistent congestion among packets that were sent before it.
    PersistentInRecovery,
    /// A mark of ECN.
    Ecn,
    /// A loss that turns out to be spurious.
    Undone,
    /// A larger size of datagrams.
    Resized,
}

impl Trial {
    /// All trials, in the order in which suites run them.
    pub const ALL: [Trial; 5] =
        [Trial::Persistent, Trial::PersistentInRecovery, Trial::Ecn, Trial::Undone, Trial::Resized];

    /// The event in words.
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
