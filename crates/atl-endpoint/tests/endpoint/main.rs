//! Endpoints connected to each other, without a simulator.

mod host;
mod repair;
mod roaming;
mod wire;
