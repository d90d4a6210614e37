//! QUIC in virtual time as an engine of scenarios.

use std::sync::{Mutex, PoisonError};

use atl_engine::result::RunResult;
use atl_engine::setup::Setup;
use atl_engine::traffic::endless;
use atl_engine::witness::{Seen, Witness};
use atl_engine::{Clock, Engine, Gap, Stopped, Watch};

use crate::connection::LIBRARY;
use crate::crypto::Crypto;
use crate::gaps::gaps;
use crate::options::Options;
use crate::run::run;

/// Most packets of a flow that no link limits: some 20 minutes.
const MOST_UNLIMITED: f64 = 1e8;

/// The state machines of a QUIC library in virtual time, over the links of the scenario.
///
/// Its two forms are two engines, so that a run's data name what carried it out, and one run can
/// compare the two.
#[derive(Clone, Copy, Debug, Default)]
pub struct QuicSim {
    crypto: Crypto,
}

impl QuicSim {
    /// With packets that this protects.
    pub const fn new(crypto: Crypto) -> Self {
        QuicSim { crypto }
    }
}

impl Engine for QuicSim {
    fn name(&self) -> &'static str {
        match self.crypto {
            Crypto::Null => "quic-sim",
            Crypto::Tls => "quic-sim-tls",
        }
    }

    fn version(&self) -> String {
        format!("{} ({LIBRARY})", env!("CARGO_PKG_VERSION"))
    }

    fn about(&self) -> &'static str {
        match self.crypto {
            Crypto::Null => {
                "real QUIC packets in virtual time, without secrets; losses are repaired as RFC 9002 says"
            }
            Crypto::Tls => "the same under TLS: slower, with the same results",
        }
    }

    fn clock(&self) -> Clock {
        Clock::Virtual
    }

    fn gaps(&self, setup: &Setup) -> Vec<Gap> {
        [gaps(setup), endless(setup, MOST_UNLIMITED)].concat()
    }

    fn run(&self, setup: &Setup, seed: u64, watch: &Watch<'_>) -> Result<RunResult, Stopped> {
        run(setup, seed, &Options::default().crypto(self.crypto), watch)
    }

    fn witnessed(
        &self,
        setup: &Setup,
        seed: u64,
        watch: &Watch<'_>,
        witness: &mut dyn Witness,
    ) -> Option<Result<RunResult, Stopped>> {
        let witness = Mutex::new(witness);
        let ask = || witness.lock().unwrap_or_else(PoisonError::into_inner);
        let packets = |seen: &Seen<'_>| ask().packet(seen);
        let options = Options::default().crypto(self.crypto).packets(&packets);
        #[cfg(feature = "qlog")]
        let qlog = |flow: usize| ask().log(flow);
        #[cfg(feature = "qlog")]
        let options = options.qlog(&qlog);
        Some(run(setup, seed, &options, watch))
    }
}
