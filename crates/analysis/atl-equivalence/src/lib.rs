//! Compares the links of the emulator in real time with those of the simulator.
//!
//! - [`battery`]: the cases, each declared once: a link in the keys of a scenario file, and a
//!   [`pattern`] of UDP probes.
//! - [`simulated`]: probes over the link in virtual time; a [`pool`] of such runs with many seeds
//!   is the yardstick.
//!
//! The statistics ([`stats`]) allow for distributions that depend on time and on each other: the
//! variation among the simulator's runs with other seeds gives the uncertainty of a comparison
//! ([`measure`]). A difference has an interval and a margin ([`margin`]), and these make a verdict
//! ([`judge`]).

pub mod battery;
pub mod capture;
pub mod emulated;
pub mod judge;
pub mod margin;
pub mod measure;
pub mod observation;
pub mod pattern;
pub mod pool;
pub mod report;
pub mod run;
pub mod simulated;
pub mod stats;
mod summary;
pub mod tcp;
pub mod whole;
