//! Endpoints connected to each other, without a simulator.

mod applications;
mod host;
mod paced_handoff;
mod repair;
mod roaming;
mod small_writes;
