//! Watches controllers: what they are told, and what they do.
//!
//! [`Watching`] holds the rules at work and knows no library; [`noq`] stands between the library noq and a controller.

pub mod noq;
mod observed;
mod pause;
mod peaks;
mod rules;
mod trial;
mod watching;

pub use observed::Observed;
pub use rules::{Finding, Rule};
pub use trial::Trial;
pub use watching::{Change, Event, Watching};
