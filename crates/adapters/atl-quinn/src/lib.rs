//! The window controllers of [`atl_core`] as congestion controllers of quinn (QUIC).
//!
//! ```
//! use std::sync::Arc;
//!
//! use atl_core::window::{ControllerConfig, atl};
//! use atl_quinn::Factory;
//! use quinn_proto::TransportConfig;
//!
//! let factory = Factory::new(ControllerConfig::from(atl::robust::Config::default()));
//! let mut transport = TransportConfig::default();
//! transport.congestion_controller_factory(Arc::new(factory));
//! ```
//!
//! `cargo run -p atl-quinn --example quinn` is a whole transfer.
//!
//! This crate holds the adapter between the two interfaces. It never holds a control law, which are
//! in `atl-core`, nor sockets or a clock, which are quinn's.
//!
//! # What quinn does not report
//!
//! quinn 0.11 reports bytes and send times instead of packet numbers, so this adapter does not use
//! the
//! [ledger](atl_core::window::ledger) of `atl-core` but counts by itself:
//!
//! - A transmit of several datagrams is one event; each MTU of it counts as one packet.
//! - An acknowledged or lost packet is identified by its send time.
//! - The ACK delay is unknown: an RTT sample includes up to 25 ms of it.
//! - quinn judges whether the application limited the sender when the ACK arrives.
//! - Losses come as a number of bytes. Of CE marks (ECN) it tells that there were some.
//! - Nobody tells quinn which losses the sender's own MAC saw, so TCP-ATL relies on link reports. A
//!   host passes them on through [`Factory::reports`].

mod controller;
mod flights;

pub use controller::{Adapter, Factory};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
