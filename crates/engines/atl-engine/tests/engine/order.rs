//! Results are in the order of scenario, point and seed.

use std::sync::Barrier;
use std::sync::atomic::Ordering;

use crate::scripted::{Scripted, marked};
use crate::{run, scenario};

#[test]
fn results_are_in_order_at_any_number_of_threads() {
    let (a, b) = (scenario("a"), scenario("b"));
    let expected: Vec<Vec<u64>> =
        [1_000, 10_000, 100_000].map(|p| vec![p + 3, p + 5, p + 7]).to_vec();
    for jobs in [1, 2, 5, 32] {
        // Earlier runs take longer than later ones.
        let engine = Scripted::new(|p_w, seed, _| {
            let rounds = (1e3 / p_w) as u64 / seed;
            let spun = (0..rounds).fold(seed, |x, i| std::hint::black_box(x ^ i));
            std::hint::black_box(spun);
            Ok(marked(p_w, seed))
        });
        let results = run(&engine, &[&a, &b], jobs).expect("nothing fails");
        assert_eq!(results.len(), 2);
        for of_scenario in &results {
            let events = |point: &Vec<_>| -> Vec<u64> {
                point
                    .iter()
                    .map(|r: &atl_engine::result::RunResult| r.events.expect("marked"))
                    .collect()
            };
            let events: Vec<Vec<u64>> = of_scenario.iter().map(events).collect();
            assert_eq!(events, expected, "{jobs} jobs");
        }
        assert!(engine.most.load(Ordering::SeqCst) <= jobs);
    }
}

#[test]
fn runs_go_on_at_the_same_time_as_far_as_the_engine_can() {
    let scenario = scenario("a");
    // Three runs meet before any of them ends, so they are under way together.
    let barrier = Barrier::new(3);
    let engine = Scripted::new(|p_w, seed, _| {
        barrier.wait();
        Ok(marked(p_w, seed))
    })
    .parallel(3);
    run(&engine, &[&scenario], 8).expect("nothing fails");
    assert_eq!(engine.most.load(Ordering::SeqCst), 3);

    let engine = Scripted::new(|p_w, seed, _| Ok(marked(p_w, seed))).parallel(1);
    run(&engine, &[&scenario], 8).expect("nothing fails");
    assert_eq!(engine.most.load(Ordering::SeqCst), 1);
}

#[test]
fn without_scenarios_there_are_no_results() {
    let engine = Scripted::new(|_, _, _| panic!("nothing is to run"));
    assert!(run(&engine, &[], 4).expect("nothing fails").is_empty());
}
