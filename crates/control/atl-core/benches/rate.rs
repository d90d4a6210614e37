//! Cost of a rate controller per feedback: at most 100 ns.

use std::hint::black_box;

use atl_core::path::LinkReport;
use atl_core::rate::{
    Arrived, Feedback, FeedbackMode, Ledger, Lost, RateConfig, RateController, RateStart, Report,
    Sent, aimd, arc, lda, nada, rap, rcp_atl, rcs, tfrc,
};
use atl_core::time::{Span, Time};
use atl_core::units::Probability;
use criterion::{Criterion, criterion_group, criterion_main};

const RTT: Span = Span::from_millis(120);

fn configs() -> Vec<(&'static str, RateConfig)> {
    vec![
        ("aimd-rate", RateConfig::from(aimd::Config::default())),
        ("lda-plus", RateConfig::from(lda::Config::default())),
        ("rcp-atl", RateConfig::from(rcp_atl::Config::default())),
        ("nada", RateConfig::from(nada::Config::default())),
        ("tfrc", RateConfig::from(tfrc::Config::default())),
        ("rap", RateConfig::from(rap::Config::default())),
        ("rcs", RateConfig::from(rcs::Config::default())),
        ("arc", RateConfig::from(arc::Config::default())),
    ]
}

/// A flow of 250 packets/s on a path of 120 ms.
struct Flow {
    controller: Box<dyn RateController>,
    reports: bool,
    seq: u64,
}

fn at(seq: u64) -> Time {
    Time::from_nanos(seq * 4_000_000)
}

impl Flow {
    /// A controller in its steady state on a lossy link.
    fn new(config: &RateConfig) -> Self {
        let start = RateStart::default().packet_bytes(1040).target(500.0);
        let reports = config.feedback() != FeedbackMode::Acks;
        let mut flow = Flow { controller: config.build(&start), reports, seq: 0 };
        let report = LinkReport { loss: Probability::clamped(0.01), delay: Span::from_millis(50) };
        flow.controller.on_link_report(Time::ZERO, &report);
        for seq in 0..2000 {
            flow.feedback(u32::from(seq % 100 == 99));
        }
        flow
    }

    /// A packet is sent, and one sent an RTT ago is reported as arrived, or `lost` of them as lost.
    fn feedback(&mut self, lost: u32) {
        let (seq, now) = (self.seq, at(self.seq));
        self.seq += 1;
        self.controller.on_sent(&Sent::new(now, seq, 1040));
        let newest = seq.saturating_sub(30);
        let losses = [Lost::new(newest.saturating_sub(3), now - RTT).link_failure(true)];
        let report = Report::default()
            .highest(newest)
            .received(newest)
            .cumulative_lost(0)
            .fraction_lost(f64::from(lost))
            .echo(now - RTT)
            .receive_rate(Some(250.0))
            .loss_event_rate(Some(0.01));
        self.controller.on_feedback(
            &Feedback::new(now)
                .delivered(1 - lost)
                .losses(&losses[..lost as usize])
                .newest(Some((newest, now - RTT)))
                .rtt(Some(RTT))
                .srtt(RTT)
                .rtt_min(RTT)
                .in_flight(30)
                .report(self.reports.then_some(&report)),
        );
        if self.controller.next_timeout().is_some_and(|due| due <= now) {
            self.controller.on_tick(now);
        }
    }
}

fn controllers(c: &mut Criterion) {
    for (group, lost) in [("rate-delivered", 0), ("rate-lost", 1)] {
        let mut group = c.benchmark_group(group);
        for (name, config) in configs() {
            let mut flow = Flow::new(&config);
            group.bench_function(name, |b| {
                b.iter(|| {
                    flow.feedback(black_box(lost));
                    flow.controller.rate()
                });
            });
        }
        group.finish();
    }
}

fn receivers(c: &mut Criterion) {
    let mut group = c.benchmark_group("rate-receiver");
    for (name, config) in configs() {
        let Some(mut receiver) = config.build_receiver(FeedbackMode::Own) else { continue };
        let mut seq = 0;
        group.bench_function(name, |b| {
            b.iter(|| {
                // One in a hundred is missing.
                seq += if seq % 100 == 98 { 2 } else { 1 };
                let now = at(seq);
                let arrived = Arrived::new(now, seq, now - RTT, 1040).rtt(RTT);
                let due = receiver.next_timeout().is_some_and(|due| due <= now);
                if receiver.on_data(black_box(&arrived)) || due && receiver.on_tick(now) {
                    black_box(receiver.report(now));
                }
            });
        });
    }
    group.finish();
}

fn ledger(c: &mut Criterion) {
    c.bench_function("rate-ledger", |b| {
        let mut ledger = Ledger::new();
        for seq in 0..30 {
            ledger.on_sent(at(seq), false);
        }
        b.iter(|| {
            let now = at(ledger.on_sent(Time::ZERO, false));
            let seq = now.nanos() / 4_000_000 - 30;
            let rtt = ledger.on_ack(now, seq, now - RTT, u32::MAX);
            black_box(ledger.feedback(now, Some((seq, now - RTT)), rtt, None));
            ledger.clear_feedback();
        });
    });
}

criterion_group!(benches, controllers, receivers, ledger);
criterion_main!(benches);
