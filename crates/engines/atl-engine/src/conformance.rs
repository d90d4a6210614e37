//! The contract of [`Engine`] as a test that anybody's engine can be put through.

use std::sync::atomic::{AtomicU64, Ordering};

use atl_core::time::Span;

use crate::engine::{Clock, Engine};
use crate::plan::Plan;
use crate::result::RunResult;
use crate::setup::Setup;
use crate::watch::{Stopped, Watch};

/// Runs each point of a plan that is no [gap](Engine::gaps) with the plan's first seed, and panics
/// where the engine breaks the contract of [`Engine`]: in virtual time twice, to compare, and
/// always once more, cancelled from the start. What a run leaves behind (threads, sockets, devices)
/// is not checked.
///
/// # Panics
/// Says which promise is broken, and at which point. Panics too if every point is a gap.
pub fn engine<P: Plan>(engine: &dyn Engine, plan: &P) {
    let name = engine.name();
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    assert!(!name.is_empty() && name.chars().all(plain), "name {name:?}: not for `--on`");
    assert!(!engine.version().is_empty(), "no version");
    let about = engine.about();
    assert!(!about.is_empty() && !about.contains('\n'), "about {about:?}: not one line");
    let mut ran = 0;
    for point in 0..plan.points() {
        let setup = plan.setup(point);
        let gaps = engine.gaps(setup);
        assert!(gaps == engine.gaps(setup), "point {point}: other gaps when asked again");
        assert!(engine.length(setup) == engine.length(setup), "point {point}: another length");
        if gaps.is_empty() {
            ran += 1;
            let first = run(engine, setup, plan.seeds()[0], point);
            let repeats = setup.flows.iter().all(|flow| flow.protocol.is_repeatable());
            if engine.clock() == Clock::Virtual && repeats {
                let second = run(engine, setup, plan.seeds()[0], point);
                assert!(first == second, "point {point}: the same seed gives another result");
            }
        }
    }
    assert!(ran > 0, "every point is a gap: nothing was run");
}

/// A run, and one that is cancelled.
fn run(engine: &dyn Engine, setup: &Setup, seed: u64, point: usize) -> RunResult {
    let furthest = AtomicU64::new(0);
    let note = |time: Span| _ = furthest.fetch_max(time.nanos().max(1), Ordering::Relaxed);
    let result = engine.run(setup, seed, &Watch::new(&|| false, &note));
    let result = result.unwrap_or_else(|stopped| panic!("point {point}: {stopped:?}"));
    let furthest = furthest.into_inner();
    assert!(furthest > 0, "point {point}: no progress");
    let length = engine.length(setup).nanos();
    assert!(furthest <= length, "point {point}: went beyond its length");
    check(setup, &result, point);
    let cancelled = engine.run(setup, seed, &Watch::new(&|| true, &|_| {}));
    let ended = matches!(cancelled, Err(Stopped::Cancelled));
    assert!(ended, "point {point}: goes on when cancelled, or fails instead");
    result
}

fn check(setup: &Setup, result: &RunResult, point: usize) {
    let (flows, links) = (setup.flows.len(), setup.links.len());
    assert!(result.flows.len() == flows, "point {point}: not a result for each flow");
    let given = result.links.len();
    assert!(given == 0 || given == links, "point {point}: not a result for each link");
    let measured = setup.duration.secs();
    for (flow, plan) in result.flows.iter().zip(&setup.flows) {
        let at = format!("point {point}, flow `{}`", plan.name);
        assert!((0.0..=measured).contains(&flow.active_s), "{at}: active for {} s", flow.active_s);
        for rate in [flow.throughput_bps, flow.goodput_bps] {
            assert!(rate >= 0.0 && rate.is_finite(), "{at}: a rate of {rate} bit/s");
        }
        let gone = [flow.arrived, flow.dropped, flow.lost, flow.under_way_after];
        if let (Some(before), Some(copies), [Some(a), Some(b), Some(c), Some(d)]) =
            (flow.under_way_before, flow.copies, gone)
        {
            assert!(before + flow.sent + copies == a + b + c + d, "{at}: packets lost count of");
        }
    }
    let mut last = 0.0;
    for (index, sample) in result.samples.iter().enumerate() {
        let (time, flow) = (sample.time_s, sample.flow as usize);
        assert!(flow == index % flows, "point {point}, {time} s: flows out of order");
        let follows = if flow == 0 { time > last } else { time >= last };
        assert!(follows && time <= measured, "point {point}, {time} s: samples out of order");
        last = time;
    }
    let complete = result.samples.len().is_multiple_of(flows.max(1));
    assert!(complete, "point {point}: a sample without one of each flow");
}
