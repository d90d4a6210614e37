//! Controllers behind the trait of the library quinn.
//!
//! The connection is noq's, a fork of quinn with nearly the same trait. A controller of quinn needs
//! quinn's own estimator of the round-trip time, which only quinn can build. A second connection,
//! of quinn's, holds it and gets the samples of the first.

mod adapter;
mod estimator;

use std::sync::Arc;

use atl_engine::result::RunResult;
use atl_engine::{Stopped, Watch};
use quinn_proto::congestion::ControllerFactory;

use crate::library::{Job, Library, Noq};
pub(crate) use estimator::SetupError;

/// A controller behind the trait of quinn 0.11.
pub(crate) struct Quinn(Noq);

impl Quinn {
    /// Runs the controllers of this factory.
    pub(crate) fn new(
        factory: Arc<dyn ControllerFactory + Send + Sync>,
    ) -> Result<Quinn, SetupError> {
        let ends = Arc::new(estimator::Ends::new()?);
        Ok(Quinn(Noq(Arc::new(adapter::Adapted { factory, ends }))))
    }
}

impl Library for Quinn {
    fn name(&self) -> &'static str {
        "quinn"
    }

    fn initial_window(&self) -> u64 {
        self.0.initial_window()
    }

    fn run(&self, job: &Job<'_>, watch: &Watch<'_>) -> Result<RunResult, Stopped> {
        self.0.run(job, watch)
    }
}
