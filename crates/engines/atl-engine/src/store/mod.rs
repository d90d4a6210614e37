//! The results of a sweep, in memory or in a temporary file.
//!
//! - [`Collector`] takes the results of runs, from any thread and in any order;
//! - [`Results`] hands them out, point by point;
//! - [`Room`] limits how much of them may stay in memory. The rest goes to a temporary file without
//!   a name, which disappears with the process, however that ends.
//!
//! Readers get the same results in the same order, wherever each of them was kept.

mod collector;
mod places;
mod present;
mod record;
mod results;
mod room;
mod spill;

pub use collector::{Collector, Incomplete};
pub use present::Present;
pub use record::{LENGTH, Malformed, decode, encode};
pub use results::Results;
pub use room::Room;
