//! Freeze-TCP: a connection that is warned of an interruption loses neither its window nor its
//! timer.

use crate::support::{flow, link};
use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_engine::result::RunResult;
use atl_engine::setup::Setup;
use atl_link::{Blackout, Config};
use atl_sim::Simulation;

/// Wired hop, then the receiver's wireless one (or the reverse), which is dead from 20 s on.
fn path(receiver: bool, lasts_ms: u64, freeze: bool) -> Setup {
    let wired = Config::constant(Rate::from_mbps(10.0), Span::from_millis(10), 100);
    let mut air = Config::constant(Rate::from_mbps(5.0), Span::from_millis(40), 100);
    let blackout =
        |at, ms| Blackout { at: Time::from_millis(at), lasts: Span::from_millis(ms), hold: false };
    air.blackouts = vec![blackout(20_000, lasts_ms)];
    let hops = if receiver { [wired, air] } else { [air, wired] };
    let mut links = Vec::new();
    for (i, config) in hops.into_iter().enumerate() {
        let wireless = (i == 1) == receiver;
        for (name, from, to) in [("there", i, i + 1), ("back", i + 1, i)] {
            let mut link = link(&format!("{i}-{name}"), from, to, config.clone());
            link.wireless = wireless;
            links.push(link);
        }
    }
    let mut flow = flow("flow", "newreno", &[0, 2], &[3, 1]);
    flow.protocol.tcp_mut().expect("a TCP").freeze = freeze.then(|| Span::from_millis(300));
    flow.tcp.receive_window = 80;
    Setup {
        nodes: (0..3).map(|n| n.to_string()).collect(),
        links,
        flows: vec![flow],
        mobiles: Vec::new(),
        map: None,
        duration: Span::from_secs_f64(40.0),
        warmup: Span::ZERO,
        sample_every: Some(Span::from_millis(100)),
    }
}

fn run(setup: &Setup) -> RunResult {
    Simulation::new(setup, 1).run()
}

fn cwnd(result: &RunResult, at: f64) -> f64 {
    result.samples.iter().find(|s| s.time_s >= at).and_then(|s| s.cwnd).unwrap_or(0.0)
}

fn delivered(result: &RunResult, from: f64, to: f64) -> u64 {
    let at =
        |t: f64| result.samples.iter().find(|s| s.time_s >= t).map_or(0, |s| s.delivered_bytes);
    at(to) - at(from)
}

#[test]
fn a_frozen_connection_keeps_its_window_and_has_no_timeout() {
    for receiver in [true, false] {
        for lasts in [500, 3000] {
            let frozen = run(&path(receiver, lasts, true));
            let plain = run(&path(receiver, lasts, false));
            assert!(
                plain.flows[0].timeouts.expect("counted") > 0,
                "the interruption hurts a plain TCP"
            );
            assert_eq!(frozen.flows[0].timeouts, Some(0), "receiver {receiver}, {lasts} ms");
            assert_eq!(frozen.flows[0].lost, Some(0), "all was acknowledged before the link went");
            let end = 20.0 + lasts as f64 / 1e3;
            assert!(cwnd(&frozen, end + 0.1) >= cwnd(&frozen, 19.0));
            let (with, without) =
                (delivered(&frozen, end, end + 2.0), delivered(&plain, end, end + 2.0));
            assert!(with as f64 > 1.2 * without as f64, "{with} over {without}");
        }
    }
}

#[test]
fn nothing_is_sent_while_frozen() {
    let result = run(&path(true, 3000, true));
    let during = result.samples.iter().filter(|s| s.time_s > 20.2 && s.time_s < 22.9);
    for sample in during {
        // Window probes are one packet each, a second or more apart.
        assert!(sample.throughput_bps <= 8.0 * 1040.0 / 0.1, "{sample:?}");
        assert!(sample.goodput_bps < 1.0, "{sample:?}");
    }
}

#[test]
fn it_resumes_even_if_every_ack_that_opens_the_window_is_lost() {
    // The reverse path is dead for a second longer: only the sender's own probe finds the window
    // open.
    let mut setup = path(true, 1000, true);
    let mut back = (*setup.links[3].config).clone();
    back.blackouts[0].lasts = Span::from_secs(2);
    setup.links[3].config = std::sync::Arc::new(back);
    let result = run(&setup);
    assert_eq!(delivered(&result, 21.0, 21.9), 0);
    assert!(delivered(&result, 22.0, 26.0) > 1_000_000);
    assert_eq!(result.flows[0].timeouts, Some(0));
}

/// Both hosts have a wireless link; the receiver's goes first, the sender's later.
fn both_ends(recovery: &str) -> Setup {
    let mut setup = path(true, 1000, true);
    for link in &mut setup.links {
        link.wireless = true;
    }
    for hop in [0, 1] {
        let mut config = (*setup.links[hop].config).clone();
        config.blackouts = vec![Blackout {
            at: Time::from_millis(30_000),
            lasts: Span::from_secs(3),
            hold: false,
        }];
        setup.links[hop].config = std::sync::Arc::new(config);
    }
    setup.flows[0].protocol.tcp_mut().expect("a TCP").recovery =
        crate::support::tcp(recovery).recovery;
    setup
}

#[test]
fn a_receiver_whose_window_is_open_does_not_thaw_a_sender_whose_own_link_is_down() {
    for recovery in ["newreno", "sack", "sack/rack", "sack/quic"] {
        let flow = &run(&both_ends(recovery)).flows[0];
        assert_eq!(
            (flow.timeouts, flow.lost, flow.retransmissions),
            (Some(0), Some(0), Some(0)),
            "{recovery}"
        );
    }
}

#[test]
fn rack_does_not_take_a_pause_for_a_loss() {
    for receiver in [true, false] {
        for lasts in [500, 3000] {
            let mut setup = path(receiver, lasts, true);
            setup.flows[0].protocol.tcp_mut().expect("a TCP").recovery =
                crate::support::tcp("sack/rack").recovery;
            let result = run(&setup);
            let flow = &result.flows[0];
            assert_eq!((flow.timeouts, flow.lost, flow.recoveries), (Some(0), Some(0), Some(0)));
            // At most the tail's probe.
            let again = flow.retransmissions.expect("counted");
            assert!(again <= 1, "{again}");
            let end = 20.0 + lasts as f64 / 1e3;
            assert!(cwnd(&result, end + 0.1) >= cwnd(&result, 19.0));
        }
    }
}

/// One packet in fifty is lost, so that some timer of RACK is running at many pauses; the pauses
/// follow each other.
#[test]
fn pauses_in_the_middle_of_a_repair_neither_turn_time_back_nor_stop_the_flow() {
    for receiver in [true, false] {
        for protocol in ["sack/rack", "newreno", "peach-plus", "wtcp"] {
            let mut setup = path(receiver, 3000, true);
            let (there, home) = if receiver { (2, 3) } else { (0, 1) };
            for link in [there, home] {
                let mut config = crate::support::lossy((*setup.links[link].config).clone(), 0.02);
                config.blackouts = (0..20)
                    .map(|k| Blackout {
                        at: Time::from_millis(5000 + 700 * k),
                        lasts: Span::from_millis(200),
                        hold: false,
                    })
                    .collect();
                setup.links[link].config = std::sync::Arc::new(config);
            }
            let freeze = setup.flows[0].protocol.tcp().expect("a TCP").freeze;
            setup.flows[0].protocol = crate::support::protocol(protocol);
            setup.flows[0].protocol.tcp_mut().expect("a TCP").freeze = freeze;
            for seed in 1..=5 {
                let result = Simulation::new(&setup, seed).run();
                let during = delivered(&result, 5.0, 19.0);
                assert!(during > 100_000, "{protocol}, {receiver}, {seed}: {during}");
            }
        }
    }
}

#[test]
fn an_interruption_ahead_of_a_flow_does_not_start_it() {
    for receiver in [true, false] {
        let mut setup = path(receiver, 1000, true);
        setup.flows[0].start = Time::from_millis(30_000);
        let result = run(&setup);
        assert_eq!(delivered(&result, 1.0, 30.0), 0);
        let sent: f64 =
            result.samples.iter().filter(|s| s.time_s <= 30.0).map(|s| s.throughput_bps).sum();
        assert!(sent < 1.0, "{sent}");
        assert!(delivered(&result, 30.0, 39.0) > 1_000_000);
    }
}
