//! Runs that fail, and engines that panic.

use std::error::Error as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use atl_core::time::Span;
use atl_engine::result::RunResult;
use atl_engine::{RunnerError, Stopped, Watch};

use crate::scripted::{Scripted, marked};
use crate::{run, scenario};

/// Runs until it is cancelled.
fn until_cancelled(watch: &Watch<'_>) -> Result<RunResult, Stopped> {
    loop {
        watch.reached(Span::ZERO)?;
        std::thread::yield_now();
    }
}

#[test]
fn a_failed_run_is_reported_with_its_point_and_seed() {
    let (a, b) = (scenario("a"), scenario("b"));
    for jobs in [1, 4] {
        let engine = Scripted::new(|p_w, seed, _| {
            if (p_w, seed) == (1e-2, 5) {
                // `?` converts any error.
                "1e4x".parse::<u64>()?;
            }
            Ok(marked(p_w, seed))
        });
        let Err(RunnerError::Failed(failed)) = run(&engine, &[&a, &b], jobs) else {
            panic!("it fails")
        };
        assert_eq!((&*failed.engine, &*failed.scenario), ("scripted", "a"));
        assert_eq!((failed.point, failed.seed), (1, 5));
        let error = RunnerError::Failed(failed);
        assert_eq!(
            error.to_string(),
            "engine `scripted` failed at `a`, point 1 (p_w = 1e-2), seed 5: invalid digit found in string"
        );
        assert_eq!(
            error.source().map(ToString::to_string).as_deref(),
            Some("invalid digit found in string")
        );
    }
}

#[test]
fn the_first_failure_in_order_is_reported_and_later_runs_are_cancelled() {
    let scenario = scenario("a");
    for jobs in [1, 2, 9] {
        let begun = AtomicUsize::new(0);
        let engine = Scripted::new(|p_w, seed, watch| {
            begun.fetch_add(1, Ordering::SeqCst);
            match (p_w, seed) {
                (1e-3, 3) => Ok(marked(p_w, seed)),
                // With several threads, the later failure happens first.
                (1e-3, 5) => {
                    while jobs > 1 && begun.load(Ordering::SeqCst) < 3 {
                        std::thread::yield_now();
                    }
                    Err(Stopped::failed("the first"))
                }
                (1e-3, 7) => Err(Stopped::failed("the second")),
                // Without cancellation the test would not end.
                _ => until_cancelled(watch),
            }
        });
        let error = run(&engine, &[&scenario], jobs).expect_err("it fails");
        assert!(error.to_string().ends_with("seed 5: the first"), "{jobs} jobs: {error}");
    }
}

#[test]
fn a_panic_goes_on_and_stops_the_other_runs() {
    let scenario = scenario("a");
    let engine = Scripted::new(|p_w, seed, watch| {
        assert!((p_w, seed) != (1e-3, 5), "a bug of the engine");
        until_cancelled(watch)
    });
    let run = catch_unwind(AssertUnwindSafe(|| run(&engine, &[&scenario], 3)));
    let panic = run.expect_err("it panics");
    let message = panic.downcast_ref::<&str>().copied().unwrap_or_default();
    assert_eq!(message, "a bug of the engine");
}
