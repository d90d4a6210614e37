//! From scenarios to a folder of results: what the command line and the Python package share.
//!
//! - [`artefact`]: whether a verdict stands with each impairment in its other form;
//! - [`attack`]: the search for the lie of a receiver that pays most;
//! - [`packets`]: the packets of one run as qlogs and captures;
//! - [`grid`]: what link knowledge buys, on networks drawn at random;
//! - [`engines`]: the engines to choose from;
//! - [`running`]: the runs of scenarios on an engine;
//! - [`path`]: a path described in a few words, its scenario file, and the answer from its results;
//! - [`recording`]: recorded links of others as traces of ours;
//! - [`shard`]: parts of a sweep, as files;
//! - [`part`], [`Merging`]: a part of a scenario's runs as a file, and the parts merged;
//! - [`Folder`]: a directory whose files are replaced together or not at all, by one process at a
//!   time.

pub mod artefact;
pub mod attack;
pub mod engines;
mod error;
mod folder;
pub mod grid;
mod merging;
pub mod packets;
pub mod part;
pub mod path;
pub mod recording;
pub mod running;
pub mod shard;
pub mod write;

pub use error::Error;
pub use folder::{Folder, REPORT, Unfinished, default_for, inner};
pub use merging::Merging;

/// Version of this crate, as `1.2.3`.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Identity of this build: 16 hexadecimal digits of a SHA-256 over the sources that decide results
/// and over the versions of all dependencies, or `release` if built from a registry. A program of
/// your own has that of the crates that it is built from, whatever it adds to them.
pub const BUILD: &str = env!("ATL_BUILD");
