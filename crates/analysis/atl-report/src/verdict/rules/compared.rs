//! Means that are compared run by run.

use crate::stats::{Estimate, Spread};

/// Order of two selections by the interval of their paired difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compared {
    /// The interval lies above 0.
    Higher,
    /// The interval lies below 0.
    Lower,
    /// The interval covers 0 and stays within [`LEVEL`] of the values.
    Level,
    /// The interval covers 0 but is wider, so that the order is unknown.
    Open,
}

/// Relative difference up to which two values are level.
pub(super) const LEVEL: f64 = 0.01;

impl Compared {
    /// Compares by the paired difference of two selections; `size` is the mean of the larger.
    pub(super) fn by(difference: &Estimate, size: f64) -> Compared {
        if difference.excludes(0.0) {
            return if difference.mean > 0.0 { Compared::Higher } else { Compared::Lower };
        }
        let reach = match difference.spread {
            Spread::TooFew => return Compared::Open,
            Spread::Same => 0.0,
            Spread::Interval { low, high } => low.abs().max(high.abs()),
        };
        if reach <= LEVEL * size { Compared::Level } else { Compared::Open }
    }
}
