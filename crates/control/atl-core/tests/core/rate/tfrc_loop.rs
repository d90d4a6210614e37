//! TFRC's two ends together on a path: statements of RFC 5348 and its authors about a flow as a
//! whole.

use crate::support::paced::{PACKET, Path, Run};
use atl_core::rate::tfrc::{Config, Equation};
use atl_core::rate::{RateConfig, RateStart};
use atl_core::time::Span;

fn flow(config: &Config, target: f64, path: Path) -> Run {
    let start = RateStart::default().packet_bytes(PACKET).target(target).seed(1);
    Run::new(&RateConfig::from(*config), &start, path)
}

/// A path that loses at random and never queues.
fn lossy(delay_ms: u64, loss: f64) -> Path {
    Path { rate: 1e6, queue: 1000, delay: Span::from_millis(delay_ms), loss, ..Path::default() }
}

/// Rate over that of the equation at the loss event rate and RTT measured meanwhile, over 1500 loss
/// events at least.
fn ratio(config: &Config, delay_ms: u64, loss: f64) -> f64 {
    let mut flow = flow(config, 1e6, lossy(delay_ms, loss));
    flow.stretch(60.0);
    let (mut secs, mut sent, mut loss_events) = (0.0, 0, 0);
    while loss_events < 1500 {
        let outcome = flow.stretch(60.0);
        secs += outcome.secs;
        sent += outcome.sent;
        loss_events += outcome.loss_events;
    }
    let p = loss_events as f64 / sent as f64;
    sent as f64 / secs / config.equation().throughput(p, 0.002 * delay_ms as f64)
}

fn holds_to_its_equation(config: &Config, delay_ms: u64, loss: f64) {
    let found = ratio(config, delay_ms, loss);
    assert!((found - 1.0).abs() < 0.1, "loss {loss}, delay {delay_ms} ms: {found}, {config:?}");
}

/// Sec. 3.1: where losses are steady, the sender keeps to the equation.
#[test]
fn a_steady_loss_gives_what_the_equation_gives() {
    for loss in [1e-3, 3e-3, 1e-2, 2e-2, 5e-2] {
        holds_to_its_equation(&Config::default(), 25, loss);
    }
    for loss in [3e-3, 5e-2] {
        holds_to_its_equation(&Config::default(), 110, loss);
    }
}

#[test]
fn so_it_does_with_each_of_its_options() {
    let standard = Config::default();
    for loss in [1e-2, 5e-2] {
        let plain = Config { history_discounting: false, ..standard };
        let slow = Config { min_rto: 1.0, packets_per_ack: 2.0, ..standard };
        let damped = Config { reduce_oscillations: true, ..standard };
        for config in [plain, slow, damped] {
            holds_to_its_equation(&config, 50, loss);
        }
    }
}

/// A flow alone fills its link, with a queue of a bandwidth-delay product or a fifth of one.
#[test]
fn a_flow_alone_fills_its_link() {
    for (queue, least) in [(10, 0.98), (25, 0.98), (50, 0.98)] {
        for reduce_oscillations in [false, true] {
            let config = Config { reduce_oscillations, ..Config::default() };
            let path =
                Path { rate: 250.0, queue, delay: Span::from_millis(100), ..Path::default() };
            let mut flow = flow(&config, 1e4, path);
            flow.stretch(60.0);
            let outcome = flow.stretch(300.0);
            let (share, loss) = (outcome.goodput() / 250.0, outcome.loss());
            assert!(share > least, "queue {queue}: {share}");
            assert!(loss < 0.002, "queue {queue}: {loss}");
        }
    }
}

/// Sec. 4.3: "the sender can approximately double the sending rate each round-trip time until a
/// loss occurs". By its pseudocode it doubles in every second one, because a report covers packets
/// sent from two to one R ago.
#[test]
fn slow_start_reaches_its_target_in_a_few_round_trips() {
    let path = Path { rate: 1e5, queue: 1000, delay: Span::from_millis(50), ..Path::default() };
    let mut flow = flow(&Config::default(), 2000.0, path);
    // 4 packets per RTT after the first one, then 4, 8, 16 and 32 times that, each for two round
    // trips.
    let mut rates = Vec::new();
    flow.stretch(0.05);
    for _ in 0..12 {
        flow.stretch(0.1);
        rates.push((flow.sender.rate() / 40.0).round());
    }
    assert_eq!(rates, [1.0, 2.0, 4.0, 4.0, 8.0, 8.0, 15.0, 16.0, 31.0, 33.0, 50.0, 50.0]);
}

/// Sec. 6.3.1: "TFRC assumes that the correct data rate after the first loss is half of the maximum
/// sending rate before the loss occurred": slow start ends near the rate of the link, not far
/// below.
#[test]
fn slow_start_ends_near_the_rate_of_the_link() {
    let path = Path { rate: 250.0, queue: 50, delay: Span::from_millis(100), ..Path::default() };
    let mut flow = flow(&Config::default(), 1e5, path);
    flow.stretch(5.0);
    let rate = flow.sender.rate();
    assert!((100.0..400.0).contains(&rate), "{rate}");
}

/// Sec. 4.4: "it cuts its sending rate in half" each four round-trip times without feedback.
#[test]
fn silence_halves_the_rate_each_four_round_trips() {
    let mut flow = flow(&Config::default(), 1e6, lossy(50, 0.01));
    flow.stretch(60.0);
    let before = flow.sender.rate();
    flow.path.loss_back = 1.0;
    // Reports in flight still arrive.
    flow.stretch(0.1);
    let outcome = flow.stretch(1.6);
    let found = flow.sender.rate() / before;
    // Four times, or three where the first report was late.
    assert!((1.0 / 20.0..1.0 / 6.0).contains(&found), "{found} {outcome:?}");
    flow.stretch(3000.0);
    assert!((flow.sender.rate() - 1.0 / 64.0).abs() < 1e-12, "{}", flow.sender.rate());
    flow.path.loss_back = 0.0;
    flow.stretch(300.0);
    assert!(flow.sender.rate() > 0.5 * before, "{} {before}", flow.sender.rate());
}

/// Sec. 4.3: while the application sends little, the allowed rate stays, and is available when it
/// is needed again.
#[test]
fn a_data_limited_flow_keeps_its_allowed_rate() {
    let config = Config::default();
    let mut flow = flow(&config, 1e6, lossy(50, 0.005));
    flow.stretch(120.0);
    flow.path.loss = 0.0;
    flow.stretch(5.0);
    let before = flow.sender.rate();
    flow.application = before / 10.0;
    flow.stretch(20.0);
    assert!(flow.sender.rate() >= before, "{} {before}", flow.sender.rate());
    flow.application = f64::INFINITY;
    assert!(flow.stretch(1.0).sent as f64 > 0.9 * before);
}

/// p is the loss in the forward direction alone.
#[test]
fn lost_reports_are_no_lost_packets() {
    let equation = Equation::default();
    let mut flow = flow(&Config::default(), 1e6, lossy(50, 0.01));
    flow.path.loss_back = 0.3;
    flow.stretch(60.0);
    let outcome = flow.stretch(900.0);
    let p = outcome.loss_events as f64 / outcome.sent as f64;
    let found = outcome.sent as f64 / outcome.secs / equation.throughput(p, 0.1);
    assert!((found - 1.0).abs() < 0.1, "{found}");
}
