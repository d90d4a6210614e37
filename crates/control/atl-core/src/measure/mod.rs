//! Estimators of a path's properties. None of them reads a clock, and the state of each is bounded.

mod bandwidth;
mod delivery_rate;
mod outcomes;
mod rtt;

pub use bandwidth::AckRate;
pub use delivery_rate::{DeliveryRate, RateSample, SentState};
pub use outcomes::{Counts, OutcomeWindow};
pub use rtt::{RttConfig, RttEstimator};
