//! TFRC end to end: against its equation, beside TCP, alone, and with feedback other than its own.

use crate::support::{dumbbell, single};
use atl_core::rate::tfrc::{Config, Equation};
use atl_core::rate::{FeedbackMode, RateConfig};
use atl_core::time::Span;
use atl_core::units::{Probability, Rate};
use atl_engine::protocol::Transport;
use atl_engine::result::{FlowResult, RunResult};
use atl_engine::setup::Setup;
use atl_sim::Simulation;

/// Bits of a packet on the wire.
const PACKET: f64 = 8.0 * 1040.0;

fn run(setup: &Setup, seed: u64) -> RunResult {
    Simulation::new(setup, seed).run()
}

fn lossy(ms: u64, loss: f64, secs: f64) -> Setup {
    let link = atl_link::Config::constant(Rate::from_mbps(200.0), Span::from_millis(ms), 1000);
    let mut setup = single("tfrc", link.with_loss(Probability::clamped(loss)), secs);
    setup.warmup = Span::from_secs(60);
    setup.flows[0].pacing.target = Some(Rate::from_mbps(200.0));
    setup
}

/// The flow's rate over the equation's. Losses are independent: a loss event lasts a round trip,
/// and the next one begins with the first loss after it, 1/p packets later in the mean.
fn ratio(flow: &FlowResult, loss: f64) -> f64 {
    let rtt = flow.rtt_median_s.expect("measured");
    let rate = flow.throughput_bps / PACKET;
    rate / Equation::default().throughput(1.0 / (1.0 / loss + rate * rtt), rtt)
}

#[test]
fn under_steady_loss_the_rate_is_that_of_the_equation() {
    for (loss, secs) in [(1e-3, 2000.0), (1e-2, 1000.0), (5e-2, 1000.0)] {
        let found = ratio(&run(&lossy(50, loss, secs), 1).flows[0], loss);
        assert!((found - 1.0).abs() < 0.1, "loss {loss}: {found}");
    }
}

/// RFC 5348, sec. 7: if its receiver acknowledges, or reports as RTCP does, the sender measures.
#[test]
fn a_sender_that_measures_itself_follows_the_equation_too() {
    for mode in [FeedbackMode::Acks, FeedbackMode::Reports { every: Span::from_millis(100) }] {
        for loss in [3e-3, 3e-2] {
            let mut setup = lossy(50, loss, 1500.0);
            setup.flows[0].pacing.feedback = Some(mode);
            let found = ratio(&run(&setup, 1).flows[0], loss);
            assert!((0.8..1.2).contains(&found), "{mode:?}, loss {loss}: {found}");
        }
    }
}

#[test]
fn a_lone_flow_fills_its_link() {
    for queue in [10, 50] {
        let link = atl_link::Config::constant(Rate::from_mbps(2.0), Span::from_millis(50), queue);
        let mut setup = single("tfrc", link, 300.0);
        setup.warmup = Span::from_secs(60);
        let flow = run(&setup, 1).flows.remove(0);
        let share = flow.throughput_bps / 2e6;
        assert!(share > 0.97, "queue {queue}: {share}");
        let loss = flow.loss().expect("counted");
        assert!(loss < 0.01, "queue {queue}: {loss}");
    }
}

/// Mean goodput of the flows of one kind over that of the flows of the other.
fn share_beside_sack(config: Config, queue: u32, seed: u64) -> f64 {
    let names = ["tfrc", "sack", "tfrc", "sack", "tfrc", "sack", "tfrc", "sack"];
    let mut setup = dumbbell(&names, Rate::from_mbps(8.0), queue, 360.0);
    for flow in setup.flows.iter_mut().step_by(2) {
        flow.protocol.transport = Transport::Paced(RateConfig::from(config));
    }
    let result = run(&setup, seed);
    let sum = |odd: usize| -> f64 {
        result.flows.iter().skip(odd).step_by(2).map(|flow| flow.goodput_bps).sum()
    };
    assert!(sum(0) + sum(1) > 0.9 * 8e6 / 1.04, "{} {}", sum(0), sum(1));
    sum(0) / sum(1)
}

/// RFC 5348, sec. 1: "we call a flow "reasonably fair" if its sending rate is generally within a
/// factor of two of the sending rate of a TCP flow under the same conditions".
#[test]
fn beside_tcp_flows_get_about_as_much() {
    for (queue, seed) in [(20, 1), (50, 2), (100, 3)] {
        let found = share_beside_sack(Config::default(), queue, seed);
        assert!((0.8..1.5).contains(&found), "queue {queue}, seed {seed}: {found}");
    }
    // As in ns-2: q = 0.95, oscillations reduced, THRESHOLD of RFC 3448.
    let ns2 = Config {
        rtt_weight: 0.95,
        reduce_oscillations: true,
        root_weight: 0.95,
        least_discount: 0.5,
        ..Config::default()
    };
    let found = share_beside_sack(ns2, 50, 1);
    assert!((0.8..1.5).contains(&found), "ns-2's defaults: {found}");
}

/// "It has a much lower variation of throughput over time compared with TCP" (sec. 1): half, over
/// half seconds.
#[test]
fn a_flow_is_smoother_than_tcp() {
    let variation = |name: &str| {
        let mut setup = dumbbell(&[name; 8], Rate::from_mbps(8.0), 50, 300.0);
        setup.sample_every = Some(Span::from_millis(500));
        let samples: Vec<f64> = run(&setup, 1)
            .samples
            .iter()
            .filter(|sample| sample.flow == 0)
            .map(|sample| sample.throughput_bps)
            .collect();
        let n = samples.len() as f64;
        let mean = samples.iter().sum::<f64>() / n;
        (samples.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n).sqrt() / mean
    };
    let (tfrc, sack) = (variation("tfrc"), variation("sack"));
    assert!(tfrc < 0.7 * sack, "{tfrc} {sack}");
}
