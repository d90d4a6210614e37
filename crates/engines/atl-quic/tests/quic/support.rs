//! Setups and runs.

use std::path::Path;

use atl_engine::result::{FlowResult, RunResult};
use atl_engine::setup::Setup;
use atl_engine::{Engine as _, Watch};
use atl_quic::{Crypto, Options, QuicSim};

/// A sender behind a wireless link, or whatever the text says.
pub(crate) fn parse(text: &str) -> Setup {
    let origin = Path::new("test.toml");
    let scenario =
        atl_scenario::parse("test", text, origin, &atl_scenario::no_files, &Default::default());
    scenario.unwrap_or_else(|errors| panic!("{errors}\n{text}")).points.remove(0).setup
}

/// 20 Mb/s, 50 ms each way, a queue of a bandwidth-delay product, one greedy flow; the forward link
/// loses `loss`.
pub(crate) fn path(protocol: &str, loss: f64, seconds: u32) -> Setup {
    parse(&text(protocol, loss, seconds))
}

pub(crate) fn text(protocol: &str, loss: f64, seconds: u32) -> String {
    format!(
        r#"
title = "A path"
duration = "{seconds}s"
warmup = "2s"

[[link]]
name = "air"
from = "phone"
to = "server"
wireless = true
rate = "20Mb/s"
delay = "50ms"
loss = {loss:?}
queue = 170
reverse = {{ loss = 0 }}

[[flow]]
name = "up"
from = "phone"
to = "server"
protocol = {protocol}
"#
    )
}

pub(crate) fn run(setup: &Setup, seed: u64) -> RunResult {
    run_with(setup, seed, &Options::default())
}

pub(crate) fn run_with(setup: &Setup, seed: u64, options: &Options<'_>) -> RunResult {
    let gaps = QuicSim::new(Crypto::Null).gaps(setup);
    assert!(gaps.is_empty(), "{gaps:?}");
    atl_quic::run(setup, seed, options, &Watch::unwatched()).expect("it runs")
}

/// The result of the only flow.
pub(crate) fn flow(result: &RunResult) -> &FlowResult {
    let [flow] = &result.flows[..] else { panic!("one flow") };
    flow
}

/// Its goodput in Mb/s.
pub(crate) fn mbps(setup: &Setup, seed: u64) -> f64 {
    flow(&run(setup, seed)).goodput_bps / 1e6
}
