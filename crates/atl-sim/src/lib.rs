//! A packet-level simulator: virtual time, a network of [`atl_link`] links, agents and cells on it, and the endpoints
//! of [`atl_endpoint`] at its ends. It runs a [`Setup`](atl_scenario::setup::Setup) with a
//! seed; the same two always give the same result, byte for byte.

pub mod agent;
mod atm;
mod events;
mod flow;
mod host;
mod network;
mod overhead;
mod packet;
mod record;
mod simulation;
mod slab;

pub use events::{Event, EventQueue};
pub use flow::Options;
pub use host::Sim;
pub use packet::{OptionStore, OptionsId, Packet, PacketKind};
pub use simulation::Simulation;
