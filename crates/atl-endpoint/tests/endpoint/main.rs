//! Endpoints connected to each other, without a simulator.

mod holes;
mod host;
mod repair;
mod wire;
