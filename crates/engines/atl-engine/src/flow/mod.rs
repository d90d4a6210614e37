//! A flow of a setup, in the part that is the same for every engine.
//!
//! - [`Build`]: its random streams and its start;
//! - [`paced`]: the ends of a paced flow, and their state;
//! - [`Wireless`], [`Access`]: its wireless links, and what their MACs tell its ends;
//! - [`receiver_feedback`]: its receiver's reports on them;
//! - [`Mobile`]: the end that moves, and its paths;
//! - [`Talk`]: an application over pairs of flows;
//! - [`Overhead`]: the delay of packets in its end system;
//! - [`Totals`] and [`measure`]: its counters, and the [`FlowResult`](crate::result::FlowResult)
//!   computed from them;
//! - [`record`]: times of recording, counts in the network, and [`Sample`](crate::result::Sample)s
//!   over time.

mod access;
mod build;
mod counts;
mod feedback;
pub mod measure;
mod mobile;
mod overhead;
pub mod paced;
mod place;
pub mod record;
mod talk;

pub use access::{Access, Hearing, News};
pub use build::{Build, session_key, start};
pub use counts::{Fate, Progress, State, Totals};
pub use feedback::{receiver_feedback, report_source};
pub use mobile::Mobile;
pub use overhead::Overhead;
pub use place::Wireless;
pub use talk::{Talk, Talked, Written};
