//! QUIC over sockets as an engine of scenarios.

use std::num::NonZeroUsize;

use atl_engine::result::RunResult;
use atl_engine::setup::Setup;
use atl_engine::{Clock, Engine, Gap, Stopped, Watch};
use atl_quic::connection::LIBRARY;

use crate::quic::gaps::gaps;
use crate::quic::run::run;

/// Endpoints of a QUIC library in real time, over the emulated links of the scenario.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quic;

impl Engine for Quic {
    fn name(&self) -> &'static str {
        "quic"
    }

    fn version(&self) -> String {
        format!("{} ({LIBRARY})", env!("CARGO_PKG_VERSION"))
    }

    fn about(&self) -> &'static str {
        "QUIC over UDP sockets in real time, with TLS, and the scenario's links emulated on this machine"
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
