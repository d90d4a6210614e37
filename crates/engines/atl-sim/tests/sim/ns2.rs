//! The recoveries of ns-2 against ns-2 itself: throughputs recorded in `peers/ns2/runs.csv`.

use std::collections::BTreeMap;

use atl_core::time::Span;
use atl_core::units::Rate;
use atl_core::window::{ControllerConfig, Counting, reno, tahoe};
use atl_engine::setup::Setup;
use atl_link::Config;
use atl_sim::Simulation;

use crate::support::{flow, link, lossy};

/// Where `peers/ns2/run` writes.
const RECORDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../peers/ns2/runs.csv");

/// Seeds of ours for each point; ns-2 has three.
const SEEDS: u64 = 3;

/// The network of the ATL paper's sec. V-A1 for one sender, as `peers/ns2/flows.tcl` has it.
fn setup(protocol: &str, d_w: f64, p_w: f64) -> Setup {
    let rate = Rate::from_mbps(2.0);
    let air = Config::constant(rate, Span::from_secs_f64(d_w), 50);
    let wire = Config::constant(rate, Span::from_millis(10), 50);
    let back = |delay: f64| Config::constant(rate, Span::from_secs_f64(delay), 1000);
    let mut flow = flow("ftp", protocol, &[0, 1], &[2, 3]);
    flow.start_jitter = Span::from_millis(100);
    flow.overhead = rate.time_for(1040);
    flow.tcp.min_rto = Span::from_secs(1);
    flow.tcp.timestamps = false;
    Setup {
        nodes: vec!["source".into(), "access-point".into(), "sink".into()],
        links: vec![
            link("air", 0, 1, lossy(air, p_w)),
            link("wire", 1, 2, wire),
            link("wire.back", 2, 1, back(0.01)),
            link("air.back", 1, 0, back(d_w)),
        ],
        flows: vec![flow],
        mobiles: Vec::new(),
        map: None,
        duration: Span::from_secs(300),
        warmup: Span::ZERO,
        sample_every: None,
    }
}

/// The points of a TCP in the recorded runs: d_w in seconds and p_w, with the mean of its seeds in
/// b/s.
fn points(agent: &str) -> Vec<(f64, f64, f64)> {
    let mut sums: BTreeMap<(String, String), (f64, f64)> = BTreeMap::new();
    let recorded = std::fs::read_to_string(RECORDED).expect("the recorded runs");
    for line in recorded.lines().filter(|line| line.starts_with("tcp,")) {
        let fields: Vec<&str> = line.split(',').collect();
        let words: Vec<&str> = fields[1].split(' ').collect();
        if words[0] != format!("tcp/{agent}") {
            continue;
        }
        let value = |word: &str| word.split('=').nth(1).expect("key=value").to_owned();
        let sum = sums.entry((value(words[1]), value(words[2]))).or_default();
        sum.0 += fields[4].parse::<f64>().expect("Mb/s") * 1e6;
        sum.1 += 1.0;
    }
    let number = |text: &str| text.parse::<f64>().expect("a number");
    sums.iter().map(|((d, p), (sum, n))| (number(d), number(p), sum / n)).collect()
}

/// Our mean throughput over that of ns-2.
fn ratio(
    protocol: &str,
    controller: &ControllerConfig,
    (d_w, p_w, theirs): (f64, f64, f64),
) -> f64 {
    let mut setup = setup(protocol, d_w, p_w);
    setup.flows[0].protocol.tcp_mut().expect("a TCP").controller = controller.clone();
    let ours = |seed| Simulation::new(&setup, seed).run().flows[0].throughput_bps;
    (1..=SEEDS).map(ours).sum::<f64>() / SEEDS as f64 / theirs
}

/// Three runs of 300 s scatter by up to 3 % where p_w is 5e-3 and more, and the mean of twelve
/// points by 1 %. At 1e-3 a run of 150 ms has some seventy losses, too few to compare in three.
/// Tahoe is above ns-2's from 2e-2 on, 3.4 % in the mean with twelve seeds (`peers/ns2/README.md`).
#[test]
fn each_recovery_gets_what_it_gets_in_ns2() {
    let counting = Counting::Acks;
    let reno = ControllerConfig::from(reno::Config { counting, ..Default::default() });
    let tahoe = ControllerConfig::from(tahoe::Config { counting, ..Default::default() });
    for (agent, protocol, controller, off) in [
        ("Reno", "reno/reno-ns2", &reno, 0.04),
        ("Newreno", "newreno/newreno-ns2", &reno, 0.04),
        ("Tahoe", "tahoe/tahoe-ns2", &tahoe, 0.055),
        ("Sack1", "sack/sack", &reno, 0.04),
    ] {
        let points = points(agent);
        assert_eq!(points.len(), 15, "{agent}");
        let lossy = points.into_iter().filter(|point| point.1 > 2e-3);
        let ratios: Vec<f64> = lossy.map(|point| ratio(protocol, controller, point)).collect();
        assert_eq!(ratios.len(), 12);
        let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
        assert!((mean - 1.0).abs() < off, "{protocol}: {mean}");
        assert!(ratios.iter().all(|ratio| (ratio - 1.0).abs() < 0.11), "{protocol}: {ratios:?}");
    }
}

/// At 5 % of loss, the fast retransmits that ns-2's Reno leaves out are worth half as much again.
#[test]
fn reno_with_a_fast_retransmit_for_each_loss_is_far_above_ns2() {
    let reno = ControllerConfig::from(reno::Config::default());
    let point = points("Reno").into_iter().find(|point| point.0 < 0.02 && point.1 > 0.04);
    let ratio = ratio("reno/reno", &reno, point.expect("10 ms, 5e-2"));
    assert!(ratio > 1.1, "{ratio}");
}
