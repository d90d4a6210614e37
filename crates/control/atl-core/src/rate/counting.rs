//! The unit in which losses are counted.

/// The unit of the loss from which a rate is computed. A queue that overflows loses several packets
/// at once; a sender answers them once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Counting {
    /// Lost packets, as in the papers of ARC and ATL.
    #[default]
    Packets,
    /// Loss events, as in TFRC: packets lost within a round-trip time are one.
    Events,
}
