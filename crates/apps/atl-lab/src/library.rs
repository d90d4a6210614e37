//! The interface to QUIC libraries that run the controller under test.

use std::fmt;
use std::io;
use std::sync::Arc;

use atl_engine::result::RunResult;
use atl_engine::setup::Setup;
use atl_engine::{Stopped, Watch};
use atl_quic::{Crypto, Options, SharedFactory};
use noq_proto::congestion::ControllerFactory;

use crate::monitor::noq::Watched;
use crate::monitor::{Observed, Trial};

/// Gives the writer of a flow's qlog, by the flow's index; `None` for no log.
pub type Logs<'a> = &'a (dyn Fn(usize) -> Option<Box<dyn io::Write + Send + Sync>> + Sync);

/// One run, with all that a library needs to carry it out.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Job<'a> {
    /// The network and its flows.
    pub setup: &'a Setup,
    /// Seed of all random draws.
    pub seed: u64,
    /// The flows whose sender has the controller under test, by index.
    pub tested: &'a [usize],
    /// Collects the findings about their controllers.
    pub observed: &'a Observed,
    /// The event that is reported to them in the middle of the run, if any.
    pub trial: Option<Trial>,
    /// Writers of their qlogs.
    pub logs: Logs<'a>,
}

impl<'a> Job<'a> {
    pub(crate) fn new(
        setup: &'a Setup,
        seed: u64,
        tested: &'a [usize],
        observed: &'a Observed,
        logs: Logs<'a>,
    ) -> Job<'a> {
        Job { setup, seed, tested, observed, trial: None, logs }
    }

    /// The same run with this trial.
    pub(crate) fn tried(self, trial: Option<Trial>) -> Job<'a> {
        Job { trial, ..self }
    }
}

impl fmt::Debug for Job<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job")
            .field("seed", &self.seed)
            .field("tested", &self.tested)
            .finish_non_exhaustive()
    }
}

/// A QUIC library with the controller under test in it.
pub trait Library: Send + Sync {
    /// The library's name, for reports.
    fn name(&self) -> &'static str;

    /// The window in bytes of a controller that is built now.
    fn initial_window(&self) -> u64;

    /// Carries out a run. The same job gives the same result.
    ///
    /// # Errors
    /// If it cannot be carried out, or `watch` cancels it.
    fn run(&self, job: &Job<'_>, watch: &Watch<'_>) -> Result<RunResult, Stopped>;
}

/// The library noq, which needs no adapter.
pub(crate) struct Noq(pub(crate) SharedFactory);

/// Size in bytes of the datagrams for which a controller outside a run is built.
const DATAGRAM: u16 = 1200;

/// The window in bytes of a controller that is built now.
pub(crate) fn window_of(factory: SharedFactory) -> u64 {
    factory.build(instant(), DATAGRAM).window()
}

/// Any moment, for a controller outside a run.
#[expect(
    clippy::disallowed_methods,
    reason = "the library wants an `Instant`, and there is no other way to have one; nothing depends on which it is"
)]
fn instant() -> std::time::Instant {
    std::time::Instant::now()
}

impl Library for Noq {
    fn name(&self) -> &'static str {
        "noq"
    }

    fn initial_window(&self) -> u64 {
        window_of(Arc::clone(&self.0))
    }

    fn run(&self, job: &Job<'_>, watch: &Watch<'_>) -> Result<RunResult, Stopped> {
        let watched = || {
            let own = Watched::new(Arc::clone(&self.0), job.observed.clone(), job.trial);
            Arc::new(own) as Arc<dyn ControllerFactory + Send + Sync>
        };
        let controllers = |flow: usize| job.tested.contains(&flow).then(watched);
        let options =
            Options::default().crypto(Crypto::Null).controllers(&controllers).qlog(job.logs);
        atl_quic::run(job.setup, job.seed, &options, watch)
    }
}
