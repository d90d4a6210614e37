//! Scenario files that the reader accepts, run.

use std::num::NonZeroUsize;
use std::path::Path;

use atl_core::time::Span;
use atl_engine::{Cancel, Engine as _, Options, run_plans};
use atl_scenario::scenario::Scenario;
use atl_scenario::{Overrides, no_files, parse};
use atl_sim::Sim;

use crate::swarm::conserves;

/// Bounds of what is run: simulated time, flows, links, data packets, bytes of results.
const LONGEST: Span = Span::from_secs(1);
const FLOWS: usize = 20;
const LINKS: usize = 40;
const PACKETS: f64 = 20_000.0;
const RESULTS: u64 = 4_000_000;

/// The first point of a scenario file with its first seed, for a second at most. What the reader
/// has accepted runs to its end, or is refused with a reason; packets are conserved, nothing is
/// faster than its links, and a second run gives the same.
pub fn accepted(data: &[u8]) {
    let Ok(text) = core::str::from_utf8(data) else { return };
    let Some(scenario) = bounded(text) else { return };
    if !Sim.gaps(&scenario.points[0].setup).is_empty() {
        return;
    }
    let run = || {
        let cancel = Cancel::default();
        let options = Options { jobs: NonZeroUsize::new(1), cancel: &cancel, progress: &|_| {} };
        run_plans(&Sim, &[&scenario], options)
    };
    let results = match run() {
        Ok(results) => results,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let (first, second) = (results[0][0].clone(), run().expect("it ran before"));
    assert_eq!(first, second[0][0], "a second run is another");
    for result in &first {
        if let Err(what) = conserves(&scenario.points[0].setup, result) {
            panic!("{what}");
        }
    }
}

/// The scenario, cut down to one short run; `None` if that is too much, or no scenario.
fn bounded(text: &str) -> Option<Scenario> {
    let read = |overrides: &Overrides| {
        parse("fuzzed", text, Path::new("fuzzed.toml"), &no_files, overrides).ok()
    };
    let mut scenario = read(&Overrides::default())?;
    if scenario.points[0].setup.duration > LONGEST {
        let duration = Some(format!("{}ns", LONGEST.nanos()));
        scenario = read(&Overrides { duration, ..Overrides::default() })?;
    }
    scenario.points.truncate(1);
    scenario.seeds.truncate(1);
    let setup = &scenario.points[0].setup;
    let cost = scenario.cost();
    let small = setup.flows.len() <= FLOWS && setup.links.len() <= LINKS;
    (small && cost.packets <= PACKETS && cost.results <= RESULTS).then_some(scenario)
}
