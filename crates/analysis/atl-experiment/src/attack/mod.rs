//! Adversaries. The [`path`] hurts a sender; the receiver lies to it.
//!
//! The receiver as an adversary: a search for the lie that pays most.
//!
//! A sender that listens to its receiver believes some of what that says of its wireless link. A
//! receiver gains by exaggerating. [`Search`] draws networks and lies at random, keeps those that
//! paid most and changes them, and in the end runs the worst of each law again with other seeds and
//! [makes it small](shrunk). What it tells of that comes from seeds that had no part in all this. A
//! case is a [scenario file](Case::file) that anyone can run.
//!
//! - [`Network`]: the topologies: a wire with a SACK neighbour, or a wireless link with honest
//!   ones;
//! - [`STRATEGIES`]: the kinds of lies; a new one is a line there;
//! - [`judge`]: what a lie got.
//!
//! The search is deterministic: the same seed and number of cases give the same result, on any
//! number of threads.

mod case;
mod file;
mod judge;
mod network;
pub mod path;
mod search;
mod seeds;
mod shrink;
mod strategies;

pub use case::Case;
pub(crate) use file::time;
pub use judge::{Failure, Gain, judge};
pub(crate) use network::PACKET_BYTES;
pub use network::{Medium, Network, logarithmic};
pub use search::{Confirmed, Search};
pub use seeds::SEEDS_TOLD;
pub use shrink::shrunk;
pub use strategies::{STRATEGIES, Strategy};
