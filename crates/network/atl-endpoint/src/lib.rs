//! Endpoints without I/O: they send, acknowledge, repair and report over a path, with the
//! controllers of [`atl_core`].
//!
//! - [`tcp`]: window-based sender and receiver with loss recovery;
//! - [`paced`]: rate-based sender and receiver;
//! - [`feedback`]: a receiver's reports beyond acknowledgments, and their handling at the sender
//!   ([`options`] holds both);
//! - [`claims`]: what a receiver claims whatever its link is like;
//! - [`handoff`]: the behaviour of endpoints when a host moves to another path;
//! - [`app`] and [`media`]: the applications that feed a sender, those that talk in both
//!   directions, and the viewer at the other end;
//! - [`conformance`]: checks of applications that others write;
//! - [`meters`]: measurements of a flow;
//! - [`interruptions`]: interruptions of a link that a host foresees.
//!
//! This crate never holds a socket, a clock, a simulator or a scenario file. An engine or a stack
//! hands in packets and the time, sends the packets that an endpoint gives it, and comes back when
//! its timer is due: the contract is stated at [`Endpoint`]. `atl-sim` is one such engine.

pub mod app;
pub mod claims;
pub mod conformance;
mod contract;
pub mod feedback;
pub mod handoff;
pub mod interruptions;
pub mod media;
pub mod meters;
pub mod number;
pub mod options;
pub mod paced;
pub mod tcp;

pub use contract::Endpoint;
