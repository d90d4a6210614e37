//! A sweep in parts that run on different machines, and their results put together again.
//!
//! - [`Shard`]: which of a scenario's runs a part has;
//! - [`ShardFile`]: what a part leaves behind: its results without loss, and what they are results of;
//! - [`merge`]: the results of the whole, or which parts are missing.

mod file;
mod merge;
mod shard;

pub use file::{Changes, HEADER_LIMIT, Header, Host, ShardFile, Unreadable};
pub use merge::{MergeError, Merged, merge};
pub use shard::{Shard, WrongShard};
