//! The simulator as an engine of scenarios.

use atl_core::time::{Span, Time};
use atl_engine::protocol::Transport;
use atl_engine::result::RunResult;
use atl_engine::setup::{FlowSetup, Setup};
use atl_engine::traffic::endless;
use atl_engine::witness::Witness;
use atl_engine::{Clock, Engine, Gap, Stopped, Watch};

use crate::simulation::Simulation;
use crate::telling::tell;

/// Longest simulated time between two looks at whether the run is to stop: some milliseconds of
/// real time even in a large network.
const MAX_STEP: Span = Span::from_millis(100);
/// Parts of a run after which progress is reported at least.
const PARTS: u64 = 100;

/// Most packets of a flow that no link limits: some minutes.
const MOST_UNLIMITED: f64 = 1e9;

/// The simulator: runs every setup that has an end, in virtual time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sim;

impl Engine for Sim {
    fn name(&self) -> &'static str {
        "sim"
    }

    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    fn about(&self) -> &'static str {
        "packet-level simulator, in virtual time: the same scenario and seed give the same bytes"
    }

    fn clock(&self) -> Clock {
        Clock::Virtual
    }

    fn gaps(&self, setup: &Setup) -> Vec<Gap> {
        let quic = |flow: &&FlowSetup| matches!(flow.protocol.transport, Transport::Quic(_));
        let why = "it runs only over QUIC: use the engine `quic-sim` or `quic`";
        let gap = |flow| Gap::flow(flow, "protocol", "a controller of the QUIC library noq", why);
        let quic = setup.flows.iter().filter(quic).map(gap);
        quic.chain(endless(setup, MOST_UNLIMITED)).collect()
    }

    fn run(&self, setup: &Setup, seed: u64, watch: &Watch<'_>) -> Result<RunResult, Stopped> {
        let step = Span::from_nanos((setup.duration.nanos() / PARTS).max(1)).min(MAX_STEP);
        let end = Time::ZERO + setup.duration;
        let mut simulation = Simulation::new(setup, seed);
        while simulation.now() < end {
            let until = (simulation.now() + step).min(end);
            simulation.advance_to(until);
            watch.reached(until.since(Time::ZERO))?;
        }
        Ok(simulation.run())
    }

    fn witnessed(
        &self,
        setup: &Setup,
        seed: u64,
        watch: &Watch<'_>,
        witness: &mut dyn Witness,
    ) -> Option<Result<RunResult, Stopped>> {
        Some(tell(Simulation::watched(setup, seed), watch, witness))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::Mutex;

    use super::*;

    /// A built-in scenario's first point, shortened.
    fn setup() -> Setup {
        let overrides = atl_scenario::Overrides {
            quick: true,
            duration: Some("20s".to_owned()),
            ..atl_scenario::Overrides::default()
        };
        let mut scenario = atl_scenario::open("showcase/roaming", &overrides).expect("built in");
        scenario.points.remove(0).setup
    }

    #[test]
    fn a_watched_run_is_the_same_run() {
        let setup = setup();
        let seen = Mutex::new(Vec::new());
        let note = |time: Span| seen.lock().expect("one thread").push(time);
        let watched = Sim.run(&setup, 7, &Watch::new(&|| false, &note)).expect("no failure");
        assert_eq!(watched, Simulation::new(&setup, 7).run());
        let seen = seen.into_inner().expect("one thread");
        assert!(seen.len() >= 100 && seen.is_sorted());
        assert_eq!(seen.last(), Some(&setup.duration));
    }

    #[test]
    fn a_cancelled_run_ends_at_the_next_look() {
        let setup = setup();
        let last = Mutex::new(Cell::new(Span::ZERO));
        let reached = |time: Span| last.lock().expect("one thread").set(time);
        let stop = || last.lock().expect("one thread").get() >= Span::from_secs(5);
        let result = Sim.run(&setup, 7, &Watch::new(&stop, &reached));
        assert!(matches!(result, Err(Stopped::Cancelled)), "{result:?}");
        let last = last.into_inner().expect("one thread").get();
        assert!(last >= Span::from_secs(5) && last <= Span::from_secs(5) + MAX_STEP, "{last}");
    }
}
