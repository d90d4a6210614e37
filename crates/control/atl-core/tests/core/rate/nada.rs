//! NADA in a closed loop: its steady state by RFC 8698, and the effect of losses.

use crate::support::paced::{Outcome, Path, Run, START};
use atl_core::rate::{RateConfig, nada};
use atl_core::time::Span;

/// The outcome of two minutes after the first, and the smoothed round-trip time at the end, in ms.
fn settled(path: Path) -> (Outcome, f64) {
    let mut run = Run::new(&RateConfig::from(nada::Config::default()), &START, path);
    run.stretch(60.0);
    let outcome = run.stretch(120.0);
    let srtt = run.ledger.rtt().srtt().expect("feedback came");
    (outcome, srtt.millis())
}

#[test]
fn it_fills_a_bottleneck_with_the_queue_that_the_rfc_tells() {
    for (rate, delay) in [(20.0, 50), (100.0, 5), (100.0, 50), (200.0, 50)] {
        let path = Path { rate, delay: Span::from_millis(delay), ..Path::default() };
        let (outcome, srtt) = settled(path);
        assert!(outcome.goodput() > 0.97 * rate, "{rate}/s at {delay} ms: {outcome:?}");
        assert_eq!(outcome.dropped, 0, "{rate}/s at {delay} ms");
        // Sec. 4.3: in the steady state x_curr is XREF RMAX / r.
        let queueing = srtt - 2.0 * delay as f64 - 1e3 / rate;
        let told = 10.0 * START.target / rate;
        assert!((queueing - told).abs() < 2.0, "{rate}/s at {delay} ms: {queueing}, not {told}");
    }
}

#[test]
fn a_percent_of_random_loss_costs_little_and_five_cost_most_of_it() {
    let goodput = |loss| settled(Path { rate: 1000.0, loss, ..Path::default() }).0.goodput();
    // At a loss of PLRREF the loss weighs as much as all of XREF does at RMAX.
    assert!(goodput(0.001) > 0.95 * START.target);
    assert!(goodput(0.01) > 0.85 * START.target);
    assert!(goodput(0.05) < 0.25 * START.target);
}

#[test]
fn it_makes_room_within_seconds_and_takes_it_back() {
    let config = RateConfig::from(nada::Config::default());
    let mut run = Run::new(&config, &START, Path { queue: 100, ..Path::default() });
    run.stretch(60.0);
    run.path.rate = 50.0;
    run.stretch(5.0);
    assert!(run.sender.rate() < 55.0, "{}", run.sender.rate());
    run.path.rate = 200.0;
    run.stretch(15.0);
    assert!(run.sender.rate() > 150.0, "{}", run.sender.rate());
}

#[test]
fn reports_each_100_ms_serve_as_well_as_acks() {
    use atl_core::rate::{FeedbackMode, Ledger};
    use atl_core::time::Time;
    let config = RateConfig::from(nada::Config::default());
    let mode = FeedbackMode::Reports { every: Span::from_millis(100) };
    let (sender, receiver) = (config.build(&START), config.build_receiver(mode));
    let mut run = Run::resume(sender, Ledger::new(), receiver, Time::ZERO, Path::default());
    run.stretch(60.0);
    let outcome = run.stretch(60.0);
    assert!(outcome.goodput() > 97.0, "{outcome:?}");
    assert_eq!(outcome.dropped, 0);
}
