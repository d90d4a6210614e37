//! A mobile receiver's signals to the sender about its paths.

use atl_core::path::PathSignal;

/// A signal on its way from a mobile receiver to the sender: a binding update of Mobile IP, an RTCP
/// Handoff Notification or BYE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Number of the notice; later ones have higher numbers, so that a replay shows.
    pub sequence: u32,
    /// The signal, with the path that it is about.
    pub signal: PathSignal,
    /// Proof that the peer wrote it, where the session has a key; zero without one.
    pub tag: u64,
}
