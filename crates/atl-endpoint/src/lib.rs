//! Endpoints without I/O: what sends, acknowledges, repairs and reports over a path, with the
//! controllers of [`atl_core`].
//!
//! - [`tcp`]: window-based sender and receiver with loss recovery;
//! - [`paced`]: rate-based sender and receiver;
//! - [`feedback`]: what a receiver reports beyond acknowledging, and how a sender takes it
//!   ([`options`] holds both);
//! - [`handoff`]: what endpoints do when a host moves to another path;
//! - [`wire`]: the wire form of such reports;
//! - [`app`] and [`media`]: the applications that feed a sender, and the viewer at the other end;
//! - [`meters`]: what is measured of a flow;
//! - [`interruptions`]: when a host knows ahead that its link will fail.
//!
//! This crate never holds a socket, a clock, a simulator or a scenario file. A host hands in
//! packets and the time, sends what an endpoint gives it, and comes back when its timer is due: the
//! contract is stated at [`Endpoint`]. `atl-sim` is one such host.

pub mod app;
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
pub mod wire;

pub use contract::Endpoint;
