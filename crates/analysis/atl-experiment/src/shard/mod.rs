//! A sweep in parts that run on different machines, and their results put together again.
//!
//! - [`Shard`]: which of a scenario's runs a part has;
//! - [`write()`]: the file that a part leaves behind: its results without loss, and what they are results of;
//! - [`Part`]: such a file, read again;
//! - [`Whole`]: all parts together, or which of them are missing.
//!
//! No more than a few results are in memory at any time, however large the sweep is.

mod form;
mod header;
mod merge;
mod part;
mod shard;
mod write;

pub use form::{HEADER_LIMIT, Unreadable};
pub use header::{Changes, Header};
pub use merge::{MergeError, Whole};
pub use part::{Part, PartError, Source};
pub use shard::{Shard, WrongShard};
pub use write::write;
