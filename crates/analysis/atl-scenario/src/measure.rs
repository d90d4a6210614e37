//! Metrics over the whole run or a part of it, as figures and quotes use them.

use atl_core::time::Time;

use crate::metric::Metric;

/// A metric and the part of the run that it covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// Metric of the runs.
    pub metric: Metric,
    /// Part of the run; `None` for all of it after the warm-up.
    pub during: Option<During>,
}

/// A part of a run in the run's own time, which the warm-up does not shift. Both ends are times of
/// samples or the start of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct During {
    /// Start of the part.
    pub from: Time,
    /// End of the part, later than the start.
    pub to: Time,
}

impl During {
    /// Length of the part in seconds.
    pub fn secs(self) -> f64 {
        self.to.since(self.from).secs()
    }
}

impl From<Metric> for Measure {
    /// The metric over the whole run.
    fn from(metric: Metric) -> Measure {
        Measure { metric, during: None }
    }
}
