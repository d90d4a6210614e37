//! Marks in the simulator: queues mark, receivers tell, senders slow down, and nothing is lost.

use std::sync::Arc;

use atl_core::rate::FeedbackMode;
use atl_core::time::Span;
use atl_core::units::Rate;
use atl_endpoint::tcp::EcnMode;
use atl_engine::result::RunResult;
use atl_engine::setup::{PacedEcn, Setup};
use atl_link::{CoDel, Config, DisciplineConfig, EcnRule, Limit, QueueConfig};
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
    setup.links[1].config = Arc::new(back);
    let result = run(&setup, 1);
    assert_eq!(result.flows[0].dropped, Some(0));
    assert!(result.flows[0].goodput_bps > 8.5e6, "{:.3e}", result.flows[0].goodput_bps);
}

/// rfc9768 3.1.2: The ends use what both support, and data flows with that: a peer that knows RFC
/// 3168 alone, or nothing of ECN, makes no difference to whether a connection works.
#[test]
fn a_handshake_negotiates_the_feedback() {
    let with = |peer, handshake| {
        let mut setup = marking("prague", None, 5);
        let tcp = &mut setup.flows[0].tcp;
        (tcp.peer_ecn, tcp.handshake) = (Some(peer), handshake);
        let result = run(&setup, 1);
        let flow = &result.flows[0];
        (flow.marked, flow.dropped, flow.goodput_bps)
    };
    for handshake in [false, true] {
        let (marked, dropped, bps) = with(EcnMode::Accurate, handshake);
        assert!(marked.is_some_and(|marked| marked > 0) && dropped == Some(0) && bps > 9e6);
        let (marked, dropped, bps) = with(EcnMode::Classic, handshake);
        assert!(marked.is_some_and(|marked| marked > 0) && dropped == Some(0) && bps > 5e6);
        let (marked, dropped, bps) = with(EcnMode::Off, handshake);
        assert!(marked.is_none() && dropped.is_some_and(|dropped| dropped > 0) && bps > 8e6);
    }
}

/// Six of ten ACKs are lost, and many that arrive answer more than seven packets: three bits alone
/// show too many marks, which the AccECN option puts right.
#[test]
fn the_option_keeps_lost_acks_from_looking_like_marks() {
    let with = |option: bool, loss: f64| {
        let mut setup = marking("prague", None, 20);
        setup.flows[0].tcp.ecn_option = option;
        let mut back = Config::clone(&setup.links[1].config);
        let loss = atl_core::units::Probability::clamped(loss);
        back.initial.loss = atl_link::Loss::Bernoulli(loss);
        setup.links[1].config = Arc::new(back);
        run(&setup, 1).flows[0].goodput_bps
    };
    let (whole, guessed, told) = (with(false, 0.0), with(false, 0.6), with(true, 0.6));
    let said = format!("{whole:.3e}, {guessed:.3e} without the option, {told:.3e} with it");
    assert!(told > 0.98 * whole && guessed < 0.96 * whole, "{said}");
}

/// TCP behind a link that clears the field: nothing is marked, the queue drops, and the flow goes
/// on. Behind one that marks all: one reduction a round trip, and the flow goes on too.
#[test]
fn classic_ecn_copes_with_links_that_spoil_the_field() {
    let spoiled = |ecn| {
        let mut setup = marking("sack", Some(EcnMode::Classic), 60);
        let config = Config::clone(&setup.links[0].config);
        setup.links[0].config = Arc::new(Config { ecn, ..config });
        run(&setup, 1)
    };
    let bleached = spoiled(EcnRule::Bleach);
    assert_eq!(bleached.flows[0].marked, Some(0));
    assert!(bleached.flows[0].dropped.is_some_and(|dropped| dropped > 0));
    assert!(bleached.flows[0].goodput_bps > 8.5e6);
    let marked = spoiled(EcnRule::MarkAll);
    assert!(share(&marked) > 0.99, "{}", share(&marked));
    assert_eq!(marked.flows[0].dropped, Some(0));
    // Two packets of 1040 bytes in 40 ms or a few more.
    let bps = marked.flows[0].goodput_bps;
    assert!((0.2e6..1.5e6).contains(&bps), "{bps}");
}

/// 4 Mb/s and 40 ms with a queue of 100 packets that marks from 20 on, and a paced flow that wants
/// 10 Mb/s.
fn paced(protocol: &str, ecn: PacedEcn, feedback: Option<FeedbackMode>) -> Setup {
    let config = Config::constant(Rate::from_mbps(4.0), Span::from_millis(20), 100);
    let mut setup = single(protocol, Config { mark_at: Some(20), ..config }, 60.0);
    setup.warmup = Span::from_secs(10);
    let pacing = &mut setup.flows[0].pacing;
    (pacing.ecn, pacing.feedback) = (ecn, feedback);
    setup
}

/// Each rate control slows down for marks before the queue drops, with ACKs and with reports, and
/// uses the link.
#[test]
fn paced_flows_answer_marks() {
    let reports = Some(FeedbackMode::Reports { every: Span::from_millis(100) });
    for (name, feedback) in [
        ("rap", None),
        ("rcp-atl", None),
        ("rcp-atl", reports),
        ("rcs", None),
        ("aimd-rate", reports),
        ("tfrc", None),
        ("tfrc", Some(FeedbackMode::Acks)),
    ] {
        let without = run(&paced(name, PacedEcn::Off, feedback), 1);
        assert_eq!((without.flows[0].marked, without.links[0].marked), (None, None));
        let result = run(&paced(name, PacedEcn::Ect0, feedback), 1);
        let flow = &result.flows[0];
        let said = format!(
            "{name} {feedback:?}: {:.2} Mb/s, {:?} marked, {:?} dropped, without ECN {:.2} and {:?}",
            flow.goodput_bps / 1e6,
            flow.marked,
            flow.dropped,
            without.flows[0].goodput_bps / 1e6,
            without.flows[0].dropped,
        );
        assert!(flow.marked.is_some_and(|marked| marked > 0), "{said}");
        assert_eq!(flow.dropped, Some(0), "{said}");
        assert!(flow.goodput_bps > 0.7 * without.flows[0].goodput_bps, "{said}");
    }
}

/// NADA counts marks in its congestion signal: CoDel spares its packets, and it slows down.
#[test]
fn nada_answers_the_marks_of_codel() {
    let through = |ecn| {
        let mut setup = paced("nada", ecn, None);
        let mut config = Config::clone(&setup.links[0].config);
        let discipline = DisciplineConfig::from(CoDel::default());
        config.queue = QueueConfig::Custom { limit: Limit::Packets(1000), discipline };
        config.mark_at = None;
        setup.links[0].config = Arc::new(config);
        run(&setup, 1)
    };
    let [without, with] = [PacedEcn::Off, PacedEcn::Ect0].map(through);
    assert!(without.flows[0].dropped.is_some_and(|dropped| dropped > 0));
    let flow = &with.flows[0];
    assert!(flow.marked.is_some_and(|marked| marked > 0) && flow.dropped == Some(0));
    assert!(flow.goodput_bps > 2.5e6, "{:.3e}", flow.goodput_bps);
}

/// A path that loses half of its ACKs tells the same marks: each ACK repeats those before it.
#[test]
fn marks_of_paced_flows_survive_lost_acks() {
    let [all, half] = [0.0, 0.5].map(|loss| {
        let mut setup = paced("rcp-atl", PacedEcn::Ect0, None);
        let mut back = Config::clone(&setup.links[1].config);
        let loss = atl_core::units::Probability::clamped(loss);
        back.initial.loss = atl_link::Loss::Bernoulli(loss);
        setup.links[1].config = Arc::new(back);
        let result = run(&setup, 1);
        assert_eq!(result.flows[0].dropped, Some(0));
        result.flows[0].goodput_bps
    });
    // A sender that missed half of the marks would be faster, and one that counted them twice
    // slower.
    assert!((half / all - 1.0).abs() < 0.05, "{half:.3e} {all:.3e}");
}

/// The same flow through two links: a queue that marks from 20 packets on, and then a link with
/// this rule for the ECN field.
fn spoiled(protocol: &str, ecn: PacedEcn, feedback: Option<FeedbackMode>, rule: EcnRule) -> Setup {
    let mut setup = paced(protocol, ecn, feedback);
    let mut second = Config::clone(&setup.links[0].config);
    second.initial.service = atl_link::Service::Constant(Rate::from_mbps(20.0));
    (second.mark_at, second.ecn) = (None, rule);
    let mut link = setup.links[0].clone();
    (link.name, link.config) = ("second".into(), Arc::new(second));
    setup.links.push(link);
    let index = setup.links.len() - 1;
    setup.flows[0].paths[0].forward.push(index);
    setup
}

/// rfc6679 7.4: A paced flow whose marks a network clears goes on without ECN, so that the queue
/// drops and the flow hears of it: it does as well as a flow without ECN, and fills no queue that
/// nobody tells it of.
#[test]
fn a_paced_flow_behind_a_link_that_bleaches_falls_back() {
    let reports = Some(FeedbackMode::Reports { every: Span::from_millis(100) });
    for (name, feedback) in [("rcp-atl", None), ("rcp-atl", reports), ("tfrc", None), ("rap", None)]
    {
        let without = run(&spoiled(name, PacedEcn::Off, feedback, EcnRule::Bleach), 1);
        let with = run(&spoiled(name, PacedEcn::Ect0, feedback, EcnRule::Bleach), 1);
        let (without, with) = (&without.flows[0], &with.flows[0]);
        let said = format!("{name} {feedback:?}: {:?} {:?}", without.dropped, with.dropped);
        assert_eq!(with.marked, Some(0), "{said}");
        assert!(with.dropped.is_some_and(|dropped| dropped > 0), "{said}");
        let ratio = with.goodput_bps / without.goodput_bps;
        assert!((0.9..1.1).contains(&ratio), "{said}: {ratio}");
    }
}

/// rfc6679 7.4: Behind a link that marks everything a paced flow goes on without ECN after ten
/// seconds, and its rate comes back; before, it ended at its least.
#[test]
fn a_paced_flow_behind_a_link_that_marks_everything_falls_back() {
    let reports = Some(FeedbackMode::Reports { every: Span::from_millis(100) });
    for (name, feedback) in [("rcp-atl", None), ("rcp-atl", reports), ("rap", None), ("nada", None)]
    {
        let setup = spoiled(name, PacedEcn::Ect0, feedback, EcnRule::MarkAll);
        let long = Setup { duration: Span::from_secs(200), warmup: Span::from_secs(150), ..setup };
        let flow = &run(&long, 1).flows[0];
        let said = format!("{name} {feedback:?}: {:.2} Mb/s", flow.goodput_bps / 1e6);
        assert!(flow.goodput_bps > 2.5e6, "{said}");
        assert_eq!(flow.marked, Some(0), "{said}");
    }
}
