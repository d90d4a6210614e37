//! The hosted controllers on a path, and with hosts that get things wrong.

#[path = "../../../../../crates/control/atl-core/tests/core/support/bottleneck.rs"]
mod bottleneck;
mod confusion;
mod control;
mod events;
mod rivals;
