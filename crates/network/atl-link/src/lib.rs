//! Links as state machines: what happens to a packet between two nodes.
//!
//! A [`Link`] is one direction of a link: a queue, a transmitter (constant rate, unlimited or a
//! recorded trace), a loss process or a channel with bit errors, a delay, and changes of all of
//! these over time (handoffs, blackouts). It is generic over the packets it carries ([`Packet`]).
//! The same state machine carries simulated packets in virtual time and real packets in real time.
//!
//! This crate holds links, their configuration ([`Config`]), recorded traces ([`trace`]), the
//! random streams that they draw from ([`random`]), and a [`relay`] of real packets over routes of
//! links. It never holds a clock, I/O, threads, a transport protocol or a simulator.
//!
//! # Example: a link driven by hand
//!
//! ```
//! use std::sync::Arc;
//!
//! use atl_core::time::{Span, Time};
//! use atl_core::units::Rate;
//! use atl_link::random::Stream;
//! use atl_link::{Config, Exit, Link, Packet};
//!
//! struct Datagram(Vec<u8>);
//!
//! impl Packet for Datagram {
//!     fn wire_bytes(&self) -> u32 {
//!         // With the headers of UDP and IPv4.
//!         28 + self.0.len() as u32
//!     }
//! }
//!
//! // 8 Mb/s, 10 ms, and room for one packet besides the one in transmission.
//! let config = Config::constant(Rate::from_mbps(8.0), Span::from_millis(10), 1);
//! let mut link = Link::new(Arc::new(config), Stream::new(1, "access"));
//!
//! // Three datagrams of 1000 bytes on the wire arrive at once. The third finds the queue full.
//! let now = Time::ZERO;
//! assert!(link.offer(now, Datagram(vec![1; 972])).is_ok());
//! assert!(link.offer(now, Datagram(vec![2; 972])).is_ok());
//! let dropped = link.offer(now, Datagram(vec![3; 972]));
//! assert!(dropped.is_err_and(|datagram| datagram.0[0] == 3));
//!
//! // Each takes 1 ms to transmit, then 10 ms to arrive.
//! let mut arrivals = Vec::new();
//! while link.next_event() < Time::MAX {
//!     let now = link.next_event(); // In real time: sleep until then.
//!     while let Some(exit) = link.poll(now) {
//!         match exit {
//!             Exit::Delivered(datagram) => arrivals.push((now, datagram.0[0])),
//!             _ => unreachable!("no loss, no handoff, and DropTail drops only on entry"),
//!         }
//!     }
//! }
//! assert_eq!(arrivals, [(Time::from_millis(11), 1), (Time::from_millis(12), 2)]);
//! ```
//!
//! The contract between a link and its caller is stated at [`Link`], that between a link and its
//! queue discipline at [`QueueDiscipline`].

mod blackout;
mod blockage;
mod bucket;
mod bursts;
mod channel;
mod config;
pub mod conformance;
mod counters;
mod damage;
mod delay;
mod discipline;
mod disturbance;
mod ecn;
mod entry;
mod exit;
mod grants;
mod jitter;
mod limit;
mod link;
mod loss;
mod packet;
mod plain;
mod queue;
mod queued;
mod ramp;
pub mod random;
mod reconfiguration;
pub mod relay;
mod report;
mod reporting;
mod service;
mod threshold;
pub mod trace;
mod wifi;

pub use blockage::Blockage;
pub use channel::Channel;
pub use config::{
    AtChange, Blackout, Buffer, Change, Conditions, Config, Delay, DisciplineConfig, DropCurve,
    Loss, QueueAverage, QueueConfig, Red, Service, Shaper, Wred,
};
pub use counters::Counters;
pub use damage::Damage;
pub use discipline::{BuildDiscipline, QueueDiscipline};
pub use ecn::{Ecn, EcnRule};
pub use exit::{Cause, ChangeEvent, Exit};
pub use grants::Grants;
pub use jitter::{Jitter, JitterShape, Reorder, WIFI_SPREADS};
pub use limit::Limit;
pub use link::Link;
pub use packet::Packet;
pub use queue::{AckFilter, Cake, CoDel, DropTail, DualPi2, FqCoDel, Pie, Policer};
pub use queued::Queued;
pub use ramp::Ramp;
pub use reconfiguration::Reconfiguration;
pub use reporting::ReportError;
pub use wifi::{Bianchi, Wifi, WifiStandard};

pub use atl_core::path::LinkReport;
