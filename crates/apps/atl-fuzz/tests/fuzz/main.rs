//! The corpus of all targets, and a fixed number of the swarm's cases.

mod corpus;
mod swarm;
