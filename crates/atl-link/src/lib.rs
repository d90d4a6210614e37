//! Links as state machines: what a packet meets on its way. The same machines carry simulated packets in
//! virtual time and real ones in real time; nothing here knows of a transport or of a simulator.

#![warn(unnameable_types, unreachable_pub)]

mod blackout;
mod channel;
mod config;
mod counters;
mod damage;
mod delay;
mod exit;
mod link;
mod loss;
mod packet;
mod queue;
pub mod random;
mod report;
mod service;
pub mod trace;

pub use channel::Channel;
pub use config::{
    AtChange, Blackout, Change, Conditions, Config, Delay, Loss, QueueConfig, Service,
};
pub use counters::Counters;
pub use damage::Damage;
pub use exit::{Cause, ChangeEvent, Exit};
pub use link::Link;
pub use packet::Packet;

pub use atl_core::path::LinkReport;
