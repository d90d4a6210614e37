//! Are the links of the emulator in real time those of the simulator?
//!
//! - [`battery`]: the cases, each declared once: a link in the keys of a scenario file, and a
//!   [`pattern`] of UDP probes.
//! - [`simulated`]: probes over the link in virtual time; a [`pool`] of such runs with many seeds
//!   is the yardstick.
//!
//! The statistics ([`stats`]) take distributions that may depend on time and on each other: how
//! much runs of the simulator with other seeds differ among themselves says how sure a comparison
//! is ([`measure`]). A difference has an interval and a margin ([`margin`]), and these make a
//! verdict ([`judge`]).

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
