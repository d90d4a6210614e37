//! Watches controllers: what they are told, and what they do.
//!
//! [`Watching`] holds the rules at work and knows no library; [`noq`] stands between the library
//! noq and a controller.

mod heavy;
pub mod noq;
mod observed;
mod pause;
mod peaks;
mod recovery;
mod rules;
mod trial;
mod watching;

pub use observed::Observed;
pub use rules::{Finding, Rule};
pub use trial::Trial;
pub use watching::{Change, Event, Watching};
