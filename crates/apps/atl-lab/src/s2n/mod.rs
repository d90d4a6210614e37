//! Controllers behind the trait of s2n-quic.
//!
//! The connection is noq's: it detects losses, measures round trips and sends. Its reports are
//! translated into calls of s2n-quic's trait, packet by packet. Three differences from s2n-quic
//! remain:
//!
//! - Packets leave at the rate that the controller publishes (`on_pacing_rate_updated`), not at its
//!   `earliest_departure_time`.
//! - `requires_fast_retransmission` is not asked for: beyond the window noq sends only its probes.
//! - A spurious loss is not reported: the trait has no call for it.

mod adapter;
mod flight;
mod seeded;

use std::sync::{Arc, Mutex};

use atl_engine::result::RunResult;
use atl_engine::{Stopped, Watch};
use s2n_quic_core::recovery::congestion_controller::Endpoint;

use crate::case::Case;
use crate::library::{Job, Library, Noq};
use crate::suite::Suite;
use adapter::Adapted;

/// A controller behind the trait of s2n-quic. See [the module](self) for the differences.
pub(crate) struct S2n<E>(Arc<Mutex<E>>);

impl<E: Endpoint> S2n<E> {
    /// Runs the controllers that `endpoint` builds.
    pub(crate) fn new(endpoint: E) -> S2n<E> {
        S2n(Arc::new(Mutex::new(endpoint)))
    }

    fn seeded(&self, seed: u64) -> Noq {
        Noq(Arc::new(Adapted::new(Arc::clone(&self.0), seed)))
    }
}

impl<E: Endpoint> Library for S2n<E> {
    fn name(&self) -> &'static str {
        "s2n-quic"
    }

    fn initial_window(&self) -> u64 {
        self.seeded(0).initial_window()
    }

    fn run(&self, job: &Job<'_>, watch: &Watch<'_>) -> Result<RunResult, Stopped> {
        self.seeded(job.seed).run(job, watch)
    }
}

impl Case {
    /// Tests a controller of the library s2n-quic, given by the endpoint that builds it. The
    /// connection is noq's. Several runs go on at the same time, and the endpoint builds the
    /// controllers of all: results are reproducible only if it keeps no state between them.
    pub fn with_s2n(self, endpoint: impl Endpoint) -> Self {
        self.in_library(S2n::new(endpoint))
    }
}

impl Suite {
    /// Tests a controller of the library s2n-quic, given by the endpoint that builds it. The
    /// connection is noq's. Several runs go on at the same time, and the endpoint builds the
    /// controllers of all: results are reproducible only if it keeps no state between them.
    pub fn with_s2n(self, endpoint: impl Endpoint) -> Self {
        self.in_library(S2n::new(endpoint))
    }
}
