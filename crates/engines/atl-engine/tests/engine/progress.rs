//! Progress of runs.

use std::num::NonZeroUsize;
use std::sync::Mutex;

use atl_core::time::Span;
use atl_engine::{Cancel, Options, Progress, run_plans};

use crate::scenario;
use crate::scripted::{Scripted, marked};

#[test]
fn progress_grows_within_runs_and_ends_at_the_total() {
    let scenario = scenario("a");
    // Forwards, backwards, and beyond the end.
    let engine = Scripted::new(|p_w, seed, watch| {
        for seconds in [2, 1, 6, 60] {
            watch.reached(Span::from_secs(seconds))?;
        }
        Ok(marked(p_w, seed))
    });
    for jobs in [1, 4] {
        let seen: Mutex<Vec<Progress>> = Mutex::new(Vec::new());
        let note = |progress| seen.lock().expect("nothing panics").push(progress);
        let cancel = Cancel::default();
        let options = Options { jobs: NonZeroUsize::new(jobs), cancel: &cancel, progress: &note };
        run_plans(&engine, &[&scenario], options).expect("nothing fails");
        let mut seen = seen.into_inner().expect("nothing panics");
        if jobs == 1 {
            let seconds: Vec<u64> = seen.iter().map(|p| p.done.nanos() / 1_000_000_000).collect();
            assert_eq!(seconds[..5], [2, 6, 10, 10, 12], "within a run, at its end, in the next");
            assert!(seconds.is_sorted());
        }
        seen.sort_by_key(|p| (p.runs_done, p.done));
        let last = seen.last().expect("progress");
        assert_eq!((last.runs_done, last.runs), (9, 9));
        assert_eq!((last.done, last.total), (Span::from_secs(90), Span::from_secs(90)));
    }
}
