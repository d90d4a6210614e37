//! Links as state machines: what a packet meets on its way. The same machines carry simulated packets in
//! virtual time and real ones in real time; nothing here knows of a transport or of a simulator.

mod config;
pub mod random;
pub mod trace;

pub use config::{
    AtChange, Blackout, Change, Conditions, Config, Delay, Loss, QueueConfig, Service,
};
