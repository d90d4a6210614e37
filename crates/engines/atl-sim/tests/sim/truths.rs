//! Simple truths that hold in any packet-level simulator of TCP.

use crate::support::{dumbbell, link, lossy, single};
use atl_core::time::Span;
use atl_core::units::Rate;
use atl_engine::result::RunResult;
use atl_engine::setup::{Setup, Source};
use atl_link::{Config, QueueConfig, Service};
use atl_scenario::protocol::catalogue;
use atl_sim::Simulation;

/// Every protocol of the simulator, and some with other recoveries that a scenario may choose.
fn all() -> impl Iterator<Item = &'static str> {
    let simulated = catalogue().iter().filter(|listed| !listed.is_quic());
    simulated.map(|listed| listed.name).chain([
        "sack/rack",
        "tcp-atl/rack",
        "bbr3/rack",
        "sack/quic",
        "tcp-atl/quic",
    ])
}

fn run(setup: &Setup, seed: u64) -> RunResult {
    Simulation::new(setup, seed).run()
}

fn conserved(result: &RunResult) {
    for link in &result.links {
        assert_eq!(link.offered, link.delivered + link.dropped + link.lost + link.held);
    }
}

#[test]
fn a_lone_lossless_flow_fills_its_link() {
    for name in [
        "reno",
        "newreno",
        "sack",
        "westwood",
        "westwood-nr",
        "tcp-atl",
        "cubic",
        "sack/rack",
        "sack/quic",
        "cubic/rack",
    ] {
        // A queue of one bandwidth-delay product (10 Mb/s, 40 ms: 48 packets) keeps half a window
        // busy.
        let mut setup =
            single(name, Config::constant(Rate::from_mbps(10.0), Span::from_millis(20), 50), 60.0);
        setup.warmup = Span::from_secs(10);
        let result = run(&setup, 1);
        let flow = &result.flows[0];
        let limit = 10e6 * 1000.0 / 1040.0;
        assert!(
            flow.goodput_bps >= 0.99 * limit && flow.goodput_bps <= limit * 1.0001,
            "{name}: {:.4} of the link",
            flow.goodput_bps / limit
        );
        conserved(&result);
    }
}

#[test]
fn a_lone_bbr_flow_fills_its_link_but_for_its_probes() {
    // BBRv3 drains the queue by design (its window falls to half in ProbeRTT, 0.2 s each 5 s).
    let config = Config::constant(Rate::from_mbps(10.0), Span::from_millis(20), 50);
    let mut setup = single("bbr3", config, 60.0);
    setup.warmup = Span::from_secs(10);
    let share = run(&setup, 1).flows[0].goodput_bps / (10e6 * 1000.0 / 1040.0);
    assert!((0.93..=1.0001).contains(&share), "{share}");
}

/// Goodput of Reno follows sqrt(3 / 2p) / R (Mathis et al. 1997) where timeouts are rare. It is the
/// longest test of its program.
#[test]
fn reno_follows_the_square_root_law() {
    std::thread::scope(|scope| {
        for name in ["sack", "newreno", "sack/rack", "sack/quic"] {
            scope.spawn(move || {
                // The rarest losses take three quarters of the packets.
                let rarest = (name == "sack").then_some(1e-4);
                for p in rarest.into_iter().chain([3e-4, 1e-3, 3e-3, 1e-2]) {
                    follows_the_square_root_law(name, p);
                }
            });
        }
    });
}

fn follows_the_square_root_law(name: &str, p: f64) {
    // 100 ms in each direction, never a queue.
    let mut free = Config::constant(Rate::ZERO, Span::from_millis(50), 1);
    free.initial.service = Service::Unlimited;
    // Some 1500 loss events each.
    let secs = 0.1 * 1500.0 / (p * (1.5f64 / p).sqrt());
    let mut setup = single(name, lossy(free, p), secs.max(300.0));
    setup.warmup = Span::from_secs(30);
    let flow = run(&setup, 7).flows.remove(0);
    let law = (1.5 / p).sqrt() / 0.1;
    let ratio = flow.throughput_bps / (8.0 * 1040.0) / law;
    assert!((0.9..=1.1).contains(&ratio), "{name} at p = {p}: {ratio} of the law");
}

#[test]
fn packets_are_conserved_at_every_link_and_end_to_end() {
    for name in all() {
        let mut setup = dumbbell(&[name; 4], Rate::from_mbps(4.0), 20, 20.0);
        for link in setup.links.iter_mut().filter(|l| l.name.starts_with("access")) {
            link.config = lossy((*link.config).clone(), 0.02).into();
        }
        setup.warmup = Span::ZERO;
        for seed in 1..4 {
            let result = run(&setup, seed);
            conserved(&result);
            // On the forward path: what was sent is at the sink, lost, dropped or under way.
            let held: u64 = result
                .links
                .iter()
                .zip(&setup.links)
                .filter(|(_, l)| !l.name.ends_with(".back"))
                .map(|(r, _)| r.held)
                .sum();
            let sum = |of: fn(&atl_engine::result::FlowResult) -> u64| -> u64 {
                result.flows.iter().map(of).sum()
            };
            let accounted = sum(|f| f.arrived.expect("counted"))
                + sum(|f| f.dropped.expect("counted"))
                + sum(|f| f.lost.expect("counted"));
            // Links may also hold probes, which are not counted. The hosts' own random delay holds
            // at most what it was given and has not sent yet.
            let sent = sum(|f| f.sent);
            assert!(accounted <= sent, "{name}: {sent} {accounted}");
            assert!(sent <= accounted + held + 4 * 64, "{name}: {sent} {accounted} {held}");
            assert!(sum(|f| f.delivered.expect("counted")) <= sum(|f| f.arrived.expect("counted")));
        }
    }
}

#[test]
fn flows_of_one_protocol_share_fairly_without_phase_effects() {
    for name in ["newreno", "sack", "cubic", "tcp-atl", "sack/rack", "sack/quic"] {
        let setup = dumbbell(&[name; 5], Rate::from_mbps(10.0), 50, 300.0);
        let goodput: Vec<f64> = run(&setup, 3).flows.iter().map(|f| f.goodput_bps).collect();
        let (sum, squares) = goodput.iter().fold((0.0, 0.0), |(s, q), g| (s + g, q + g * g));
        let jain = sum * sum / (5.0 * squares);
        assert!(jain > 0.98, "{name}: Jain {jain}, {goodput:?}");
        assert!(sum > 0.95 * 10e6 * 1000.0 / 1040.0, "{name}: {sum}");
    }
}

/// Two runs of one setup agree in every number, and a further flow elsewhere changes nothing.
#[test]
fn the_same_seed_gives_the_same_run() {
    for name in all() {
        let mut setup = single(
            name,
            lossy(Config::constant(Rate::from_mbps(2.0), Span::from_millis(50), 50), 0.01),
            30.0,
        );
        setup.sample_every = Some(Span::from_millis(500));
        let (a, b) = (run(&setup, 5), run(&setup, 5));
        assert_eq!(format!("{a:?}"), format!("{b:?}"));
        assert_ne!(a.flows, run(&setup, 6).flows, "{name}: the seed makes no difference");

        let slow = Config::constant(Rate::from_mbps(1.0), Span::from_millis(5), 10);
        setup.nodes.push("c".into());
        setup.links.push(link("elsewhere", 1, 2, slow.clone()));
        setup.links.push(link("elsewhere.back", 2, 1, slow));
        setup.flows.push(crate::support::flow("other", "reno", &[2], &[3]));
        assert_eq!(run(&setup, 5).flows[0], a.flows[0], "{name}");
    }
}

#[test]
fn a_transfer_of_fixed_size_ends_when_its_last_byte_is_acknowledged() {
    let config = Config::constant(Rate::from_mbps(8.32), Span::from_millis(50), 1000);
    for name in all().filter(|name| crate::support::protocol(name).tcp().is_some()) {
        let mut setup = single(name, lossy(config.clone(), 0.005), 300.0);
        // 1500 bytes more than whole segments: the last one is not full.
        setup.flows[0].source = Source::Fixed { bytes: 1_001_500 };
        let flow = run(&setup, 2).flows.remove(0);
        let took = flow.completion_s.unwrap_or_else(|| panic!("{name} never ends"));
        // At least a millisecond per packet, and the round trips of slow start.
        assert!(took > 1.0 && took < 60.0, "{name}: {took} s");
        assert_eq!(flow.delivered, Some(1002));
        let goodput = 1_001_500.0 * 8.0 / took;
        assert!((flow.goodput_bps / goodput - 1.0).abs() < 1e-9);
    }
}

#[test]
fn a_handshake_costs_a_round_trip() {
    let config = Config::constant(Rate::from_mbps(100.0), Span::from_millis(50), 1000);
    let mut setup = single("sack", config, 30.0);
    setup.flows[0].source = Source::Fixed { bytes: 2_000 };
    let without = run(&setup, 1).flows[0].completion_s.expect("it ends");
    setup.flows[0].tcp.handshake = true;
    let with = run(&setup, 1).flows[0].completion_s.expect("it ends");
    assert!((with - without - 0.1).abs() < 0.001, "{with} {without}");
}

#[test]
fn delayed_acks_halve_the_acks_and_the_flow_still_fills_the_link() {
    let config = Config::constant(Rate::from_mbps(10.0), Span::from_millis(20), 50);
    let mut setup = single("sack", config, 60.0);
    setup.warmup = Span::from_secs(10);
    setup.flows[0].tcp.delayed_ack = Some(Span::from_millis(100));
    let result = run(&setup, 1);
    let ratio = result.links[1].offered as f64 / result.links[0].delivered as f64;
    assert!((0.5..0.55).contains(&ratio), "{ratio} ACKs a packet");
    assert!(result.flows[0].goodput_bps > 0.99 * 10e6 * 1000.0 / 1040.0);
}

#[test]
fn an_on_off_flow_sends_what_its_source_writes() {
    let config = Config::constant(Rate::from_mbps(10.0), Span::from_millis(20), 50);
    let mut setup = single("sack", config, 300.0);
    setup.flows[0].source = Source::OnOff {
        on: Span::from_secs(1),
        off: Span::from_secs(1),
        rate: Rate::from_mbps(4.0),
        exponential: false,
    };
    let goodput = run(&setup, 1).flows[0].goodput_bps;
    assert!((goodput / 2e6 - 1.0).abs() < 0.01, "{goodput}");
}

#[test]
fn every_tcp_survives_a_blackout_of_any_length() {
    for name in all().filter(|name| crate::support::protocol(name).tcp().is_some()) {
        for lasts in [10, 100, 1_000, 5_000] {
            let mut config = Config::constant(Rate::from_mbps(2.0), Span::from_millis(50), 50);
            // Those that send probes; the same for those that do not.
            config.queue = QueueConfig::Priority { packets: 50 };
            config.blackouts.push(atl_link::Blackout {
                at: atl_core::time::Time::from_millis(20_000),
                lasts: Span::from_millis(lasts),
                hold: false,
            });
            let mut setup = single(name, config, 60.0);
            setup.warmup = Span::from_secs(40);
            let flow = run(&setup, 1).flows.remove(0);
            // Ten packets that never become more fill a round trip: 100 ms, and 4.16 ms to send
            // one.
            let window =
                if name == "fixed-window" { 10.0 * 8000.0 / 0.10416 } else { f64::INFINITY };
            let share = flow.goodput_bps / window.min(2e6 * 1000.0 / 1040.0);
            assert!(share > 0.9, "{name} after {lasts} ms: {share} of what it can have");
        }
    }
}

#[test]
fn rtt_quantiles_are_those_of_the_path() {
    // 200 ms without a queue: every sample is 200 ms and the time to send 1040 bytes.
    let config = Config::constant(Rate::from_mbps(8.32), Span::from_millis(100), 10_000);
    let mut setup = single("sack", config, 20.0);
    setup.flows[0].tcp.receive_window = 50;
    let flow = run(&setup, 1).flows.remove(0);
    assert!((flow.rtt_min_s.expect("samples") - 0.201).abs() < 1e-6);
    assert!((flow.rtt_median_s.expect("samples") / 0.201 - 1.0).abs() < 2e-3);
    // Bursts of slow start wait for one another, one millisecond each, 50 at most.
    let p95 = flow.rtt_p95_s.expect("samples");
    assert!((0.2005..0.252).contains(&p95), "{p95}");
}
