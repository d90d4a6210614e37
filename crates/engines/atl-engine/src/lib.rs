//! Where hosts meet scenarios.
//!
//! A *host* carries out runs: a simulator in virtual time, or real sockets in real time. This crate holds what all of them
//! share and none of them owns:
//!
//! - [`Host`], the trait that a host implements, with its contract and a complete example;
//! - [`Gap`], what a host cannot do of a setup, and [`check`], which finds all gaps before anything runs;
//! - [`Watch`] and [`Cancel`], how a run reports progress and learns that it is to stop;
//! - [`run_each`], which carries out every point of a sweep with every seed, in parallel, and hands on each result; [`run_scenarios`], which
//!   holds all of them; [`run_some`], which carries out a part;
//! - [`Hosts`], the hosts that a program offers, chosen by name.
//!
//! It holds no endpoints, no links, no clock and no sockets: those are the hosts' own. It knows neither TOML nor reports: a
//! [`Setup`](atl_scenario::setup::Setup) goes in, [`RunResult`](atl_scenario::result::RunResult)s come out.

mod failure;
mod gap;
mod host;
mod hosts;
mod options;
mod pool;
mod preflight;
mod runner;
mod watch;

pub use failure::{FailedRun, RunnerError};
pub use gap::Gap;
pub use host::{Clock, Host};
pub use hosts::{BadChoice, Hosts};
pub use options::{Keep, Options, Progress, RunIndex};
pub use preflight::{GapReport, Gaps, check};
pub use runner::{run_each, run_scenarios, run_some};
pub use watch::{Cancel, Stopped, Watch};
