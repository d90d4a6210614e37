//! Results come out as they went in, whether kept in memory or in the file.

use std::path::Path;
use std::sync::Arc;

use atl_engine::result::{FlowResult, RunResult, Sample};
use atl_engine::store::{Collector, Results, Room, decode, encode};
use proptest::prelude::*;

/// A result with a value that no other run has, and this many samples.
fn result(run: usize, samples: usize) -> RunResult {
    let sample = |i: usize| Sample {
        time_s: i as f64 + 0.1,
        flow: 0,
        network: 0,
        cwnd: Some(run as f64 / 3.0),
        cwnd_beside: None,
        ssthresh: Some(f64::INFINITY),
        rate_bps: None,
        encoder_bps: None,
        jitter_s: None,
        in_flight: i as u32,
        srtt_s: None,
        throughput_bps: 0.1,
        goodput_bps: 0.2,
        wire_bytes: i as u64,
        delivered_bytes: 0,
        elsewhere_bytes: None,
        losses_per_s: None,
        alpha: None,
        beta: None,
    };
    RunResult {
        flows: vec![FlowResult { sent: run as u64, ..FlowResult::default() }],
        samples: (0..samples).map(sample).collect(),
        events: Some(run as u64),
        ..RunResult::default()
    }
}

fn collector(points: usize, seeds: usize, room: Room, dir: &Path) -> Collector {
    Collector::new(points, seeds, Arc::new(room), dir)
}

proptest! {
    /// Covers any order of arrival, any number in memory, and reading twice and out of order.
    #[test]
    fn results_come_out_as_they_went_in(
        points in 0_usize..8,
        seeds in 1_usize..6,
        kept in 0_usize..50,
        // Nothing, about two runs, or everything.
        bytes in prop::sample::select(vec![0, 4000, usize::MAX]),
        order in any::<prop::sample::Index>(),
        asked in prop::collection::vec(any::<prop::sample::Index>(), 0..10),
    ) {
        let runs = points * seeds;
        let dir = tempfile::tempdir().expect("a directory");
        let collector = collector(points, seeds, Room::new(kept, bytes), dir.path());
        // The indices descend from a random start and wrap round.
        let first = if runs > 0 { order.index(runs) } else { 0 };
        for i in (0..runs).rev() {
            let run = (i + first) % runs;
            collector.put(run, result(run, run % 4)).expect("kept");
        }
        let results = collector.finish().expect("complete");
        prop_assert!(std::fs::read_dir(dir.path()).expect("read").next().is_none(), "no file has a name");
        prop_assert_eq!(results.points(), points);
        prop_assert!(results.in_memory() * seeds <= kept.min(runs));
        let expected: Vec<Vec<RunResult>> = (0..points)
            .map(|point| (0..seeds).map(|seed| point * seeds + seed).map(|run| result(run, run % 4)).collect())
            .collect();
        if points > 0 {
            for point in asked.iter().map(|index| index.index(points)) {
                prop_assert_eq!(&results.point(point)[..], &expected[point][..]);
            }
        }
        prop_assert_eq!(results.to_vec(), expected);
    }

    #[test]
    fn any_bytes_are_a_result_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        if let Ok(run) = decode(&bytes) {
            // `postcard` also accepts numbers in more bytes than needed, so compare after one round
            // trip.
            let again = encode(&run).expect("a result");
            let read = decode(&again[atl_engine::store::LENGTH..]).expect("what was written");
            prop_assert_eq!(encode(&read).expect("a result"), again);
        }
    }
}

#[test]
fn runs_beyond_the_room_are_in_the_file_and_those_before_in_memory() {
    let dir = tempfile::tempdir().expect("a directory");
    let of = |room| {
        let collector = collector(10, 2, room, dir.path());
        for run in 0..20 {
            collector.put(run, result(run, 10)).expect("kept");
        }
        collector.finish().expect("complete").in_memory()
    };
    assert_eq!(of(Room::unlimited()), 10);
    assert_eq!(of(Room::default()), 10);
    // The fourth point has only one run in memory, and so goes to the file.
    assert_eq!(of(Room::new(7, usize::MAX)), 3);
    assert_eq!(of(Room::new(0, usize::MAX)), 0);
    let sampled = 10 * size_of::<Sample>();
    let few = of(Room::new(usize::MAX, 6 * (sampled + 1000)));
    assert!((1..10).contains(&few), "{few}");
}

#[test]
fn threads_put_results_at_once() {
    let dir = tempfile::tempdir().expect("a directory");
    let collector = collector(100, 4, Room::new(50, usize::MAX), dir.path());
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let collector = &collector;
            scope.spawn(move || {
                for run in (thread..400).step_by(4) {
                    collector.put(run, result(run, 1)).expect("kept");
                }
            });
        }
    });
    let results = collector.finish().expect("complete");
    for (point, runs) in results.iter().enumerate() {
        let events: Vec<_> = runs.iter().map(|run| run.events).collect();
        let expected: Vec<_> = (point * 4..point * 4 + 4).map(|run| Some(run as u64)).collect();
        assert_eq!(events, expected);
    }
}

#[test]
fn missing_results_are_counted() {
    let dir = tempfile::tempdir().expect("a directory");
    let collector = collector(2, 2, Room::default(), dir.path());
    collector.put(3, result(3, 0)).expect("kept");
    let error = collector.finish().expect_err("incomplete");
    assert_eq!(error.to_string(), "the results of 3 runs are missing");
}

#[test]
#[should_panic(expected = "the result of run 1 is there already")]
fn a_run_has_one_result() {
    let collector = collector(1, 2, Room::default(), Path::new("."));
    for _ in 0..2 {
        collector.put(1, result(1, 0)).expect("kept");
    }
}

#[test]
fn a_directory_that_is_not_there_is_an_error_and_no_panic() {
    let collector = collector(1, 1, Room::new(0, 0), Path::new("/nowhere/at/all"));
    let error = collector.put(0, result(0, 0)).expect_err("no directory");
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
}

/// In memory as in the file, and whatever the other runs have.
#[test]
fn one_run_is_enough_for_a_measurement_to_be_present() {
    for kept in [0, 1, 4] {
        let dir = tempfile::tempdir().expect("a directory");
        let collector = collector(2, 2, Room::new(kept, usize::MAX), dir.path());
        for run in 0..4 {
            let mut result = result(run, usize::from(run == 2));
            result.flows[0].rtt_p95_s = (run == 3).then_some(0.2);
            collector.put(run, result).expect("kept");
        }
        let present = collector.finish().expect("complete").present();
        assert!(present.samples && present.rtt_p95 && !present.queueing_p95, "{kept} kept");
        assert!(!present.lateness && !present.datagrams && !present.marked && !present.delays);
    }
}

#[test]
fn lists_are_results_in_memory() {
    let results =
        Results::from(vec![vec![result(0, 1), result(1, 0)], vec![result(2, 0), result(3, 0)]]);
    assert_eq!((results.points(), results.in_memory()), (2, 2));
    assert_eq!(results.point(1)[1], result(3, 0));
    assert!(results.any(|run| !run.samples.is_empty()) && !results.any(|run| run.events.is_none()));
    assert_eq!(Results::from(Vec::new()).points(), 0);
}
