//! Endpoints without I/O: what sends, acknowledges, repairs and reports over a path, with the controllers of [`atl_core`].
//!
//! - [`tcp`]: window-based sender and receiver with loss recovery;
//! - [`paced`]: rate-based sender and receiver;
//! - [`voice`]: what a receiver reports beyond acknowledging, and how a sender takes it ([`options`] holds both);
//! - [`app`] and [`media`]: the applications that feed a sender, and the viewer at the other end;
//! - [`meters`]: what is measured of a flow;
//! - [`interruptions`]: when a host knows ahead that its link will fail.
//!
//! No socket, no clock, no simulator and no scenario file: a host hands over packets and the time, asks what to
//! send, and comes back when an endpoint says so. `atl-sim` is one such host.

pub mod app;
pub mod interruptions;
pub mod media;
pub mod meters;
pub mod number;
pub mod options;
pub mod paced;
pub mod tcp;
pub mod voice;
