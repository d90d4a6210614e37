//! The adaptive transport layer suite without I/O: equations, path knowledge, estimators and congestion
//! controllers. Time comes in as a [`time::Time`]; there is no clock, no randomness and no thread here.

pub mod measure;
pub mod model;
pub mod path;
pub mod probe;
pub mod rate;
mod setters;
pub mod time;
pub mod units;
pub mod window;
