//! Paths described in a few words, and sweeps in parts.

mod path;
mod shard;
