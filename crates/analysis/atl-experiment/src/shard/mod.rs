//! A sweep split into parts that run on different machines, and their results merged again.
//!
//! - [`Shard`] says which of a scenario's runs belong to a part;
//! - [`write()`] writes the file of a part: its results without loss, and their identity;
//! - [`Part`] reads such a file;
//! - [`Whole`] merges all parts, or says which are missing.
//!
//! Only a few results are in memory at any time, however large the sweep is.

mod form;
mod header;
mod merge;
mod part;
mod share;
mod write;

pub use form::{HEADER_LIMIT, Unreadable};
pub use header::{Changes, Header};
pub use merge::{Builds, MergeError, Whole};
pub use part::{Part, PartError, Source};
pub use share::{Shard, WrongShard};
pub use write::write;
