//! Nanoseconds per packet through a link that is never idle: one offer and one poll per packet.

use std::fmt::Write;
use std::hint::black_box;
use std::sync::Arc;

use atl_core::model::fading::{Modulation, Rayleigh, Snr, TwoState};
use atl_core::model::{Gilbert, PathChain};
use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_link::random::Stream;
use atl_link::trace::RateTrace;
use atl_link::{
    Channel, Config, Damage, Exit, Limit, Link, Loss, Packet, QueueConfig, Red, Service, Wred,
};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// As large as a simulated TCP segment.
#[derive(Clone, Copy)]
struct Segment {
    words: [u64; 5],
    bytes: u32,
    low: bool,
}

impl Packet for Segment {
    fn wire_bytes(&self) -> u32 {
        self.bytes
    }

    fn low_priority(&self) -> bool {
        self.low
    }
}

const ROUND: u64 = 1000;

/// Keeps 20 packets in the link: each one that comes out is replaced. `read` stands for the use of
/// a packet.
fn saturated<P: Packet + Copy>(
    c: &mut Criterion,
    (group, name): (&str, &str),
    config: Config,
    packet: P,
    read: fn(&P) -> u64,
) {
    let mut link = Link::new(Arc::new(config), Stream::new(1, "bench"));
    for _ in 0..20 {
        let _ = link.offer(Time::ZERO, packet);
    }
    let mut group = c.benchmark_group(group);
    group.throughput(Throughput::Elements(ROUND));
    group.bench_function(name, |b| {
        b.iter(|| {
            let mut sum = 0;
            for _ in 0..ROUND {
                let now = link.next_event();
                let front = link.front().copied();
                if let Some(packet) = front.filter(|_| link.delivers_front(now)) {
                    sum += read(&packet);
                } else if let Some(Exit::Delivered(packet) | Exit::Lost(packet, _)) = link.poll(now)
                {
                    sum += read(&packet);
                }
                if !link.takes(now, &packet) {
                    let _ = link.offer(now, packet);
                }
            }
            black_box(sum)
        });
    });
    group.finish();
}

fn segments(c: &mut Criterion, name: &str, service: Service, loss: Loss) {
    let mut config = Config::constant(Rate::from_mbps(8.0), Span::from_millis(10), 50);
    config.initial.service = service;
    config.initial.loss = loss;
    let segment = Segment { words: [1; 5], bytes: 1040, low: false };
    saturated(c, ("link", name), config, segment, |segment| segment.words[0]);
}

fn links(c: &mut Criterion) {
    let constant = || Service::Constant(Rate::from_mbps(8.0));
    let p = Probability::clamped;
    segments(c, "constant", constant(), Loss::None);
    segments(c, "bernoulli", constant(), Loss::Bernoulli(p(0.01)));
    let (to_bad, to_good) = (p(0.01), p(0.2));
    let (loss_good, loss_bad) = (p(0.0), p(1.0));
    let chain = Loss::GilbertElliott { to_bad, to_good, loss_good, loss_bad };
    segments(c, "gilbert-elliott", constant(), chain);
    let (wireless, congestion) = (Gilbert { to_bad, to_good }, Gilbert::independent(p(0.001)));
    segments(c, "path", constant(), Loss::Path(PathChain { wireless, congestion }));
    let mut text = String::new();
    for ms in 1..=60_000 {
        if ms % 3 != 0 {
            let _ = writeln!(text, "{ms}");
        }
    }
    let trace = Arc::new(RateTrace::parse(&text).expect("a good trace"));
    segments(c, "trace", Service::Trace(trace), Loss::None);
}

/// RED and WRED below their thresholds: what the average and the draw cost.
fn early(c: &mut Criterion) {
    let limit = Limit::Packets(200);
    for (name, queue) in [
        ("red", QueueConfig::Red(Red::after_floyd(limit))),
        ("wred", QueueConfig::Wred(Wred::after_cisco(limit))),
    ] {
        let mut config = Config::constant(Rate::from_mbps(8.0), Span::from_millis(10), 50);
        config.queue = queue;
        let segment = Segment { words: [1; 5], bytes: 1040, low: false };
        saturated(c, ("link", name), config, segment, |segment| segment.words[0]);
    }
}

/// A cell, which carries bit errors.
#[derive(Clone, Copy)]
struct Cell {
    words: [u64; 4],
    hits: u32,
}

impl Packet for Cell {
    fn wire_bytes(&self) -> u32 {
        53
    }

    fn damage(&mut self, damage: Damage) -> bool {
        self.hits += damage.hits;
        true
    }
}

/// Back-to-back cells.
fn cells(c: &mut Criterion, name: &str, rate: Rate, channel: Channel) {
    let mut config = Config::constant(rate, Span::from_millis(1), 50);
    config.initial.loss = Loss::Bits(channel);
    let cell = Cell { words: [1; 4], hits: 0 };
    saturated(c, ("cells", name), config, cell, |cell| cell.words[0] + u64::from(cell.hits));
}

fn channels(c: &mut Criterion) {
    let (slow, fast) = (Rate::from_mbps(2.0), Rate::from_mbps(155.52));
    let independent = |p| Channel::Independent(Probability::clamped(p));
    cells(c, "errors of 1e-6", slow, independent(1e-6));
    cells(c, "errors of 1e-4", slow, independent(1e-4));
    let modulation = Modulation::Dpsk;
    let fading = |doppler| Rayleigh { mean_snr: Snr::from_db(30.0), doppler };
    let rayleigh = |doppler| Channel::Fading { fading: fading(doppler), modulation };
    cells(c, "fading, 10 Hz, 2 Mb/s", slow, rayleigh(10.0));
    cells(c, "fading, 100 Hz, 2 Mb/s", slow, rayleigh(100.0));
    cells(c, "fading, 100 Hz, 155 Mb/s", fast, rayleigh(100.0));
    let threshold = TwoState::threshold(&fading(10.0), modulation, 424);
    let states = TwoState::new(&fading(10.0), modulation, threshold).expect("two states");
    cells(c, "two states, 10 Hz, 2 Mb/s", slow, Channel::TwoState(states));
}

/// A full priority queue: each packet that comes out is replaced by one of high priority, followed
/// by one of low priority, which the next packet of high priority pushes out.
fn pushed_out(c: &mut Criterion) {
    let mut config = Config::constant(Rate::from_mbps(8.0), Span::from_millis(10), 50);
    config.queue = QueueConfig::Priority { packets: 50 };
    let mut link = Link::new(Arc::new(config), Stream::new(1, "bench"));
    let high = Segment { words: [1; 5], bytes: 1040, low: false };
    let low = Segment { low: true, ..high };
    for _ in 0..50 {
        let _ = link.offer(Time::ZERO, high);
    }
    let mut group = c.benchmark_group("link");
    group.throughput(Throughput::Elements(2 * ROUND));
    group.bench_function("priority", |b| {
        b.iter(|| {
            let mut dropped = 0;
            for _ in 0..ROUND {
                let now = link.next_event();
                black_box(link.delivers_front(now));
                for packet in [high, low] {
                    let mut out = link.offer(now, packet).err();
                    while out.is_some() {
                        dropped += 1;
                        out = link.next_dropped();
                    }
                }
            }
            black_box(dropped)
        });
    });
    group.finish();
}

fn traces(c: &mut Criterion) {
    let mut text = String::new();
    for n in 0..500_000 {
        let _ = writeln!(text, "{}", n / 4);
    }
    let mut group = c.benchmark_group("trace");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("parse", |b| b.iter(|| RateTrace::parse(black_box(&text))));
    group.finish();
}

fn random(c: &mut Criterion) {
    let mut stream = Stream::new(1, "bench");
    let mut group = c.benchmark_group("random");
    group.bench_function("next_u64", |b| b.iter(|| stream.next_u64()));
    group.bench_function("uniform", |b| b.iter(|| stream.uniform()));
    group.bench_function("exponential", |b| b.iter(|| stream.exponential(1.0)));
    group.finish();
}

criterion_group!(benches, links, early, channels, pushed_out, traces, random);
criterion_main!(benches);
