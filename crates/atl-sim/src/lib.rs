//! A packet-level simulator: virtual time, a network of [`atl_link`] links, agents and cells on it, and the endpoints
//! of [`atl_endpoint`] at its ends. It runs a [`Setup`](atl_scenario::setup::Setup) with a
//! seed; the same two always give the same result, byte for byte.

pub mod agent;
mod aside;
mod atm;
mod events;
mod flow;
mod host;
mod network;
mod overhead;
mod paced;
mod packet;
mod record;
mod simulation;

pub use events::{Event, EventQueue};
pub use host::Sim;
pub use packet::{Kind, OptionStore, OptionsId, Packet};
pub use simulation::{Options, Simulation};
