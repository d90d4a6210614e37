//! Setups and runs, for the tests of the crate and for those within it.

use std::path::Path;
use std::sync::{Condvar, Mutex, PoisonError};

use atl_engine::result::{Lateness, RunResult};
use atl_engine::setup::Setup;
use atl_engine::{Engine, Watch};

/// Runs under way, which take a third of a core each.
static RUNNING: Mutex<usize> = Mutex::new(0);
static ENDED: Condvar = Condvar::new();

/// A place among the runs under way; another run may have it once this is dropped.
pub(crate) struct Turn;

impl Drop for Turn {
    fn drop(&mut self) {
        *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        ENDED.notify_one();
    }
}

/// Waits for a place: three runs at a time, as more would make each other late.
pub(crate) fn turn() -> Turn {
    let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    let running = ENDED.wait_while(running, |running| *running == 3);
    *running.unwrap_or_else(PoisonError::into_inner) += 1;
    Turn
}

pub(crate) fn setup(text: &str) -> Setup {
    let overrides = atl_scenario::Overrides::default();
    let origin = Path::new("test.toml");
    let scenario = atl_scenario::parse("test", text, origin, &atl_scenario::no_files, &overrides);
    let mut scenario = scenario.unwrap_or_else(|errors| panic!("{errors}\n{text}"));
    scenario.points.remove(0).setup
}

/// A flow over a link of its own with these keys, of 40 ms there and back. Keys of the flow may
/// follow.
pub(crate) fn lane(protocol: &str, wireless: bool, link: &str) -> String {
    format!(
        r#"
        [[link]]
        name = "{protocol}-{wireless}"
        from = "phone-{protocol}-{wireless}"
        to = "server"
        delay = "20ms"
        wireless = {wireless}
        {link}
        [[flow]]
        name = "{protocol}-{wireless}"
        from = "phone-{protocol}-{wireless}"
        to = "server"
        protocol = "{protocol}"
        "#
    )
}

/// Flows that are measured from the first second on, with a sample each half second.
pub(crate) fn lanes(seconds: u32, lanes: &[String]) -> Setup {
    let head = format!("title = \"t\"\nduration = \"{seconds}s\"\nwarmup = \"1s\"\n");
    setup(&[&head, "[record]\nevery = \"500ms\"\n", &lanes.concat()].concat())
}

/// Everything that must hold however late packets were.
pub(crate) fn consistent(setup: &Setup, result: &RunResult) {
    for (flow, plan) in result.flows.iter().zip(&setup.flows) {
        let count = |count: Option<u64>| count.expect("this engine counts it");
        let before = count(flow.under_way_before);
        let after = count(flow.under_way_after);
        let gone = count(flow.dropped) + count(flow.lost);
        assert_eq!(before + flow.sent, count(flow.arrived) + gone + after, "{}", plan.name);
        assert!(flow.sent > 0 && flow.goodput_bps > 0.0, "{flow:?}");
        assert!(flow.goodput_bps <= flow.throughput_bps * 1.02, "{flow:?}");
    }
    for link in &result.links {
        assert_eq!(link.offered, link.delivered + link.dropped + link.lost + link.held);
    }
    assert_eq!(result.flows.len(), setup.flows.len());
    assert_eq!(result.links.len(), setup.links.len());
}

pub(crate) fn kept_time(result: &RunResult) -> bool {
    result.lateness.as_ref().is_some_and(Lateness::is_trustworthy)
}

/// A run that kept time, if the machine allows one of three to.
pub(crate) fn timely(engine: &dyn Engine, setup: &Setup, seed: u64) -> (RunResult, bool) {
    let mut last = None;
    for _ in 0..3 {
        let result = engine.run(setup, seed, &Watch::unwatched()).expect("a run");
        consistent(setup, &result);
        if kept_time(&result) {
            return (result, true);
        }
        last = Some(result);
    }
    (last.expect("three runs"), false)
}

/// Compares a run in real time with the same run in virtual time: the same samples, and nothing
/// refused. Where the run kept time, ratios of goodputs are within `ratios`, and the least RTT is
/// that of the links, 40 ms, with some queues on top up to `rtt_s`.
pub(crate) fn comes_near(
    ((real, kept), expected): (&(RunResult, bool), &RunResult),
    ratios: std::ops::Range<f64>,
    rtt_s: f64,
) {
    let times = |result: &RunResult| -> Vec<(u64, u32)> {
        result.samples.iter().map(|s| ((s.time_s * 1e3).round() as u64, s.flow)).collect()
    };
    assert_eq!(times(real), times(expected));
    let datagrams = real.datagrams.expect("this engine counts them");
    assert_eq!(datagrams.refused, 0);
    for (real, expected) in real.flows.iter().zip(&expected.flows).filter(|_| *kept) {
        let ratio = real.goodput_bps / expected.goodput_bps;
        assert!(ratios.contains(&ratio), "{ratio}: {real:?}");
        let rtt = real.rtt_min_s.expect("samples");
        assert!((0.040..rtt_s).contains(&rtt), "{rtt}: {real:?}");
    }
}
