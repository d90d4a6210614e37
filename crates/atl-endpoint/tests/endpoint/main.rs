//! Endpoints against each other, without a simulator.

mod repair;
