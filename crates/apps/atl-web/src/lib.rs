//! The reader of scenario files, the simulator and the report for a page in a browser.
//!
//! - [`Session`]: a scenario that is open, its runs, and what the report makes of them;
//! - [`Watcher`]: one run, packet by packet, forwards and back;
//! - [`knobs`]: the numbers of a file that a slider can move;
//! - [`catalogue`]: the built-in scenarios;
//! - [`exports`]: all of this as functions of a WebAssembly module that imports nothing.
//!
//! The crate opens no files and has no clock. What it computes is what the command line computes, byte for byte.

pub mod catalogue;
pub mod exports;
pub mod knobs;
mod opened;
mod session;
mod watcher;

pub use opened::{Opened, PointView, Problem, Refused, Request};
pub use session::{Session, Unknown};
pub use watcher::{Counts, Point, Row, View, Watcher};
