//! A packet-level simulator: virtual time, a network of [`atl_link`] links, TCP and paced endpoints that host the
//! controllers of [`atl_core`], and what they measure. It runs a [`Setup`](atl_scenario::setup::Setup) with a
//! seed; the same two always give the same result, byte for byte.

pub mod agent;
mod app;
pub mod arrivals;
mod aside;
mod atm;
mod batch;
mod delays;
mod events;
mod flow;
mod interruptions;
pub mod media;
mod network;
mod offered;
mod overhead;
pub mod paced;
mod packet;
mod record;
mod rtts;
mod simulation;
pub mod tcp;
mod voice;

pub use app::App;
pub use batch::{NoThreads, run_scenario, run_scenarios};
pub use events::{Event, EventQueue};
pub use packet::{
    Extras, Kind, OptionStore, OptionsId, Packet, SACK_BLOCKS, SackBlock, SackBlocks,
    WirelessOption,
};
pub use simulation::{Options, Simulation};
