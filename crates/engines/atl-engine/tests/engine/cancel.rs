//! Cancelled runs.

use std::sync::atomic::{AtomicUsize, Ordering};

use atl_core::time::Span;
use atl_engine::{Cancel, Options, RunnerError, Stopped, Watch, run_plans};

use crate::scenario;
use crate::scripted::{Scripted, marked};

#[test]
fn a_slow_engine_is_cancelled() {
    let scenario = scenario("a");
    let cancel = Cancel::default();
    let begun = AtomicUsize::new(0);
    let slow = |_, _, watch: &Watch<'_>| {
        begun.fetch_add(1, Ordering::SeqCst);
        loop {
            watch.reached(Span::from_millis(1))?;
            std::thread::yield_now();
        }
    };
    let engine = Scripted::new(slow).parallel(2);
    let error = std::thread::scope(|scope| {
        scope.spawn(|| {
            while begun.load(Ordering::SeqCst) < 2 {
                std::thread::yield_now();
            }
            cancel.clone().cancel();
        });
        let options = Options { jobs: None, cancel: &cancel, progress: &|_| {} };
        run_plans(&engine, &[&scenario], options).expect_err("it is cancelled")
    });
    assert!(matches!(error, RunnerError::Cancelled), "{error}");
    assert_eq!(error.to_string(), "cancelled");
    assert!(begun.load(Ordering::SeqCst) <= 2, "runs began after the cancellation");
}

#[test]
fn what_fails_for_being_cancelled_is_no_failure() {
    let scenario = scenario("a");
    let cancel = Cancel::default();
    let fails = |_, _, _: &Watch<'_>| {
        cancel.cancel();
        Err(Stopped::failed("interrupted system call"))
    };
    let engine = Scripted::new(fails);
    let options = Options { jobs: None, cancel: &cancel, progress: &|_| {} };
    let error = run_plans(&engine, &[&scenario], options).expect_err("it is cancelled");
    assert!(matches!(error, RunnerError::Cancelled), "{error}");
}

#[test]
fn a_cancellation_before_the_first_run_runs_nothing_and_one_after_the_last_changes_nothing() {
    let scenario = scenario("a");
    let cancel = Cancel::default();
    let count = AtomicUsize::new(0);
    let counts = |p_w, seed, _: &Watch<'_>| {
        if count.fetch_add(1, Ordering::SeqCst) == 8 {
            cancel.cancel();
        }
        Ok(marked(p_w, seed))
    };
    let engine = Scripted::new(counts).parallel(1);
    let options = Options { jobs: None, cancel: &cancel, progress: &|_| {} };
    assert!(run_plans(&engine, &[&scenario], options).is_ok(), "all nine runs had ended");
    let error = run_plans(&engine, &[&scenario], options).expect_err("it is cancelled");
    assert!(matches!(error, RunnerError::Cancelled), "{error}");
    assert_eq!(count.load(Ordering::SeqCst), 9);
}
