//! Real packets over routes of links, without a clock or I/O.
//!
//! A [`Relay`] holds the links of a setup, with the random streams that the simulator gives them,
//! and carries [`Frame`]s, the bytes of real packets, over routes of those links. Its caller passes
//! the time: a thread that moves frames between sockets in real time, or a loop that jumps from
//! event to event.

mod frame;
mod passage;
mod route;
mod state;
#[cfg(test)]
mod tests;

pub use frame::Frame;
pub use passage::{Passage, Passing};
pub use route::RouteId;
pub use state::{Event, Relay};
