//! The battery in virtual time: the defects that it finds, and its false alarms.

mod captured;
mod defects;
mod false_alarms;

use atl_core::time::Span;
use atl_equivalence::battery::Case;
use atl_equivalence::judge::{Verdict, judge};
use atl_equivalence::margin::LEVEL;
use atl_equivalence::measure::{Measure, measures};
use atl_equivalence::pool::Pool;
use atl_equivalence::simulated;

/// Runs of the simulator for a case's yardstick.
pub const RUNS: u64 = 30;
/// The share of the level for each of the battery's statements, which are about 160.
pub const ALPHA: f64 = LEVEL / 160.0;

/// A case's yardstick: [`RUNS`] runs of the simulator.
pub fn pool(case: &Case, lasts: Span) -> Pool {
    let link = case.link().expect("a link");
    Pool::new(case, &link, 100_000..100_000 + RUNS, lasts, &|| true).expect("not cancelled")
}

/// Measures of `actual`, which may be another link than the one that is expected.
pub fn compare(case: &Case, pool: &Pool, actual: &Case, seed: u64, lasts: Span) -> Vec<Measure> {
    let observed = simulated::run(actual, &actual.link().expect("a link"), seed, lasts);
    measures(&case.link().expect("a link").config, pool, &observed, None)
}

/// The measures whose verdict is that they differ.
pub fn different(measures: &[Measure]) -> Vec<&Measure> {
    measures.iter().filter(|measure| judge(measure, ALPHA) == Verdict::Different).collect()
}
