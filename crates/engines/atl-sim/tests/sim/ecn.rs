//! Marks in the simulator: queues mark, receivers tell, senders slow down, and nothing is lost.

use atl_core::time::Span;
use atl_core::units::Rate;
use atl_endpoint::tcp::EcnMode;
use atl_engine::result::RunResult;
use atl_engine::setup::Setup;
use atl_link::Config;
use atl_sim::Simulation;

use crate::support::single;

/// 10 Mb/s and 40 ms, with a queue of 200 packets that marks from `mark_at` on.
fn marking(protocol: &str, ecn: Option<EcnMode>, mark_at: u32) -> Setup {
    let config = Config::constant(Rate::from_mbps(10.0), Span::from_millis(20), 200);
    let mut setup = single(protocol, Config { mark_at: Some(mark_at), ..config }, 30.0);
    setup.warmup = Span::from_secs(5);
    setup.flows[0].tcp.ecn = ecn;
    setup
}

fn run(setup: &Setup, seed: u64) -> RunResult {
    Simulation::new(setup, seed).run()
}

fn share(result: &RunResult) -> f64 {
    result.flows[0].marked_share().expect("with ECN")
}

/// Each law of the catalogue that keeps a window and answers congestion fills the link between the
/// marks, and its queue stays short of the end: nothing is dropped.
#[test]
fn marks_take_the_place_of_drops() {
    for name in ["reno", "sack", "cubic", "westwood", "tcp-atl", "prague", "dctcp"] {
        for ecn in [EcnMode::Classic, EcnMode::Accurate] {
            let result = run(&marking(name, Some(ecn), 60), 1);
            let flow = &result.flows[0];
            assert!(flow.goodput_bps > 8.5e6, "{name} {ecn:?}: {:.2e} b/s", flow.goodput_bps);
            assert_eq!((flow.dropped, flow.retransmissions), (Some(0), Some(0)), "{name} {ecn:?}");
            assert!(flow.marked.is_some_and(|marked| marked > 0), "{name} {ecn:?}");
            let link = result.links[0].marked.expect("the queue has marked");
            assert!(link >= flow.marked.unwrap_or(0), "{name}: {link} of {:?}", flow.marked);
        }
    }
}

/// Without ECN the same queue drops, and a flow says nothing of marks.
#[test]
fn without_ecn_nothing_is_marked() {
    let result = run(&marking("sack", None, 60), 1);
    assert_eq!((result.flows[0].marked, result.flows[0].marked_share()), (None, None));
    assert!(result.flows[0].dropped.is_some_and(|dropped| dropped > 0));
}

/// A queue that marks at 5 packets, a ninth of the path's 48: Prague and DCTCP take many marks and
/// keep the link full, where a law that halves for each round of marks cannot.
#[test]
fn a_scalable_law_fills_the_link_through_a_short_queue() {
    let [prague, dctcp, sack] =
        ["prague", "dctcp", "sack"].map(|name| run(&marking(name, Some(EcnMode::Accurate), 5), 1));
    for (name, result) in [("prague", &prague), ("dctcp", &dctcp)] {
        let flow = &result.flows[0];
        assert!(flow.goodput_bps > 9.0e6, "{name}: {:.3e} b/s", flow.goodput_bps);
        let queue = flow.queueing_p95_s().expect("samples");
        // 10 packets of 1040 bytes take 8 ms.
        assert!(queue < 0.010, "{name}: {queue} s");
        assert!(share(result) > 3.0 * share(&sack), "{name}: {} {}", share(result), share(&sack));
    }
    assert!(sack.flows[0].goodput_bps < 0.95 * prague.flows[0].goodput_bps);
}

/// Delayed ACKs, lost ACKs and the handshake change nothing of that.
#[test]
fn marks_survive_delayed_and_lost_acks() {
    let mut setup = marking("prague", None, 5);
    let flow = &mut setup.flows[0];
    flow.tcp.delayed_ack = Some(Span::from_millis(100));
    flow.tcp.handshake = true;
    let mut back = Config::clone(&setup.links[1].config);
    back.initial.loss = atl_link::Loss::Bernoulli(atl_core::units::Probability::clamped(0.2));
    setup.links[1].config = std::sync::Arc::new(back);
    let result = run(&setup, 1);
    assert_eq!(result.flows[0].dropped, Some(0));
    assert!(result.flows[0].goodput_bps > 8.5e6, "{:.3e}", result.flows[0].goodput_bps);
}
