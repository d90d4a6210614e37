//! What a scenario compares, ranked: what its sweep varies, on the flows that it varies.
//!
//! A *design* is what somebody chooses: the protocols of the flows, their adaptation layers, what receivers report, the
//! agents and tunnels on links, and how a mobile changes cells (its radios, where it changes, how it predicts). A *condition*
//! is everything else that a sweep changes: losses, delays, queues. The
//! contenders are the designs of a sweep, and each is measured on the flows whose design changes, so that cross traffic
//! and other roles neither count nor compete. A sweep that changes no design compares the flows with each other.

mod contenders;
mod design;
mod order;
mod words;

pub use order::{Place, Ranking, Standing, ranking};
pub use words::{comparison, headline};
