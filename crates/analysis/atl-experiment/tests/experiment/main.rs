//! Paths described in a few words, and sweeps in parts.

mod attack;
mod path;
mod shard;
