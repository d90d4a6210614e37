//! Endpoints connected to each other, without a simulator.

mod applications;
mod edges;
mod host;
mod paced_handoff;
mod repair;
mod roaming;
mod small_writes;
