//! Checks that a controller keeps the contract of its joint: for the tests of whoever writes one.
//!
//! ```
//! use atl_core::conformance;
//! use atl_core::rate::rap;
//! use atl_core::window::reno;
//!
//! conformance::window(reno::Config::default());
//! conformance::rate(rap::Config::default());
//! ```
//!
//! A check panics with the controller, and what was done to it last. It draws what it does from
//! fixed seeds, so that a failure comes again. This crate holds its own controllers to the same
//! checks.

mod draws;
mod path;
mod rate;
mod window;

pub use rate::{RateHarness, RateOperation, rate, rate_safety};
pub use window::{WindowHarness, WindowOperation, window, window_safety};
