//! A metric that differs between two runs.

use crate::quantity::Quantity;
use crate::ranking::Finished;
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
    /// Means over the common seeds. A flow that did not live to see the event of a metric that is a
    /// time to one counts with the time that it had, so that the mean is too short.
    pub means: [Estimate; 2],
    /// Flows that lived to see the event, in both; absent if all did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished: Option<[Finished; 2]>,
    /// Second minus first, paired by seed.
    pub difference: Estimate,
    /// Second over first, paired by seed; absent where the first is 0.
    pub ratio: Option<Estimate>,
    /// True if the interval of the difference does not cover 0.
    pub real: bool,
    /// True if all pairs are equal.
    pub same: bool,
}

impl Difference {
    /// The mean of the first (0) or the second (1), such as `12 of 20 ended; 52 ± 3 s`.
    ///
    /// # Panics
    /// Panics if `side` is neither 0 nor 1.
    pub fn shown(&self, side: usize) -> String {
        let mean = self.quantity.show(&self.means[side]);
        match self.finished {
            Some(finished) => {
                let Finished { ended, of } = finished[side];
                format!("{ended} of {of} ended; {mean}")
            }
            None => mean,
        }
    }
}
