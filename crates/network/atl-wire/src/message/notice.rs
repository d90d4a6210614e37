//! What a mobile receiver tells the sender of its paths.

use atl_core::path::PathSignal;

/// A signal on its way from a mobile receiver to the sender: a binding update of Mobile IP, an RTCP Handoff Notification
/// or BYE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Number of the notice; later ones have higher numbers, so that a replayed one is known.
    pub sequence: u32,
    /// What it says.
    pub signal: PathSignal,
    /// Proves that the peer wrote it, where the session has a key; zero without one.
    pub tag: u64,
}
