//! The kernel's TCP as an engine of scenarios.

use std::fs;
use std::num::NonZeroUsize;

use atl_engine::result::RunResult;
use atl_engine::setup::Setup;
use atl_engine::{Clock, Engine, Gap, Stopped, Watch};

use super::gaps::gaps;
use super::run::run;

/// The kernel's own TCP in real time, in network namespaces, over the emulated links of the
/// scenario.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kernel;

impl Engine for Kernel {
    fn name(&self) -> &'static str {
        "kernel"
    }

    /// The kernel's release is part of it: its TCP changes from one to the next.
    fn version(&self) -> String {
        let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        let version = env!("CARGO_PKG_VERSION");
        match release.trim() {
            "" => version.to_owned(),
            release => format!("{version} (Linux {release})"),
        }
    }

    fn about(&self) -> &'static str {
        "TCP flows over this kernel's own TCP in real time, between network namespaces, and other laws over QUIC beside them, with the scenario's links emulated"
    }

    fn clock(&self) -> Clock {
        Clock::Real
    }

    fn gaps(&self, setup: &Setup) -> Vec<Gap> {
        gaps(setup)
    }

    /// One: a second run would take the processor from the first when a packet is due.
    fn parallel_runs(&self) -> Option<NonZeroUsize> {
        Some(NonZeroUsize::MIN)
    }

    fn run(&self, setup: &Setup, seed: u64, watch: &Watch<'_>) -> Result<RunResult, Stopped> {
        run(setup, seed, watch)
    }
}
