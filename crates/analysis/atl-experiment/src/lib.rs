//! From scenarios to a folder of results: what the command line and the Python package share.
//!
//! - [`hosts`]: the hosts to choose from;
//! - [`running`]: the runs of scenarios on a host;
//! - [`part`], [`Merging`]: a part of a scenario's runs as a file, and all parts together;
//! - [`Folder`]: where results are written, all of them or none, by one process at a time.

mod error;
mod folder;
pub mod hosts;
mod merging;
pub mod part;
pub mod running;
pub mod write;

pub use error::Error;
pub use folder::{Folder, REPORT, Unfinished, default_for, inner};
pub use merging::Merging;

/// Version of the program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
