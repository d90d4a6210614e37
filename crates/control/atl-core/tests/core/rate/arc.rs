//! ARC on a path in virtual time.

use crate::support::paced::{Outcome, Path, Run, START};
use atl_core::model::arc_throughput;
use atl_core::path::LinkReport;
use atl_core::rate::{RateConfig, RateStart, arc};
use atl_core::time::Span;
use atl_core::units::Probability;

/// 400 packets/s and a round trip of 500 ms, where TCP suffers from every loss.
fn far() -> Path {
    Path { rate: 400.0, queue: 200, delay: Span::from_millis(250), ..Path::default() }
}

fn target(target: f64) -> RateStart {
    START.target(target)
}

fn run(path: Path, start: &RateStart, secs: f64) -> Outcome {
    let mut run = Run::new(&RateConfig::from(arc::Config::default()), start, path);
    run.stretch(0.5 * secs);
    run.stretch(secs)
}

#[test]
fn probing_finds_what_is_free_and_sends_no_data_meanwhile() {
    let config = RateConfig::from(arc::Config::default());
    let mut flow = Run::new(&config, &target(1000.0), far());
    // A packet, and probes at the target while its ACK is on the way: 400 of the 1000 packets/s
    // come through, from 250 ms on; those that are acknowledged by the end left the queue by 500
    // ms.
    let outcome = flow.stretch(1.0);
    assert_eq!(outcome.sent, 1);
    assert!((495..=505).contains(&outcome.probes), "{outcome:?}");
    assert!((290..=305).contains(&outcome.probes_delivered), "{outcome:?}");
    let outcome = flow.stretch(0.5);
    assert!((385.0..=415.0).contains(&outcome.rate), "{outcome:?}");
    assert_eq!(outcome.probes, 0);
}

#[test]
fn marked_losses_cost_nothing_and_unmarked_ones_what_they_cost_a_tcp() {
    let lossy = Path { loss: 0.02, ..far() };
    let unmarked = run(lossy, &target(400.0), 200.0);
    // ARC paper, eq. 21 at 0.02 and the bare round trip: 38 packets/s. The wired path is idle.
    let model = arc_throughput(Probability::clamped(0.02), Span::from_millis(500));
    let expected = model.expect("a rate");
    assert!((unmarked.rate / expected - 1.0).abs() < 0.15, "{unmarked:?}, not {expected}");
    let marked = run(Path { marked: true, ..lossy }, &target(400.0), 200.0);
    assert!(marked.goodput() > 0.95 * 0.98 * 400.0, "{marked:?}");
    assert_eq!(marked.decreases, 0);
}

#[test]
fn a_receiver_s_share_serves_as_well_up_to_its_gain() {
    let claim = LinkReport { loss: Probability::clamped(0.02), delay: Span::from_millis(10) };
    let lossy = Path { loss: 0.02, peer: Some(claim), ..far() };
    let bound = 4.0 * arc_throughput(claim.loss, Span::from_millis(500)).expect("a rate");
    let claimed = run(lossy, &target(400.0), 200.0);
    assert!((0.75 * bound..1.25 * bound).contains(&claimed.rate), "{claimed:?}, bound {bound}");
}

#[test]
fn it_keeps_a_bottleneck_busy_and_its_losses_few() {
    for marked in [false, true] {
        let path = Path { marked, loss: if marked { 0.05 } else { 0.0 }, ..Path::default() };
        let outcome = run(path, &START, 200.0);
        let through = 1.0 - path.loss;
        assert!(outcome.goodput() > 0.9 * 100.0 * through.min(1.0), "{outcome:?}");
        assert!(outcome.dropped as f64 / (outcome.sent as f64) < 0.06, "{outcome:?}");
    }
}

#[test]
fn reports_serve_as_well_as_acks() {
    let config = RateConfig::from(arc::Config::default());
    let every = Span::from_millis(250);
    let receiver = config.build_receiver(atl_core::rate::FeedbackMode::Reports { every });
    let path = Path { loss: 0.02, marked: true, ..far() };
    let controller = config.build(&target(400.0));
    let ledger = atl_core::rate::Ledger::new();
    let mut flow = Run::resume(controller, ledger, receiver, atl_core::time::Time::ZERO, path);
    flow.stretch(100.0);
    let outcome = flow.stretch(200.0);
    assert!(outcome.goodput() > 0.9 * 0.98 * 400.0, "{outcome:?}");
}
