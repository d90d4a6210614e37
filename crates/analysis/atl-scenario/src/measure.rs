//! What a figure or a quote is about: a metric, over the whole run or over a part of it.

use atl_core::time::Time;

use crate::metric::Metric;

/// A metric with the part of the run that it is taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// What is measured.
    pub metric: Metric,
    /// The part of the run; `None`: all of it after the warm-up.
    pub during: Option<During>,
}

/// A part of a run, in the run's own time: the warm-up does not move it. Both ends are times of samples, or
/// the start of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct During {
    /// Its start.
    pub from: Time,
    /// Its end, later than the start.
    pub to: Time,
}

impl During {
    /// Its length in seconds.
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
