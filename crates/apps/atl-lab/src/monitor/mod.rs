//! Observation of controllers: the calls that they get, and their window before and after.
//!
//! [`Watching`] applies the rules, independently of a library; [`noq`] puts it between the library
//! noq and a controller.

mod change;
mod heavy;
pub mod noq;
mod observed;
mod pause;
mod peaks;
mod recovery;
mod rules;
mod trial;
mod watching;

pub use change::{Change, Event};
pub use observed::Observed;
pub use rules::{Finding, Rule};
pub use trial::Trial;
pub use watching::Watching;
