//! The path as an adversary: a search for the network that hurts a sender most.
//!
//! A case is a path whose rate, delays and losses change over ten or twenty seconds, with bursts of
//! other traffic and times in which acknowledgments wait, and one sender on it. [`PathSearch`]
//! draws cases at random, keeps the worst, and changes and crosses them; in the end the worst of
//! each protocol and [`Objective`] runs again with other seeds, is made as small as it can be, and
//! is a [scenario file](PathCase::file).
//!
//! The search is deterministic: the same seed and number of cases give the same result on any
//! number of threads, unless a protocol is not repeatable.
//!
//! After CCAC (Arun and others, SIGCOMM 2021) and CC-Fuzz (Ray and Seshan, HotNets 2022), which
//! look for the same by proof and in a simulator of packets.

mod case;
mod file;
mod objective;
mod score;
mod search;
mod shrink;

pub use case::{Burst, Hold, PathCase, Piece};
pub use objective::{OBJECTIVES, Objective};
pub use search::{PathFound, PathSearch, example};
