//! A flow of a setup, as every host builds and measures it.
//!
//! - [`Build`]: its random streams and when it starts;
//! - [`paced`]: the ends of a paced flow, and their state;
//! - [`Wireless`], [`receiver_feedback`]: its wireless links, and what its receiver reports of its own;
//! - [`Overhead`]: what its host delays packets by;
//! - [`Totals`] and [`measure`]: what is counted, and its way into a [`FlowResult`](crate::result::FlowResult);
//! - [`record`]: when something is written down, what the network does to packets, and
//!   [`Sample`](crate::result::Sample)s over time.

mod build;
mod counts;
mod feedback;
pub mod measure;
mod overhead;
pub mod paced;
mod place;
pub mod record;

pub use build::{Build, session_key, start};
pub use counts::{Fate, Progress, State, Totals};
pub use feedback::{receiver_feedback, report_source};
pub use overhead::Overhead;
pub use place::Wireless;
