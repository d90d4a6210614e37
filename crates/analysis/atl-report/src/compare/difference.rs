//! A metric that differs between two runs.

use crate::quantity::Quantity;
use crate::stats::Estimate;
use serde::Serialize;

/// A metric of a flow group at a point, in both.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// Engine, point and flow group in words, as far as they differ within the folder.
    pub place: String,
    /// Name of the metric.
    pub metric: &'static str,
    /// Name, key and unit of the metric, for display.
    #[serde(skip)]
    pub quantity: Quantity,
    /// Means over the common seeds.
    pub means: [Estimate; 2],
    /// Second minus first, paired by seed.
    pub difference: Estimate,
    /// Second over first, paired by seed; absent where the first is 0.
    pub ratio: Option<Estimate>,
    /// True if the interval of the difference does not cover 0.
    pub real: bool,
    /// True if all pairs are equal.
    pub same: bool,
}
