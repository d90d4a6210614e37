//! The reader of scenario files, the simulator and the report for a page in a browser.
//!
//! - [`Session`]: an open scenario, its runs, and their report;
//! - [`Watcher`]: one run packet by packet, forwards and backwards;
//! - [`knobs`]: sliders for the numbers in a file;
//! - [`catalogue`]: the built-in scenarios;
//! - [`exports`]: all of this as functions of a WebAssembly module without imports.
//!
//! The crate opens no files and has no clock. Its results are those of the command line, byte for
//! byte.

pub mod catalogue;
pub mod exports;
pub mod knobs;
mod opened;
mod session;
mod watcher;

pub use opened::{Opened, PointView, Problem, Refused, Request};
pub use session::{Session, Unknown};
pub use watcher::{Counts, Point, Row, View, Watcher};
