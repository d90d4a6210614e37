//! The protocols of atl's catalogue as controllers under test.

use std::sync::Arc;

use atl_engine::protocol::{Protocol, Transport};
use atl_engine::result::RunResult;
use atl_engine::setup::{ReceiverAwareness, Setup};
use atl_engine::{Stopped, Watch};
use atl_noq::Factory;
use atl_quic::{Crypto, Options, SharedFactory};
use noq_proto::congestion::ControllerFactory;

use crate::library::{Job, Library, window_of};
use crate::monitor::noq::Watched;
use crate::report::Failure;

/// A protocol of atl's catalogue, carried in QUIC by the library noq.
///
/// A controller of the caller's own ([`Case::with`](crate::Case::with)) hears nothing of wireless
/// links. This one hears what its protocol listens to, and is watched by the same rules.
///
/// ```
/// use atl_lab::{Own, suite};
///
/// let told = Own::named("residual")?.told();
/// let report = suite("rfc9743").only("7.4-constrained").in_library(told).run();
/// assert_eq!(report.cases.len(), 1);
/// # Ok::<(), atl_lab::Failure>(())
/// ```
#[derive(Clone, Debug)]
pub struct Own {
    protocol: Protocol,
    told: bool,
}

impl Own {
    /// The protocol of this name, with its default parameters, whose links report nothing.
    ///
    /// # Errors
    /// If there is no such protocol, or if it paces and so has no window.
    pub fn named(name: &str) -> Result<Own, Failure> {
        let protocol = atl_scenario::protocol::named(name).ok_or_else(|| {
            Failure::Wrong(format!("there is no protocol `{name}`; `atl list` shows all"))
        })?;
        if protocol.paces() {
            let problem = format!("`{name}` paces: QUIC has a window, so choose a window protocol");
            return Err(Failure::Wrong(problem));
        }
        Ok(Own { protocol, told: false })
    }

    /// The same, where the MAC of each sender's own link reports its losses and delays as they are.
    #[must_use]
    pub fn told(self) -> Own {
        Own { told: true, ..self }
    }

    /// True if it uses reports of wireless links.
    pub fn listens(&self) -> bool {
        self.protocol.listens()
    }

    /// The setup with the protocol on the tested flows, and links that report or do not.
    fn on(&self, setup: &Setup, tested: &[usize]) -> Setup {
        let mut setup = setup.clone();
        if !self.told {
            for link in &mut setup.links {
                link.wireless = false;
            }
        }
        for &flow in tested {
            let flow = &mut setup.flows[flow];
            let new_path = flow.protocol.new_path;
            flow.protocol = Protocol { new_path, ..self.protocol.clone() };
            if !self.told {
                flow.receiver = ReceiverAwareness::Unaware;
            } else if let Some(&access) = flow.first_path().forward.first() {
                setup.links[access].wireless = true;
            }
        }
        setup
    }
}

impl Library for Own {
    fn name(&self) -> &'static str {
        "noq"
    }

    fn initial_window(&self) -> u64 {
        window_of(match &self.protocol.transport {
            Transport::Tcp(tcp) => Arc::new(Factory::new(tcp.controller.clone())) as SharedFactory,
            Transport::Quic(controller) => atl_quic::library(*controller, None),
            Transport::Paced(_) => return 0,
        })
    }

    fn run(&self, job: &Job<'_>, watch: &Watch<'_>) -> Result<RunResult, Stopped> {
        let around = |flow: usize, factory: SharedFactory| {
            if !job.tested.contains(&flow) {
                return factory;
            }
            let watched = Watched::new(factory, job.observed.clone(), job.trial);
            Arc::new(watched) as Arc<dyn ControllerFactory + Send + Sync>
        };
        let options = Options::default().crypto(Crypto::Null).around(&around).qlog(job.logs);
        atl_quic::run(&self.on(job.setup, job.tested), job.seed, &options, watch)
    }
}
