#![doc = include_str!("../README.md")]

mod case;
mod expectation;
mod file;
mod hosted;
mod judging;
mod library;
mod logs;
pub mod monitor;
mod own;
mod place;
#[cfg(feature = "quinn")]
mod quinn;
mod report;
mod running;
#[cfg(feature = "s2n")]
mod s2n;
mod suite;

pub use case::{Case, scenario, scenario_text};
pub use expectation::{Expectation, metric};
pub use hosted::Hosted;
pub use library::{Job, Library, Logs};
pub use own::Own;
pub use report::{Broken, Failure, Measured, Report};
pub use suite::{Suite, SuiteReport, suite};
