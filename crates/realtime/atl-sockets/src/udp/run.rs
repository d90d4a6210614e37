//! A run: its threads from start to end.

mod build;
mod result;
#[cfg(test)]
mod tests;

use crate::live::Plug;
use atl_engine::result::RunResult;
use atl_engine::setup::Setup;
use atl_engine::{Stopped, Watch};

use build::{Cast, build};
use result::assemble;

/// Runs a setup without gaps. `tap` sees the sockets at the flows' ends before anything runs.
///
/// # Errors
/// If it is cancelled, or if sockets or threads cannot be had.
pub(crate) fn run(
    setup: &Setup,
    seed: u64,
    watch: &Watch<'_>,
    tap: &mut dyn FnMut(&Plug),
) -> Result<RunResult, Stopped> {
    let sockets = |error| Stopped::failed(format!("cannot open sockets on loopback: {error}"));
    let Cast { nodes, emulation, plan } = build(setup, seed, tap).map_err(sockets)?;
    let outcome = emulation.run(nodes, watch, |node, clock, ending| {
        let broke = |error| Stopped::failed(format!("a socket on loopback broke: {error}"));
        node.run(clock, ending).map_err(broke)
    })?;
    Ok(assemble(&plan, outcome))
}
