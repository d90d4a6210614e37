//! Estimators of a path's properties. None of them reads a clock, and the state of each is bounded.

mod bandwidth;
mod outcomes;
mod rtt;

pub use bandwidth::AckRate;
pub use outcomes::{Counts, OutcomeWindow};
pub use rtt::{RttConfig, RttEstimator};
