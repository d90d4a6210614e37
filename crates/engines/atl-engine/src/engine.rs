//! The trait that engines implement.

use std::fmt::Debug;
use std::num::NonZeroUsize;

use crate::result::{EngineId, RunResult};
use crate::setup::Setup;
use atl_core::time::Span;

use crate::gap::Gap;
use crate::watch::{Stopped, Watch};
use crate::witness::Witness;

/// An engine: takes a [`Setup`] and a seed, gives a [`RunResult`].
///
/// # Contract
///
/// **Deterministic.** [`gaps`](Engine::gaps), [`length`](Engine::length) and
/// [`parallel_runs`](Engine::parallel_runs) depend only on the setup and the machine, and give the
/// same answer at any time. In [virtual time](Clock::Virtual) so does a result: the same version,
/// setup and seed give the same [`RunResult`] on every machine and beside any other runs (unless a
/// protocol of the setup is not [repeatable](crate::protocol::Protocol::is_repeatable)).
/// In [real time](Clock::Real) the seed determines what the engine itself draws (losses on emulated
/// links, start jitter); the effects of the kernel, the scheduler and the network differ from run
/// to run.
///
/// **Gaps first.** [`run`](Engine::run) is only called with setups that have no gap. An engine
/// never leaves out part of a setup without a gap for it; if it could carry out that part
/// approximately, the gap states how large the error would be. An engine that cannot work on this
/// machine at all (no permission, no kernel module) has a gap with the place `this machine`.
///
/// **Results.** Flows, and links if the engine carries out the links itself, are in the setup's
/// order; samples are by time, then by flow. Values that the engine cannot know stay `None`, never
/// zero or an estimate. Measurement begins at the end of the setup's warm-up.
///
/// **Several runs at a time.** `run` is called from several threads, but never for more than
/// [`parallel_runs`](Engine::parallel_runs) runs at a time. Runs must not affect each other: the
/// engine keeps their ports, devices and files apart.
///
/// **Watched.** A run calls [`Watch::reached`] or [`Watch::cancelled`] at least every 50 ms of real
/// time, including time spent waiting in sockets, and returns [`Stopped::Cancelled`] within 100 ms
/// of a cancellation. However a run ends, it leaves no thread, socket or device behind.
///
/// **Failures.** An error during a run (of a socket, a peer) is [`Stopped::Failed`] with a message
/// that says what was tried, what happened, and what to do about it. A panic is a bug of the
/// engine.
///
/// [`conformance::engine`](crate::conformance::engine) tests this.
///
/// # Examples
///
/// A complete engine in virtual time. It sends no packets: it gives each flow the rate of its
/// slowest link, as an upper bound for others.
///
/// ```
/// use atl_core::time::Span;
/// use atl_engine::{Cancel, Clock, Gap, Engine, Options, Stopped, Watch, check, run_plans};
/// use atl_link::{Delay, Service};
/// use atl_engine::result::{FlowResult, RunResult};
/// use atl_engine::setup::{FlowSetup, LinkSetup, Setup, Source};
///
/// #[derive(Debug)]
/// struct Bound;
///
/// impl Engine for Bound {
///     fn name(&self) -> &str {
///         "bound"
///     }
///
///     fn version(&self) -> String {
///         "1.0".to_owned()
///     }
///
///     fn about(&self) -> &str {
///         "upper bounds: the rate of each flow's slowest link"
///     }
///
///     fn clock(&self) -> Clock {
///         Clock::Virtual
///     }
///
///     fn gaps(&self, setup: &Setup) -> Vec<Gap> {
///         let varies = |link: &&LinkSetup| {
///             !matches!(link.config.initial.service, Service::Constant(_))
///         };
///         let links = setup.links.iter().filter(varies).map(|link| {
///             Gap::link(link, "rate", "a rate that varies", "bounds are for constant rates")
///         });
///         let ends = |flow: &&FlowSetup| flow.source != Source::Greedy;
///         let flows = setup.flows.iter().filter(ends).map(|flow| {
///             Gap::flow(flow, "source", "a source that pauses", "bounds are for greedy flows")
///         });
///         links.chain(flows).collect()
///     }
///
///     fn run(&self, setup: &Setup, _: u64, watch: &Watch<'_>) -> Result<RunResult, Stopped> {
///         let rate = |link: &usize| match &setup.links[*link].config.initial.service {
///             Service::Constant(rate) => rate.bps(),
///             _ => f64::INFINITY,
///         };
///         let delay = |link: &usize| match &setup.links[*link].config.initial.delay {
///             Delay::Constant(delay) => delay.secs(),
///             Delay::Trace(_) => 0.0,
///         };
///         let mut flows = Vec::new();
///         for flow in &setup.flows {
///             let slowest = flow.first_path().forward.iter().map(rate).fold(f64::INFINITY, f64::min);
///             let packet = f64::from(flow.tcp.segment + flow.tcp.header);
///             flows.push(FlowResult {
///                 active_s: setup.duration.secs(),
///                 throughput_bps: slowest,
///                 goodput_bps: slowest * f64::from(flow.tcp.segment) / packet,
///                 rtt_min_s: Some(flow.first_path().forward.iter().chain(&flow.first_path().back).map(delay).sum()),
///                 // It sends no packets, so it knows nothing about any: the rest stays `None`.
///                 ..FlowResult::default()
///             });
///             watch.reached(setup.duration.mul_f64(flows.len() as f64 / setup.flows.len() as f64))?;
///         }
///         Ok(RunResult { flows, ..RunResult::default() })
///     }
/// }
///
/// # let text = r#"
/// # title = "A phone"
/// # duration = "10s"
/// # [[link]]
/// # name = "air"
/// # from = "phone"
/// # to = "server"
/// # rate = "2Mb/s"
/// # delay = "20ms"
/// # [[flow]]
/// # name = "up"
/// # from = "phone"
/// # to = "server"
/// # protocol = "tcp-atl"
/// # "#;
/// # let origin = std::path::Path::new("phone.toml");
/// # let scenario = atl_scenario::parse("phone", text, origin, &atl_scenario::no_files, &Default::default())?;
/// atl_engine::conformance::engine(&Bound, &scenario);
/// check(&[&Bound], &[&scenario])?;
/// let options = Options { jobs: None, cancel: &Cancel::default(), progress: &|_| {} };
/// let results = run_plans(&Bound, &[&scenario], options)?;
/// let [scenario_results] = &results[..] else { panic!("one scenario") };
/// assert_eq!(scenario_results[0][0].flows[0].throughput_bps, 2e6);
/// assert_eq!(scenario_results[0][0].flows[0].rtt_min_s, Some(0.04));
/// assert_eq!(scenario_results[0][0].flows[0].loss(), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Engine: Debug + Send + Sync {
    /// Name for `--on` and data files: lower case, without spaces.
    fn name(&self) -> &str;

    /// Version of its crate, and of a kernel or library that it drives if results depend on it.
    fn version(&self) -> String;

    /// Description in one line, for lists and help.
    fn about(&self) -> &str;

    /// The kind of time in which it runs.
    fn clock(&self) -> Clock;

    /// The parts of a setup that it cannot carry out, in the setup's order; empty if it can run it.
    fn gaps(&self, setup: &Setup) -> Vec<Gap>;

    /// Duration of a run of this setup on the engine's clock: simulated time in virtual time, wall
    /// time in real time. Progress bars weigh runs by it. An engine in real time that needs
    /// additional time, to build its network or to let it drain, adds that.
    fn length(&self, setup: &Setup) -> Span {
        setup.duration
    }

    /// Limit on simultaneous runs; `None` for as many as there are threads. For engines whose
    /// accuracy requires a processor of their own.
    fn parallel_runs(&self) -> Option<NonZeroUsize> {
        None
    }

    /// Runs a setup without gaps from beginning to end.
    ///
    /// # Errors
    /// [`Stopped::Cancelled`] if `watch` says so, [`Stopped::Failed`] on errors.
    fn run(&self, setup: &Setup, seed: u64, watch: &Watch<'_>) -> Result<RunResult, Stopped>;

    /// The same with every step of a packet told to a witness: the run and its result are those of
    /// [`run`](Engine::run). `None` from an engine that cannot tell.
    fn witnessed(
        &self,
        setup: &Setup,
        seed: u64,
        watch: &Watch<'_>,
        witness: &mut dyn Witness,
    ) -> Option<Result<RunResult, Stopped>> {
        let _ = (setup, seed, watch, witness);
        None
    }

    /// Name and version together.
    fn id(&self) -> EngineId {
        EngineId { name: self.name().to_owned(), version: self.version() }
    }
}

/// Passage of an engine's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// From event to event, as fast as the processor can handle them. Results are deterministic.
    Virtual,
    /// That of the wall clock: a run takes its full duration, and results differ from run to run.
    Real,
}
