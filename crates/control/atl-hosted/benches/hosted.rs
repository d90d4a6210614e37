//! Cost of the hosted baselines: one packet sent and one ACK of it, at a window of 100 packets.

use std::hint::black_box;

use atl_core::time::{Span, Time};
use atl_core::window::{Ack, BuildController, Sent, Start};
use atl_hosted::{bbr2, cubic};
use criterion::{Criterion, criterion_group, criterion_main};

const START: Start = Start::DEFAULT.initial_window(100.0).packet_bytes(1040).receive_window(10_000);
const RTT: Span = Span::from_millis(100);
const SPACING: Span = Span::from_millis(1);

fn one_ack(c: &mut Criterion) {
    let controllers = [
        ("cubic", cubic::Config::default().build(&START)),
        ("bbr2", bbr2::Config::default().build(&START)),
    ];
    let mut group = c.benchmark_group("sent and acked");
    for (name, mut controller) in controllers {
        let mut now = Time::ZERO;
        let mut tx = 0;
        group.bench_function(name, |b| {
            b.iter(|| {
                now += SPACING;
                let in_flight = 101.min(tx as u32 + 1);
                controller.on_sent(&Sent::new(now, tx, 1040, in_flight));
                if tx >= 100 {
                    let newest = tx - 100;
                    controller.on_ack(black_box(
                        &Ack::new(now)
                            .delivered(1)
                            .cumulative(1)
                            .newest(Some((newest, Time::from_nanos(now.nanos() - RTT.nanos()))))
                            .rtt(Some(RTT))
                            .srtt(RTT)
                            .rtt_min(RTT)
                            .in_flight(100),
                    ));
                }
                tx += 1;
                black_box(controller.window())
            });
        });
    }
    group.finish();
}

criterion_group!(benches, one_ack);
criterion_main!(benches);
