//! A packet-level simulator: virtual time, a network of [`atl_link`] links with agents and cells,
//! and the endpoints of [`atl_endpoint`] at its edges. It runs a
//! [`Setup`](atl_engine::setup::Setup) with a seed; the same setup and seed always give the same
//! result, byte for byte.
//!
//! It holds the event loop, the network and what stands in it, and the recording of results. It
//! holds no protocol logic: endpoints come from [`atl_endpoint`], adaptation layers from
//! [`atl_aal`].

pub mod agent;
mod atm;
mod engine;
mod events;
mod flow;
mod network;
mod on_wire;
mod packet;
mod simulation;
mod slab;
mod telling;

pub use engine::Sim;
pub use events::{Event, EventQueue};
pub use flow::Options;
pub use packet::{Bits, OptionStore, OptionsId, Packet, PacketKind};
pub use simulation::{Happening, Simulation, What};
