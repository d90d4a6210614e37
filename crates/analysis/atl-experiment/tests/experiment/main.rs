//! Paths described in a few words, recorded links, and sweeps in parts.

mod attack;
mod path;
mod recording;
mod shard;
