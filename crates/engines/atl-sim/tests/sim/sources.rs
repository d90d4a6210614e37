//! Applications on paths where the bytes written, the bytes delivered and the time between can all
//! be worked out by hand.

use crate::support::{lossy, single};
use atl_core::time::Span;
use atl_core::units::Rate;
use atl_engine::result::FlowResult;
use atl_engine::setup::{Setup, Source};
use atl_link::Config;
use atl_sim::Simulation;

/// One flow of this source for 100 s over a link that takes 1 ms per packet and 20 ms each way.
fn path(protocol: &str, source: Source) -> Setup {
    let link = Config::constant(Rate::from_bps(8.32e6), Span::from_millis(20), 10_000);
    let mut setup = single(protocol, link, 100.0);
    setup.flows[0].source = source;
    setup.flows[0].tcp.initial_window = 200.0;
    setup
}

fn run(setup: &Setup) -> FlowResult {
    Simulation::new(setup, 1).run().flows.remove(0)
}

fn near(found: Option<f64>, expected: f64, within: f64) {
    let close = found.is_some_and(|f| (f / expected - 1.0).abs() < within);
    assert!(close, "{found:?}, expected {expected}");
}

fn files(bytes: u64, every_s: u64) -> Source {
    Source::Files { bytes, every: Span::from_secs(every_s), exponential: false }
}

#[test]
fn a_constant_rate_is_delayed_by_the_path_alone() {
    for protocol in ["sack", "tahoe", "reno"] {
        // A segment each 8 ms: the last one is written when the run ends.
        let flow = run(&path(protocol, Source::Steady { rate: Rate::from_mbps(1.0) }));
        near(flow.offered_bps, 1e6, 1e-3);
        near(flow.delay_s, 21e-3, 1e-9);
        near(flow.normalized_throughput(), 1.0, 1e-3);
    }
}

#[test]
fn the_segments_of_a_file_wait_for_each_other() {
    // Ten files of a hundred segments: the k-th segment waits and is transmitted for k ms, then
    // travels for 20 ms.
    let mut setup = path("sack", files(100_000, 10));
    let flow = run(&setup);
    assert_eq!((flow.offered_bps, flow.goodput_bps), (Some(80_000.0), 80_000.0));
    // An eleventh file is written as the run ends: all of it is under way.
    let (delivered, under_way) = (flow.delivered, flow.under_way_after);
    assert_eq!((delivered, flow.sent, under_way), (Some(1_000), 1_100, Some(100)));
    assert_eq!(flow.normalized_throughput(), Some(1.0));
    near(flow.delay_s, 70.5e-3, 1e-9);
    // The last segment of each is half full: it takes 540 bytes' time instead of 1040's.
    let expected = 1e-3 * (70.5 - (1.0 - 540.0 / 1040.0) / 100.0);
    setup.flows[0].source = files(99_500, 10);
    let flow = run(&setup);
    assert_eq!((flow.offered_bps, flow.goodput_bps), (Some(79_600.0), 79_600.0));
    assert_eq!(flow.delivered, Some(1_000));
    // From 25 s on: files at 30 to 90 s, in 75 s.
    setup.warmup = Span::from_secs(25);
    let flow = run(&setup);
    near(flow.offered_bps, 7.0 * 99_500.0 * 8.0 / 75.0, 1e-12);
    assert_eq!((flow.normalized_throughput(), flow.delivered.expect("counted")), (Some(1.0), 700));
    near(flow.delay_s, expected, 1e-9);
}

#[test]
fn data_under_way_at_the_end_is_offered_but_not_received() {
    // 20 MB every 10 s is twice what the link carries: half of it has arrived at the end, and the
    // delay is that of what has.
    let setup = path("sack", files(20_000_000, 10));
    let flow = run(&setup);
    near(flow.offered_bps, 16e6, 1e-12);
    near(flow.normalized_throughput(), 0.5, 2e-3);
    // Delivered at a constant rate for 100 s: at time t, what was written at t / 2, except for the
    // rounding to files of 10 s, which makes it 5 s older on average.
    near(flow.delay_s, 25.0 + 5.0, 0.02);
}

#[test]
fn losses_delay_the_segments_behind_them() {
    let source = || Source::Steady { rate: Rate::from_mbps(1.0) };
    // A window that no loss makes too small for the rate.
    let mut setup = path("fixed-window/sack", source());
    let clean = run(&setup).delay_s.expect("segments");
    setup.links[0].config = lossy((*setup.links[0].config).clone(), 0.02).into();
    let flow = run(&setup);
    // A loss is found three segments (24 ms) and a round trip of 41 ms later: some 2 % of segments
    // wait 65 ms, and each one behind them 8 ms less.
    let worst = f64::from(65 + 57 + 49 + 41 + 33 + 25 + 17 + 9 + 1) * 1e-3;
    let more = flow.delay_s.expect("segments") - clean;
    assert!((0.5..1.3).contains(&(more / (0.02 * worst))), "{more} s more");
    near(flow.normalized_throughput(), 1.0, 2e-3);
}

#[test]
fn each_seed_has_its_own_series_of_files_at_random_times() {
    let source = Source::Files { bytes: 50_000, every: Span::from_secs(1), exponential: true };
    let setup = path("sack", source);
    let flow = |seed| Simulation::new(&setup, seed).run().flows.remove(0);
    let (one, two) = (flow(1), flow(2));
    assert_eq!(one, flow(1));
    assert_ne!(one.offered_bps, two.offered_bps);
    for flow in [one, two] {
        // A hundred of them, give or take four times the square root.
        near(flow.offered_bps, 4e5, 0.4);
        near(flow.normalized_throughput(), 1.0, 0.02);
        // Alone, each takes 20 ms and 25.5 ms on average; some overlap with another.
        assert!(flow.delay_s.is_some_and(|s| (45.5e-3..60e-3).contains(&s)), "{flow:?}");
    }
}

#[test]
fn greedy_sources_have_neither_offered_load_nor_delay() {
    let flow = run(&path("sack", Source::Greedy));
    assert_eq!((flow.offered_bps, flow.delay_s, flow.normalized_throughput()), (None, None, None));
}

#[test]
fn a_single_file_is_offered_in_the_time_that_it_takes() {
    let flow = run(&path("sack", Source::Fixed { bytes: 100_000 }));
    // The last ACK is back 20 ms after the hundredth segment: 100 ms, 20 ms and 20 ms.
    near(flow.completion_s, 0.14, 1e-9);
    near(flow.offered_bps, 8e5 / 0.14, 1e-9);
    assert_eq!(flow.normalized_throughput(), Some(1.0));
    near(flow.delay_s, 70.5e-3, 1e-9);
}

#[test]
fn paced_flows_have_an_offered_load_too() {
    for (source, offered) in
        [(Source::Steady { rate: Rate::from_mbps(1.0) }, 1e6), (files(1_000_000, 10), 8e5)]
    {
        let mut setup = path("aimd-rate", source);
        setup.flows[0].pacing.target = Some(Rate::from_mbps(8.0));
        let flow = run(&setup);
        near(flow.offered_bps, offered, 1e-3);
        near(flow.normalized_throughput(), 1.0, 0.02);
        assert_eq!(flow.delay_s, None, "nothing is handed over in order");
    }
}
