//! A library's controller as an engine, for sweeps and searches.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use atl_engine::result::RunResult;
use atl_engine::setup::Setup;
use atl_engine::{Clock, Engine, Gap, Stopped, Watch};
use atl_quic::{Crypto, QuicSim};

use crate::library::{Job, Library};
use crate::monitor::Observed;
use crate::running::{STAND_IN, said};

/// An engine in which flows of the protocol [`Hosted::STAND_IN`] have the controller of a library.
/// All else, flows of other protocols included, is as in `quic-sim`.
///
/// ```
/// use atl_engine::{Engine as _, Watch};
/// use atl_lab::{Hosted, Own};
///
/// let engine = Hosted::new("residual", Own::named("residual")?);
/// assert!(engine.about().contains("noq-newreno"));
/// # Ok::<(), atl_lab::Failure>(())
/// ```
pub struct Hosted {
    name: String,
    about: String,
    library: Arc<dyn Library>,
}

impl fmt::Debug for Hosted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hosted").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Hosted {
    /// The protocol whose flows have the controller.
    pub const STAND_IN: &'static str = STAND_IN;

    /// An engine of this name with the controller of this library.
    pub fn new(name: &str, library: impl Library + 'static) -> Hosted {
        let of = library.name();
        let about = format!("quic-sim with the controller {name} of {of} in place of {STAND_IN}");
        Hosted { name: name.to_owned(), about, library: Arc::new(library) }
    }

    /// A controller of the library quinn, given by the configuration that builds it.
    ///
    /// # Errors
    /// If TLS cannot be set up for quinn's own estimator of the round-trip time.
    #[cfg(feature = "quinn")]
    pub fn quinn(
        name: &str,
        factory: impl quinn_proto::congestion::ControllerFactory + Send + Sync + 'static,
    ) -> Result<Hosted, crate::Failure> {
        crate::quinn::Quinn::new(Arc::new(factory))
            .map(|library| Hosted::new(name, library))
            .map_err(|error| crate::Failure::Stopped(error.to_string()))
    }

    /// A controller of the library s2n-quic, given by the endpoint that builds it.
    #[cfg(feature = "s2n")]
    pub fn s2n(
        name: &str,
        endpoint: impl s2n_quic_core::recovery::congestion_controller::Endpoint,
    ) -> Hosted {
        Hosted::new(name, crate::s2n::S2n::new(endpoint))
    }
}

impl Engine for Hosted {
    fn name(&self) -> &str {
        &self.name
    }

    fn version(&self) -> String {
        QuicSim::new(Crypto::Null).version()
    }

    fn about(&self) -> &str {
        &self.about
    }

    fn clock(&self) -> Clock {
        Clock::Virtual
    }

    fn gaps(&self, setup: &Setup) -> Vec<Gap> {
        QuicSim::new(Crypto::Null).gaps(setup)
    }

    /// A panic of the library ends the run with its message.
    fn run(&self, setup: &Setup, seed: u64, watch: &Watch<'_>) -> Result<RunResult, Stopped> {
        let all = setup.flows.iter().enumerate();
        let tested: Vec<usize> =
            all.filter(|(_, flow)| flow.protocol.name == STAND_IN).map(|(at, _)| at).collect();
        let observed = Observed::default();
        let job = Job::new(setup, seed, &tested, &observed, &|_| None);
        let ended = catch_unwind(AssertUnwindSafe(|| self.library.run(&job, watch)));
        ended.unwrap_or_else(|panic| {
            let words = said(&*panic).unwrap_or("without a word");
            Err(Stopped::failed(format!("{} panicked: {words}", self.name)))
        })
    }
}
