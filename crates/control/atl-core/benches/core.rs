//! Cost of the core per packet. It shares the simulator's budget of 350 ns a packet with everything
//! else.

use std::hint::black_box;

use atl_core::measure::{Counts, OutcomeWindow, RttConfig, RttEstimator};
use atl_core::model::{AtlInput, RateForm, rcp_atl, tcp_atl};
use atl_core::path::{LinkReport, SplitRules};
use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_core::window::ledger::{Ledger, LedgerConfig, NumberSpace, SentPacket};
use atl_core::window::{
    Ack, Arrived, Controller, ControllerConfig, Loss, Sent, Start, WindowController, atl, bbr3,
    cubic, peach, peach_plus, reno, tahoe, vegas, westwood, wtcp,
};
use criterion::{Criterion, criterion_group, criterion_main};

const RTT: Span = Span::from_millis(120);

fn configs() -> [(&'static str, ControllerConfig); 11] {
    [
        ("reno", ControllerConfig::from(reno::Config::default())),
        ("westwood", ControllerConfig::from(westwood::Config::default())),
        ("tahoe", ControllerConfig::from(tahoe::Config::default())),
        ("vegas", ControllerConfig::from(vegas::Config::default())),
        ("cubic", ControllerConfig::from(cubic::Config::default())),
        ("bbr3", ControllerConfig::from(bbr3::Config::default())),
        ("peach", ControllerConfig::from(peach::Config::default())),
        ("peach-plus", ControllerConfig::from(peach_plus::Config(peach::Config::default()))),
        ("tcp-atl", ControllerConfig::from(atl::Config::default())),
        ("tcp-atl-robust", ControllerConfig::from(atl::robust::Config::default())),
        ("wtcp", ControllerConfig::from(wtcp::Config::default())),
    ]
}

fn start() -> Start {
    Start::default()
        .initial_window(30.0)
        .packet_bytes(1040)
        .access_rate(Some(Rate::from_mbps(2.0)))
        .receive_window(10_000)
}

/// A controller in congestion avoidance on a lossy link.
fn controller(config: &ControllerConfig) -> Controller {
    let mut controller = config.build(&start());
    let report = LinkReport { loss: Probability::clamped(0.01), delay: Span::from_millis(50) };
    controller.on_link_report(Time::ZERO, &report);
    for tx in 0..500 {
        packet(&mut controller, tx);
        if tx % 100 == 99 {
            controller.on_loss(&loss(tx));
        }
    }
    controller
}

fn at(tx: u64) -> Time {
    Time::from_nanos(tx * 4_000_000)
}

fn loss(tx: u64) -> Loss {
    Loss::new(at(tx), tx, 1040, 30).link_failures(1)
}

/// One packet's events: sent, and acknowledged an RTT later.
fn packet(controller: &mut Controller, tx: u64) {
    controller.on_sent(&Sent::new(at(tx), tx, 1040, 30));
    controller.on_ack(
        &Ack::new(at(tx))
            .delivered(1)
            .cumulative(1)
            .newest(Some((tx, at(tx) - RTT)))
            .rtt(Some(RTT))
            .srtt(RTT)
            .rtt_min(RTT)
            .in_flight(30),
    );
}

fn controllers(c: &mut Criterion) {
    let mut group = c.benchmark_group("packet");
    for (name, config) in configs() {
        let mut controller = controller(&config);
        let mut tx = 500;
        group.bench_function(name, |b| {
            b.iter(|| {
                packet(&mut controller, black_box(tx));
                tx += 1;
                controller.window()
            });
        });
    }
    group.finish();
    let mut group = c.benchmark_group("loss");
    for (name, config) in configs() {
        let mut controller = controller(&config);
        let mut tx = 500;
        group.bench_function(name, |b| {
            b.iter(|| {
                controller.on_loss(&loss(black_box(tx)));
                tx += 1;
                controller.window()
            });
        });
    }
    group.finish();
}

/// A packet at the receiver's half; one in a hundred is lost.
fn receivers(c: &mut Criterion) {
    let mut group = c.benchmark_group("arrival");
    let config = ControllerConfig::from(wtcp::Config::default());
    let mut receiver = config.build_receiver(&start()).expect("WTCP has two halves");
    let mut tx = 0;
    group.bench_function("wtcp", |b| {
        b.iter(|| {
            tx += if tx % 100 == 98 { 2 } else { 1 };
            let now = at(black_box(tx));
            receiver.on_data(&Arrived::new(now, tx, now - RTT / 2, 1040));
            receiver.rate()
        });
    });
    group.finish();
}

fn estimators(c: &mut Criterion) {
    let mut group = c.benchmark_group("measure");
    let mut rtt = RttEstimator::new(RttConfig::default());
    let mut n = 0u64;
    group.bench_function("rtt sample and timeout", |b| {
        b.iter(|| {
            n = n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            rtt.on_sample(Span::from_nanos(100_000_000 + (n >> 38)));
            rtt.rto()
        });
    });
    let mut window = OutcomeWindow::new(RTT * 10, 50);
    let mut tx = 0;
    group.bench_function("outcome", |b| {
        b.iter(|| {
            tx += 1;
            window.record(at(black_box(tx)), Counts { delivered: 1, ..Counts::default() });
        });
    });
    group.finish();
}

fn equations(c: &mut Criterion) {
    let mut group = c.benchmark_group("model");
    let link = LinkReport { loss: Probability::clamped(0.01), delay: Span::from_millis(150) };
    let rules = SplitRules { packets: Some(400), ..SplitRules::default() };
    let input = AtlInput::default();
    let (p, rtt) = (Probability::clamped(0.02), Span::from_millis(360));
    group.bench_function("tcp-atl", |b| {
        b.iter(|| tcp_atl(black_box(p), rtt, black_box(link), rules, &input));
    });
    for form in [RateForm::Published, RateForm::Mended] {
        group.bench_function(format!("rcp-atl {form:?}"), |b| {
            b.iter(|| rcp_atl(black_box(p), rtt, black_box(link), rules, &input, form));
        });
    }
    group.finish();
}

/// A packet through a ledger: sent, and acknowledged with the one before it, a window later; one in
/// a hundred is lost.
fn ledger(c: &mut Criterion) {
    let mut group = c.benchmark_group("ledger");
    for (name, config) in
        configs().into_iter().filter(|(name, _)| ["reno", "tcp-atl"].contains(name))
    {
        let config_of = LedgerConfig::default().packet_bytes(1040);
        let mut ledger = Ledger::new(config.build(&start()), config_of);
        let mut number = 0;
        group.bench_function(name, |b| {
            b.iter(|| {
                let now = at(black_box(number));
                ledger.on_sent(&SentPacket::new(now, number, 1040));
                if number >= 200 && number % 2 == 1 {
                    let last = number - 30;
                    // As QUIC does, with the range before the last loss again.
                    let lost = last - last % 100;
                    let ranges =
                        [lost + 1..=last.max(lost + 1), lost.saturating_sub(99)..=lost - 1];
                    ledger.on_ack_ranges(now, NumberSpace::Data, ranges, Span::ZERO);
                    black_box(ledger.detect_losses(now).len());
                }
                number += 1;
                ledger.may_send(now, 1040)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, controllers, ledger, receivers, estimators, equations);
criterion_main!(benches);
