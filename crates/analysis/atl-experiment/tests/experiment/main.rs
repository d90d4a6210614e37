//! Paths described in a few words, recorded links, forms of impairments, and sweeps in parts.

mod artefact;
mod attack;
mod path;
mod paths;
mod recording;
mod shard;
