//! Seeds of a search. It picks what its own seeds favour, and so does whoever makes a case small.

/// Those with which it searches.
pub(super) const SEARCHED: &[u64] = &[1];

/// Those with which the worst cases run again, to pick one and to make it small.
pub(super) const PICKED: &[u64] = &[11, 12, 13];

/// Those of the figures that are told in the end, which had no part in what went before.
pub(super) const TOLD: &[u64] = &[21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32];

/// The number of seeds behind a figure that a search tells.
pub const SEEDS_TOLD: usize = TOLD.len();
