//! Setups and runs.

use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use atl_engine::result::{Lateness, RunResult};
use atl_engine::setup::Setup;
use atl_engine::{Engine as _, Watch};
use atl_quic::{Crypto, QuicSim};
use atl_sockets::quic::Quic;

/// One run at a time: two would make each other late.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn setup(text: &str) -> Setup {
    let read = |_: &Path| Err(io::ErrorKind::NotFound.into());
    let overrides = atl_scenario::Overrides::default();
    let origin = Path::new("test.toml");
    let scenario = atl_scenario::parse("test", text, origin, &read, &overrides);
    let mut scenario = scenario.unwrap_or_else(|errors| panic!("{errors}\n{text}"));
    scenario.points.remove(0).setup
}

/// A flow over a link of its own, of 5 Mb/s and 40 ms there and back.
pub(crate) fn lane(protocol: &str, loss: f64, wireless: bool) -> String {
    format!(
        r#"
        [[link]]
        name = "{protocol}-{wireless}"
        from = "phone-{protocol}-{wireless}"
        to = "server"
        rate = "5Mb/s"
        delay = "20ms"
        queue = 40
        loss = {loss}
        reverse = {{ loss = 0 }}
        wireless = {wireless}
        [[flow]]
        name = "{protocol}-{wireless}"
        from = "phone-{protocol}-{wireless}"
        to = "server"
        protocol = "{protocol}"
        "#
    )
}

pub(crate) const PROTOCOLS: [&str; 4] = ["tcp-atl", "reno", "noq-cubic", "noq-bbr3"];

pub(crate) fn lanes(seconds: u32) -> Setup {
    let head = format!("title = \"t\"\nduration = \"{seconds}s\"\nwarmup = \"1s\"\n");
    let lanes = PROTOCOLS.map(|protocol| lane(protocol, 0.01, true)).concat();
    setup(&[&head, "[record]\nevery = \"500ms\"\n", &lanes].concat())
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
pub(crate) fn timely(setup: &Setup, seed: u64) -> (RunResult, bool) {
    let mut last = None;
    for _ in 0..3 {
        let result = Quic.run(setup, seed, &Watch::unwatched()).expect("a run");
        consistent(setup, &result);
        if kept_time(&result) {
            return (result, true);
        }
        last = Some(result);
    }
    (last.expect("three runs"), false)
}

pub(crate) fn simulated(setup: &Setup, seed: u64) -> RunResult {
    QuicSim::new(Crypto::Null).run(setup, seed, &Watch::unwatched()).expect("a run")
}
