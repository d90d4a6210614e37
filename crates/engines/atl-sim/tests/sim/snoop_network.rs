//! Snoop in the simulator: nothing gets lost from the books, and TCP hardly notices the wireless
//! link's losses.

use crate::support::agent::{Wireless, wlan};
use atl_core::time::{Span, Time};
use atl_engine::result::RunResult;
use atl_engine::setup::{Agent, Setup, Snoop, Source};
use atl_link::{Blackout, Loss};
use atl_sim::Simulation;

const ENDS: [Wireless; 3] = [Wireless::Source, Wireless::Receiver, Wireless::Both];

fn run(setup: &Setup, seed: u64) -> RunResult {
    Simulation::new(setup, seed).run()
}

fn copies(result: &RunResult) -> u64 {
    result.links.iter().map(|l| l.local_retransmissions).sum()
}

#[test]
fn packets_are_conserved_copies_included() {
    for ends in ENDS {
        for name in ["reno", "sack", "tcp-atl", "bbr3"] {
            for (delay, seed) in [(Span::ZERO, 1), (Span::from_millis(7), 2)] {
                let snoop = Snoop { delay, ..Snoop::default() };
                let mut setup = wlan(name, ends, 0.05, Some(snoop), 20.0);
                // Requests and ACKs are lost too.
                for link in &mut setup.links {
                    let mut config = (*link.config).clone();
                    let p = atl_core::units::Probability::clamped(0.02);
                    if config.initial.loss == Loss::None && link.wireless {
                        config.initial.loss = Loss::Bernoulli(p);
                    }
                    link.config = config.into();
                }
                let result = run(&setup, seed);
                for link in &result.links {
                    assert_eq!(link.offered, link.delivered + link.dropped + link.lost + link.held);
                }
                let there = result.links.iter().zip(&setup.links);
                let held: u64 =
                    there.filter(|(_, l)| !l.name.ends_with(".back")).map(|(r, _)| r.held).sum();
                let flow = &result.flows[0];
                assert!(copies(&result) > 50, "{name} {ends:?}: {}", copies(&result));
                let out = flow.arrived.expect("counted")
                    + flow.dropped.expect("counted")
                    + flow.lost.expect("counted")
                    + held;
                let put_in = flow.sent + copies(&result);
                // The host's own delay and the agents' hold what is not accounted for.
                assert!(out <= put_in && put_in - out <= 64, "{name} {ends:?}: {put_in} {out}");
                assert!(flow.delivered.expect("counted") <= flow.arrived.expect("counted"));
            }
        }
    }
}

#[test]
fn the_wireless_loss_is_hidden_from_a_sack_sender() {
    for ends in [Wireless::Source, Wireless::Receiver] {
        // The share of the link's rate, timeouts and loss episodes of runs over four minutes.
        let measure = |snoop: Option<Snoop>, p: f64| {
            let result = run(&wlan("sack", ends, p, snoop, 240.0), 11);
            let flow = &result.flows[0];
            (
                flow.goodput_bps / (2e6 * 1000.0 / 1040.0),
                flow.timeouts.expect("counted"),
                flow.recoveries.expect("counted"),
            )
        };
        for p in [0.01, 0.05] {
            let (alone, _, episodes) = measure(None, p);
            let (with, timeouts, left) = measure(Some(Snoop::default()), p);
            let (ideal, _, own) = measure(None, 0.0);
            // The bound is the link's rate, less the share that goes into lost transmissions.
            assert!(with > 0.9 * ideal * (1.0 - p), "{ends:?} {p}: {with} of {ideal}");
            assert!(with > 1.15 * alone, "{ends:?} {p}: {with}, alone {alone}");
            assert!(timeouts <= 4, "{ends:?} {p}: {timeouts} timeouts");
            // Episodes are those of its own queue, as on a link without losses, and few others.
            assert!(left <= own + episodes / 20, "{ends:?} {p}: {left} of {episodes}, own {own}");
        }
    }
}

#[test]
fn two_wireless_ends_have_an_agent_each() {
    let alone = run(&wlan("sack", Wireless::Both, 0.02, None, 120.0), 5);
    let with = run(&wlan("sack", Wireless::Both, 0.02, Some(Snoop::default()), 120.0), 5);
    for link in [0, 2] {
        let repaired = with.links[link].local_retransmissions;
        let lost = with.links[link].lost;
        assert!(repaired * 10 > lost * 9, "link {link}: {repaired} copies, {lost} lost");
        assert_eq!(alone.links[link].local_retransmissions, 0);
    }
    let gain = with.flows[0].goodput_bps / alone.flows[0].goodput_bps;
    assert!(gain > 1.5, "{gain}");
}

#[test]
fn on_a_link_without_losses_it_changes_nothing() {
    for ends in ENDS {
        for name in ["reno", "sack", "westwood", "cubic"] {
            let setup = |snoop| {
                let mut setup = wlan(name, ends, 0.0, snoop, 30.0);
                // No queue overflows either.
                setup.flows[0].tcp.receive_window = 40;
                setup
            };
            let (with, without) = (run(&setup(Some(Snoop::default())), 3), run(&setup(None), 3));
            assert_eq!(with.flows, without.flows, "{name} {ends:?}");
            assert_eq!(copies(&with), 0, "{name} {ends:?}");
        }
    }
}

#[test]
fn its_delay_adds_to_the_round_trip_and_keeps_the_order() {
    for ends in ENDS {
        let rtt = |delay| {
            let mut setup =
                wlan("sack", ends, 0.0, Some(Snoop { delay, ..Snoop::default() }), 20.0);
            setup.flows[0].tcp.receive_window = 4;
            setup.flows[0].overhead = Span::ZERO;
            let flow = run(&setup, 1).flows.remove(0);
            assert_eq!((flow.retransmissions, flow.timeouts), (Some(0), Some(0)), "{ends:?}");
            flow.rtt_min_s.expect("samples")
        };
        // Data and ACKs, past each agent.
        let agents = if ends == Wireless::Both { 2.0 } else { 1.0 };
        let more = rtt(Span::from_millis(15)) - rtt(Span::ZERO);
        assert!((more - agents * 0.030).abs() < 1e-6, "{ends:?}: {more}");
    }
}

#[test]
fn a_transfer_ends_through_blackouts() {
    for ends in ENDS {
        for hold in [false, true] {
            let mut setup = wlan("sack", ends, 0.02, Some(Snoop::default()), 120.0);
            setup.flows[0].source = Source::Fixed { bytes: 5_000_000 };
            for link in &mut setup.links {
                let mut config = (*link.config).clone();
                for at in [3, 9] {
                    let (at, lasts) = (Time::from_millis(at * 1000), Span::from_secs(3));
                    config.blackouts.push(Blackout { at, lasts, hold });
                }
                link.config = config.into();
            }
            let flow = run(&setup, 4).flows.remove(0);
            assert_eq!(flow.delivered, Some(5_000), "{ends:?}");
            assert!(
                flow.completion_s.is_some_and(|t| t < 60.0),
                "{ends:?}: {:?}",
                flow.completion_s
            );
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    for ends in ENDS {
        let setup = wlan("sack", ends, 0.03, Some(Snoop::default()), 20.0);
        assert_eq!(format!("{:?}", run(&setup, 5)), format!("{:?}", run(&setup, 5)));
    }
}

#[test]
fn an_agent_that_sees_one_direction_only_does_nothing() {
    // ACKs go home by a link of their own.
    let mut setup = wlan("sack", Wireless::Source, 0.02, Some(Snoop::default()), 20.0);
    let mut around = setup.links[1].clone();
    (around.name, around.from, around.to) = ("around".into(), 2, 0);
    (around.wireless, around.agent) = (false, None);
    setup.links.push(around);
    setup.flows[0].paths[0].back = vec![4];
    assert_eq!(copies(&run(&setup, 1)), 0);
    // An access point needs two links.
    let mut setup = wlan("sack", Wireless::Source, 0.02, Some(Snoop::default()), 20.0);
    setup.flows[0].paths[0].forward = vec![0];
    setup.flows[0].paths[0].back = vec![1];
    assert_eq!(copies(&run(&setup, 1)), 0);
    assert!(matches!(setup.links[0].agent, Some(Agent::Snoop(_))));
}
