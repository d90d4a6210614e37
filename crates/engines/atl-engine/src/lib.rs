//! The interface of engines, and code that all of them share.
//!
//! An *engine* carries out runs: a simulator in virtual time, or real sockets in real time. A
//! [`Setup`](setup::Setup) goes in, [`RunResult`](result::RunResult)s come out; where the setup
//! came from (a TOML file, Python, a test) is the caller's affair.
//!
//! - [`setup`], [`protocol`], [`adaptation`], [`route`]: one concrete experiment, with no variable
//!   left open and every file read;
//! - [`result`]: the schema of results, and [`store`], which holds those of a sweep in memory or in
//!   a file;
//! - [`Engine`], the trait, with its contract and a complete example;
//! - [`Gap`], a part of a setup that an engine cannot carry out, and [`check`], which finds all
//!   gaps before anything runs;
//! - [`traffic`]: how many packets a flow can send, before it is run;
//! - [`Watch`] and [`Cancel`], by which a run reports progress and learns that it must stop;
//! - [`run_each`], [`run_plans`], [`run_some`]: every point of a [`Plan`] with every seed, in
//!   parallel;
//! - [`Engines`], those that a program offers, chosen by name, and [`Registry`], by which a program
//!   lengthens this list and others;
//! - [`conformance`]: the contract as a test that anybody's engine can be put through;
//! - [`flow`]: a flow as every engine builds, hears and measures it.

pub mod adaptation;
pub mod conformance;
mod engine;
mod engines;
mod failure;
pub mod flow;
mod gap;
mod options;
mod plan;
mod pool;
mod preflight;
pub mod protocol;
mod registry;
pub mod result;
pub mod route;
mod runner;
pub mod setup;
pub mod store;
pub mod traffic;
mod watch;
pub mod witness;

pub use engine::{Clock, Engine};
pub use engines::{BadChoice, Engines};
pub use failure::{FailedRun, RunnerError};
pub use gap::Gap;
pub use options::{Keep, Options, Progress, RunIndex};
pub use plan::Plan;
pub use preflight::{GapReport, Gaps, check};
pub use registry::{RegisterError, Registry};
pub use runner::{run_each, run_plans, run_some};
pub use watch::{Cancel, Stopped, Watch};
