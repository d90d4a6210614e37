//! The simulator against itself, with another seed.

use atl_equivalence::battery::CASES;
use atl_equivalence::measure::Measure;

use crate::{compare, different, pool};

/// Runs of each case that are judged.
const SEEDS: u64 = 12;

#[test]
fn the_simulator_is_equivalent_to_itself() {
    let mut alarms = Vec::new();
    let (mut statements, mut missed) = (0, 0);
    for (number, case) in CASES.iter().enumerate() {
        let lasts = case.lasts(true);
        let pool = pool(case, lasts);
        // Links of one name draw the same with the same seed: other seeds for each case.
        for seed in (0..SEEDS).map(|i| 100 * number as u64 + i) {
            let measures = compare(case, &pool, case, seed, lasts);
            for measure in different(&measures) {
                alarms.push(format!("{} seed {seed}: {measure:?}", case.name));
            }
            // Only measures in which chance plays a part have an interval of some width.
            let width = |measure: &Measure| measure.interval(0.05).map(|i| i.high - i.low);
            for measure in measures.iter().filter(|m| width(m).is_none_or(|width| width > 1e-9)) {
                statements += 1;
                missed += u32::from(match measure.p_value() {
                    Some(p) => p < 0.05,
                    None => measure.interval(0.05).is_some_and(|interval| interval.beyond(0.0)),
                });
            }
        }
    }
    assert!(statements > 500, "{statements}");
    // The bound on distances is wider than need be, so that fewer than one in twenty miss. Twice as
    // many as that would mean that the level does not hold.
    let share = f64::from(missed) / f64::from(statements);
    assert!(share > 0.001 && share < 0.06, "{missed} of {statements} intervals at 95 % miss");
    assert!(alarms.is_empty(), "{}", alarms.join("\n"));
}
