//! QUIC in virtual time: real packets of a QUIC library, over the links of a scenario.
//!
//! The state machines of `noq-proto` are driven by a clock that jumps from event to event, and
//! their datagrams cross the same links as the simulator's packets. So a controller can be compared
//! between the simulator's TCP and a QUIC that people use, and any controller that was written for
//! noq can be put onto a scenario.
//!
//! - [`QuicSim`] is the engine: `atl run X --on quic-sim`.
//! - [`run`] carries out a single run, with [`Options`] that a scenario has no words for:
//!   controllers of the caller's own, a qlog.
//!
//! - [`connection`] is what engines of QUIC have in common: a flow's plan as a QUIC connection,
//!   controllers, applications, meters.
//!
//! # What is pinned
//!
//! Everything that the library draws: connection IDs, reset tokens, padding and the order of
//! transport parameters follow from the run's seed. Its clock begins at one
//! [`Instant`](std::time::Instant), taken at the start of a run, that nothing depends on. Under
//! [`Crypto::Null`] the same setup and seed give the same bytes on the wire; under [`Crypto::Tls`]
//! the same sizes and times. One exception: noq's BBRv3 draws when to probe from the system's
//! randomness, and has no seed to set.
//!
//! # Packets
//!
//! A full packet is as long on the wire as the scenario's (`segment` + `header`, 1500 bytes by
//! default): 28 of them are the headers of UDP and IPv4, the rest is QUIC's. The MTU does not
//! change. A *data packet* is a datagram of the sender that elicits an acknowledgment, those of the
//! handshake included and probes excluded.
//!
//! # Mobiles
//!
//! The sender of the data connects, and the receiver if that is a mobile: the library lets only the
//! client open paths. With `new-path = "keep"` a layer beneath QUIC keeps the mobile's address
//! (Mobile IP), and the connection sees one path. Otherwise the mobile has an address in each
//! network, and the connection roams by QUIC's multipath extension ([`atl_noq::roaming`]). A mobile
//! that leaves the network of its handshake before that is complete never connects.

mod address;
mod app;
pub mod connection;
mod controllers;
mod crypto;
mod end;
mod engine;
mod flow;
mod gaps;
#[cfg(feature = "qlog")]
mod log;
mod options;
mod reports;
mod run;
mod tap;
mod transport;

pub use controllers::{SharedFactory, library};
pub use crypto::Crypto;
pub use engine::QuicSim;
#[cfg(feature = "qlog")]
pub use options::Log;
pub use options::Options;
pub use run::run;
