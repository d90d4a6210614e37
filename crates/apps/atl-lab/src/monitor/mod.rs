//! Observation of controllers: the calls that they get, and their window before and after.
//!
//! [`Watching`] applies the rules, independently of a library; [`noq`] puts it between the library
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
