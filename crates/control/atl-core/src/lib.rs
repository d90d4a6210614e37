//! Congestion control for devices that roam between wireless networks, without I/O.
//!
//! A controller receives events (sent, acknowledged, lost, link reports, handoffs) and answers how
//! much may be sent: a window ([`window`]) or a rate ([`rate`]). The caller passes in the time and
//! every packet; a controller never sends.
//!
//! # Example: TCP-ATL in a transport with packet numbers
//!
//! A [`Ledger`](window::ledger::Ledger) stands between a transport's packet numbers and the
//! controller. It keeps the packets in flight, measures the RTT and finds losses.
//!
//! ```
//! use atl_core::path::LinkReport;
//! use atl_core::time::{Span, Time};
//! use atl_core::units::Probability;
//! use atl_core::window::atl::robust::{self, TcpAtlRobust};
//! use atl_core::window::ledger::{Ledger, LedgerConfig, NumberSpace, SentPacket};
//! use atl_core::window::{Start, WindowController};
//!
//! let start = Start::default().packet_bytes(1200);
//! // This sender sends whole windows. One with a timer would let the controller pace.
//! let unpaced = robust::Config { pace: None, ..robust::Config::default() };
//! let controller = TcpAtlRobust::new(&unpaced, &start);
//! let mut ledger = Ledger::new(controller, LedgerConfig::default().packet_bytes(1200));
//!
//! // The sender's own wireless link loses 1 % and adds 50 ms each way (p_w and d_w).
//! let report = LinkReport { loss: Probability::clamped(0.01), delay: Span::from_millis(50) };
//! ledger.controller_mut().on_link_report(Time::ZERO, &report);
//!
//! // Five round trips of 120 ms. In each the radio loses the third packet, and the MAC says so.
//! let (mut now, mut number) = (Time::ZERO, 0);
//! for _ in 0..5 {
//!     let first = number;
//!     while ledger.may_send(now, 1200) {
//!         ledger.on_sent(&SentPacket::new(now, number, 1200));
//!         number += 1;
//!     }
//!     ledger.on_link_failure(first + 2);
//!     now += Span::from_millis(120);
//!     let arrived = [first..=first + 1, first + 3..=number - 1];
//!     ledger.on_ack_ranges(now, NumberSpace::Data, arrived, Span::ZERO);
//!     // A transport would send their data again.
//!     assert_eq!(ledger.detect_losses(now).len(), 1);
//! }
//! // These losses were not congestion: the window went on growing from its 10 packets.
//! // Reno's would have shrunk.
//! assert!(ledger.controller().window() > 200.0);
//! ```
//!
//! `examples/own_stack.rs` is a whole transport built this way. The crate `atl-quinn` puts the
//! controllers into quinn.
//!
//! # A controller of your own
//!
//! [`WindowController`](window::WindowController) is the joint between transports and laws, and
//! states its contract. Four methods are a law; the others, from ECN marks to pacing, have
//! defaults. [`conformance`] checks yours against the contract.
//!
//! ```
//! use atl_core::conformance;
//! use atl_core::window::{Ack, BuildController, Loss, Start, Timeout, WindowController};
//!
//! /// A packet more each round trip, half after a loss.
//! #[derive(Clone, Debug)]
//! struct Mine(f64);
//!
//! impl WindowController for Mine {
//!     fn on_ack(&mut self, ack: &Ack) {
//!         if ack.window_limited && !ack.in_recovery {
//!             self.0 += f64::from(ack.delivered) / self.0;
//!         }
//!     }
//!     fn on_loss(&mut self, loss: &Loss) {
//!         if loss.new_episode {
//!             self.0 = (self.0 / 2.0).max(1.0);
//!         }
//!     }
//!     fn on_timeout(&mut self, _: &Timeout) {
//!         self.0 = 1.0;
//!     }
//!     fn window(&self) -> f64 {
//!         self.0
//!     }
//! }
//!
//! /// Its parameters: there are none.
//! #[derive(Debug, PartialEq)]
//! struct Config;
//!
//! impl BuildController for Config {
//!     fn build(&self, start: &Start) -> Box<dyn WindowController> {
//!         Box::new(Mine(1.0_f64.max(start.initial_window).min(1e6)))
//!     }
//! }
//!
//! conformance::window(Config);
//! ```
//!
//! `examples/outsiders/hybla` in the repository takes one from its paper to the command line, in a
//! crate outside of the suite. Media are paced by a [`RateController`](rate::RateController),
//! checked by [`conformance::rate`].
//!
//! # What it holds
//!
//! - [`window`]: window controllers, their receiver halves and the ledger;
//! - [`rate`]: rate controllers for media, the receivers that report to them, and their ledger;
//! - [`model`]: the equations of the papers;
//! - [`path`]: knowledge of a path, and its split into a wireless and a congestion part;
//! - [`conformance`]: what every controller has to keep, as tests to call;
//! - [`measure`]: estimators of RTT, loss and bandwidth;
//! - [`probe`]: low-priority probe packets and their acknowledgments;
//! - [`roaming`]: what a sender does with a path that is new to it;
//! - [`time`] and [`units`]: time, rates and probabilities with the unit in the type.
//!
//! It never holds a clock, I/O, threads, global randomness or `unsafe`. Time comes in as a
//! [`time::Time`], and a controller that draws at random draws from the seed that its caller gives
//! it. All controllers are `Send + Sync + Clone`, and no input makes one panic or leave its
//! documented bounds.

pub mod conformance;
pub mod measure;
pub mod memory;
pub mod model;
pub mod path;
pub mod probe;
pub mod rate;
pub mod roaming;
mod setters;
pub mod time;
pub mod units;
pub mod window;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
