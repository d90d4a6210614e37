//! The window controllers of [`atl_core`] as congestion controllers of noq (QUIC with multipath).
//!
//! ```
//! use std::sync::Arc;
//!
//! use atl_core::window::{ControllerConfig, atl};
//! use atl_noq::Factory;
//! use noq_proto::TransportConfig;
//!
//! let factory = Factory::new(ControllerConfig::from(atl::robust::Config::default()));
//! let mut transport = TransportConfig::default();
//! transport.congestion_controller_factory(Arc::new(factory));
//! ```
//!
//! - [`Factory`] builds a controller for each path of a connection.
//! - [`PathHandle`] reaches the controller of a path: link reports, handoffs, probes, a new start,
//!   and what it does.
//! - [`Marks`] tells it which packets the link itself has lost.
//! - [`roaming`] moves a connection from one network to another, and its controller along.
//!
//! This crate holds the adapter between the two interfaces. It never holds a control law, which are
//! in `atl-core`, nor sockets or a clock, which are the host's.
//!
//! # What noq does not tell, and how it is known here
//!
//! - *The packet-number space.* Numbers of Initial, Handshake and Data collide. Packets are kept in
//!   three sequences of rising numbers, and each goes to the first that takes it: three are enough,
//!   since a number that is not above the last one of a sequence belongs to another space. An
//!   acknowledged packet is found by its number and send time, a lost one by its number and size,
//!   the oldest first.
//! - *Packets that resolve nowhere*: lost MTU probes, and packets of discarded spaces. After each
//!   acknowledgment noq tells how many bytes are in flight; what is noted beyond that is settled,
//!   MTU probes first, then the oldest.
//! - *Whether the window limited the sender when it sent a packet* (RFC 9002, sec. 7.8). It did if
//!   the window or pacing held something back while the packet was in flight.
//! - *The RTT*: noq's estimator lags by one acknowledgment. Samples are taken from send times; they
//!   include the peer's ACK delay.
//! - *Retransmissions*: unknown, and QUIC's packet numbers do without.
//!
//! Pacing is by rate (noq's token bucket), from the controllers that have one; the exact schedule
//! of [`release_at`](atl_core::window::WindowController::release_at) is not followed. Controllers
//! that send probe packets of their own (Peach) send none here.

mod adapter;
mod aside;
mod factory;
pub mod marks;
mod notes;
pub mod path;
pub mod roaming;
mod transmits;

pub use adapter::Adapter;
pub use factory::Factory;
#[cfg(feature = "socket")]
pub use marks::MarkingSocket;
pub use marks::{MarkCounts, Marks};
pub use path::{Observed, PathHandle};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
