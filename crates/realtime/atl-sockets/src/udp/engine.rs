//! UDP sockets as an engine of scenarios.

use std::num::NonZeroUsize;

use atl_engine::result::RunResult;
use atl_engine::setup::Setup;
use atl_engine::{Clock, Engine, Gap, Stopped, Watch};

use crate::udp::gaps::gaps;
use crate::udp::run::run;

/// Real sockets in real time, over the emulated links of the scenario.
#[derive(Clone, Copy, Debug, Default)]
pub struct Udp;

impl Engine for Udp {
    fn name(&self) -> &'static str {
        "udp"
    }

    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    fn about(&self) -> &'static str {
        "paced flows over UDP sockets in real time, with the scenario's links emulated on this machine"
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
        run(setup, seed, watch, &mut |_| {})
    }
}
