//! What a measured loss counts.

/// What the loss that a rate is computed from counts. A queue that overflows loses several packets at once; a sender answers
/// them once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Counting {
    /// Lost packets, as the papers of ARC and ATL have it.
    #[default]
    Packets,
    /// Loss events, as TFRC does: packets lost within a round-trip time are one.
    Events,
}
