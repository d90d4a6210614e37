//! RAP and RCS end to end: a lossy satellite link, probes beside other traffic, shares beside SACK.

use crate::support::{dumbbell, flow, link};
use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_engine::result::RunResult;
use atl_engine::setup::Setup;
use atl_link::{Config, QueueConfig};
use atl_sim::Simulation;

fn mbps(rate: f64) -> Rate {
    Rate::from_mbps(rate)
}

fn run(setup: &Setup, seed: u64) -> RunResult {
    Simulation::new(setup, seed).run()
}

/// Fig. 14 of the ATL paper: 2 Mb/s everywhere, a lossy wireless link of 150 ms, 10 ms of wire.
fn satellite(protocol: &str, loss: f64, secs: f64) -> Setup {
    let hop = |ms, loss| {
        let hop = Config::constant(mbps(2.0), Span::from_millis(ms), 50);
        Config { queue: QueueConfig::Priority { packets: 50 }, ..hop }
            .with_loss(Probability::clamped(loss))
    };
    let mut links = vec![
        link("air", 0, 1, hop(150, loss)),
        link("wire", 1, 2, hop(10, 0.0)),
        link("wire.back", 2, 1, hop(10, 0.0)),
        link("air.back", 1, 0, hop(150, 0.0)),
    ];
    (links[0].wireless, links[3].wireless) = (true, true);
    let mut media = flow("media", protocol, &[0, 1], &[2, 3]);
    media.pacing.target = Some(mbps(2.0));
    Setup {
        nodes: ["source", "access", "sink"].map(String::from).to_vec(),
        links,
        flows: vec![media],
        mobiles: Vec::new(),
        map: None,
        duration: Span::from_secs_f64(secs),
        warmup: Span::ZERO,
        sample_every: Some(Span::from_secs(1)),
    }
}

/// Its goodput in Mb/s, over three seeds.
fn over_satellite(protocol: &str, loss: f64) -> f64 {
    let setup = satellite(protocol, loss, 300.0);
    (1..=3).map(|seed| run(&setup, seed).flows[0].goodput_bps / 3e6).sum()
}

/// 1000 of 1040 bytes are payload.
const WHOLE: f64 = 2.0 / 1.04;

#[test]
fn rcs_fills_a_satellite_link_at_once_and_keeps_it_full_while_losses_are_rare() {
    for protocol in ["rcs", "rcs-robust"] {
        let result = run(&satellite(protocol, 0.0, 60.0), 1);
        // Two round trips of dummies and the forward path: data arrives from 0.85 s on.
        let second = |s: usize| result.samples[s - 1].throughput_bps;
        assert!(second(1) < 0.8e6 && second(2) > 1.98e6, "{} {}", second(1), second(2));
        assert_eq!((result.flows[0].recoveries, result.flows[0].dropped), (Some(0), Some(0)));
        let kept = over_satellite(protocol, 1e-4) / WHOLE;
        assert!(kept > 0.97, "{protocol}: {kept} of the link at 1e-4");
    }
}

/// The quote is +228 % over RCS at 1e-2; the literal reading loses most there.
#[test]
fn the_readings_of_rcs_bracket_the_papers_claim() {
    let [atl, literal, robust, rap] =
        ["rcp-atl", "rcs", "rcs-robust", "rap"].map(|protocol| over_satellite(protocol, 1e-2));
    assert!(atl / literal > 2.5 && atl / literal < 4.0, "{atl} over {literal}");
    assert!(atl / robust < 1.3, "{atl} over {robust}");
    // Even so, its dummies win it more than halving alone leaves.
    assert!(literal > 1.2 * rap, "{literal} and {rap}");
}

/// Three flows of 0.5 Mb/s each on a satellite's 2 Mb/s, and RCS with a target of all of it.
/// Returns how many packets of the others were dropped until RCS knows its rate, and that rate in
/// Mb/s.
fn beside_others(priority: bool) -> (u64, f64) {
    let begins = Time::from_millis(40_000);
    let names = ["aimd-rate", "aimd-rate", "aimd-rate", "rcs"];
    let mut setup = dumbbell(&names, mbps(2.0), 50, 40.9);
    for i in 0..2 {
        let mut shared = Config::constant(mbps(2.0), Span::from_millis(150), 50);
        if priority {
            shared.queue = QueueConfig::Priority { packets: 50 };
        }
        setup.links[i] = link("shared", 4 + i, 5 - i, shared);
    }
    setup.warmup = Span::ZERO;
    setup.sample_every = Some(Span::from_millis(100));
    for media in &mut setup.flows {
        (media.start_jitter, media.overhead) = (Span::ZERO, Span::ZERO);
        media.pacing.target = Some(mbps(0.5));
    }
    setup.flows[3].pacing.target = Some(mbps(2.0));
    setup.flows[3].start = begins;
    let result = run(&setup, 1);
    let rate = result.samples.iter().rev().find(|s| s.flow == 3).and_then(|s| s.rate_bps);
    let dropped = result.flows[..3].iter().map(|flow| flow.dropped.expect("counted")).sum();
    (dropped, rate.expect("sampled") / 1e6)
}

#[test]
fn dummies_find_the_free_rate_and_cost_other_flows_nothing() {
    let (dropped, rate) = beside_others(true);
    assert_eq!(dropped, 0);
    assert!((rate - 0.5).abs() < 0.05, "{rate}");
    // Without priorities they compete with data.
    let (dropped, rate) = beside_others(false);
    assert!(dropped > 5 && rate > 0.8, "{dropped} {rate}");
}

/// Goodput of four such flows over that of four of SACK, on a link of 8 Mb/s.
fn beside_sack(protocol: &str, queue: u32, seed: u64) -> f64 {
    let names: Vec<_> = (0..8).map(|i| if i % 2 == 0 { protocol } else { "sack" }).collect();
    let mut setup = dumbbell(&names, mbps(8.0), queue, 300.0);
    for link in &mut setup.links {
        let mut config = (*link.config).clone();
        if let QueueConfig::DropTail { packets } = config.queue {
            config.queue = QueueConfig::Priority { packets };
        }
        link.config = config.into();
    }
    let result = run(&setup, seed);
    let sum = |odd| -> f64 {
        result.flows.iter().skip(odd).step_by(2).map(|flow| flow.goodput_bps).sum()
    };
    assert!(sum(0) + sum(1) > 0.9 * 8e6 / 1.04, "{} {}", sum(0), sum(1));
    sum(0) / sum(1)
}

/// A short queue leaves SACK windows of six packets, which end in timeouts that no paced flow has.
/// RAP's authors claim fairness as long as TCP follows its own AIMD: the longer the queue, the
/// closer they are.
#[test]
fn rap_gets_more_than_sack_the_shorter_the_queue() {
    let found =
        [(20, 1), (50, 2), (100, 3), (300, 4)].map(|(queue, seed)| beside_sack("rap", queue, seed));
    let within = [1.7..3.3, 1.4..2.5, 1.2..2.0, 0.7..1.5];
    for (found, within) in found.iter().zip(&within) {
        assert!(within.contains(found), "{found} is not in {within:?}");
    }
}

#[test]
fn rcs_that_halves_for_each_packet_leaves_most_to_sack() {
    let literal = beside_sack("rcs", 50, 1);
    assert!((0.3..1.0).contains(&literal), "{literal}");
    let robust = beside_sack("rcs-robust", 50, 1);
    assert!((1.0..2.2).contains(&robust), "{robust}");
}
