//! Each queue discipline under loads that answer its signals, so that a change of its behaviour
//! shows.
//!
//! A line is a run: the packets that arrived, that were dropped and that were marked, and a digest
//! of the time and the fate of each. After an intended change
//! `INSTA_UPDATE=always cargo test -p atl-link --test link recorded` records them anew; the commit
//! says why they changed.

use std::fmt::Write;
use std::sync::Arc;

use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_link::random::Stream;
use atl_link::{
    AckFilter, Cake, Change, CoDel, Config, DropCurve, DropTail, DualPi2, Ecn, Exit, FqCoDel,
    Limit, Link, Packet, Pie, Policer, QueueAverage, QueueConfig, Red, Service, Wred,
};

/// The rate of the link in Mb/s, and seconds of a run.
const MBPS: f64 = 4.0;
const SECS: f64 = 8.0;

#[derive(Clone, Copy, Debug)]
struct Load {
    number: u64,
    bytes: u32,
    flow: u64,
    low: bool,
    ecn: Ecn,
}

impl Packet for Load {
    fn wire_bytes(&self) -> u32 {
        self.bytes
    }

    fn low_priority(&self) -> bool {
        self.low
    }

    fn flow(&self) -> u64 {
        self.flow
    }

    fn ecn(&self) -> Ecn {
        self.ecn
    }

    fn mark(&mut self) {
        if self.ecn.is_capable() {
            self.ecn = Ecn::Ce;
        }
    }
}

/// The load that all senders offer, and the marks and priorities in it.
#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    flows: u64,
    /// Shares of packets with ECT(0) and with ECT(1), and of those with low priority.
    ect0: f64,
    ect1: f64,
    low: f64,
    /// Share of short packets.
    short: f64,
    /// Load over the link's rate where nothing is signalled.
    most: f64,
}

const KINDS: [Kind; 4] = [
    Kind { name: "plain", flows: 3, ect0: 0.0, ect1: 0.0, low: 0.2, short: 0.1, most: 1.4 },
    Kind { name: "ECN", flows: 40, ect0: 0.9, ect1: 0.0, low: 0.0, short: 0.5, most: 2.5 },
    Kind { name: "L4S", flows: 5, ect0: 0.2, ect1: 0.5, low: 0.0, short: 0.0, most: 3.0 },
    Kind { name: "flood", flows: 1, ect0: 0.3, ect1: 0.1, low: 0.5, short: 0.3, most: 6.0 },
];

#[derive(Default)]
struct Run {
    digest: u64,
    arrived: u32,
    dropped: u32,
    marked: u32,
    /// Share of the load that the signals leave.
    share: f64,
}

impl Run {
    fn word(&mut self, word: u64) {
        let mixed = (self.digest ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.digest = mixed ^ (mixed >> 29);
    }

    fn fate(&mut self, at: Time, packet: &Load, dropped: bool) {
        let marked = packet.ecn == Ecn::Ce;
        self.word(at.nanos());
        self.word(packet.number << 2 | u64::from(dropped) << 1 | u64::from(marked));
        self.dropped += u32::from(dropped);
        self.arrived += u32::from(!dropped);
        self.marked += u32::from(marked && !dropped);
        let answered = self.share * if dropped || marked { 0.9 } else { 1.0 };
        self.share = (answered + 0.004).clamp(0.05, 1.0);
    }

    fn poll(&mut self, link: &mut Link<Load>, until: Time) {
        while link.next_event() <= until {
            let at = link.next_event();
            match link.poll(at) {
                Some(Exit::Delivered(packet)) => self.fate(at, &packet, false),
                Some(Exit::Dropped(packet, at)) => self.fate(at, &packet, true),
                Some(other) => self.word(matches!(other, Exit::Changed(_)).into()),
                None => {}
            }
        }
    }
}

fn run(queue: &QueueConfig, kind: &Kind) -> Run {
    let mut config = Config::constant(Rate::from_mbps(MBPS), Span::from_millis(3), 1);
    config.queue = queue.clone();
    let mut to = config.initial.clone();
    to.service = Service::Constant(Rate::from_mbps(MBPS / 5.0));
    config.schedule = vec![
        Change { at: Time::from_secs_f64(0.6 * SECS), to },
        Change { at: Time::from_secs_f64(0.75 * SECS), to: config.initial.clone() },
    ];
    let mut link = Link::new(Arc::new(config), Stream::new(5, "queue"));
    let mut draws = Stream::new(kind.flows, "load");
    let mut run = Run { share: 1.0, ..Run::default() };
    let (mut now, mut number) = (0.0, 0);
    while now < SECS {
        // Mostly what the signals leave; now and then little, a burst, or next to nothing.
        let phase = (now / 0.3) as u64 % 8;
        let share = run.share;
        let shares = [share, share, 0.3, share, share, 2.0, share, 0.05];
        let load = kind.most * shares[phase as usize];
        let bytes = if draws.chance(kind.short) { 60 } else { 300 + draws.below(1200) as u32 };
        let kind_of_ecn = draws.uniform();
        let packet = Load {
            number,
            bytes,
            flow: draws.below(kind.flows),
            low: draws.chance(kind.low),
            ecn: match kind_of_ecn {
                x if x < kind.ect0 => Ecn::Ect0,
                x if x < kind.ect0 + kind.ect1 => Ecn::Ect1,
                _ => Ecn::NotEct,
            },
        };
        let at = Time::from_secs_f64(now);
        run.poll(&mut link, at);
        if let Err(packet) = link.offer(at, packet) {
            run.fate(at, &packet, true);
        }
        number += 1;
        now += draws.exponential(8.0 * f64::from(bytes) / (load * MBPS * 1e6));
    }
    run.poll(&mut link, Time::from_secs_f64(SECS + 60.0));
    run
}

fn text(queues: &[(&str, QueueConfig)]) -> String {
    let mut text = String::new();
    for (name, queue) in queues {
        for kind in &KINDS {
            let Run { digest, arrived, dropped, marked, .. } = run(queue, kind);
            writeln!(text, "{name:20} {:5} {digest:016x} {arrived} {dropped} {marked}", kind.name)
                .expect("a text takes what it is given");
        }
    }
    text
}

fn custom<C: Into<atl_link::DisciplineConfig>>(limit: Limit, discipline: C) -> QueueConfig {
    QueueConfig::Custom { limit, discipline: discipline.into() }
}

const PACKETS: Limit = Limit::Packets(100);
const BYTES: Limit = Limit::Bytes(30_000);

#[test]
fn those_without_a_law_are_as_they_were() {
    let policer = |burst| Policer { rate: Rate::from_mbps(2.0), burst };
    let acks = |keep, one_in| AckFilter { keep, one_in, ..AckFilter::default() };
    insta::assert_snapshot!(
        "plain",
        text(&[
            ("drop tail", QueueConfig::DropTail { packets: 20 }),
            ("drop tail, bytes", QueueConfig::DropTailBytes { bytes: 20_000 }),
            ("priority", QueueConfig::Priority { packets: 20 }),
            ("priority, bytes", QueueConfig::PriorityBytes { bytes: 20_000 }),
            ("policer", custom(PACKETS, policer(15_000))),
            ("policer, short", custom(BYTES, policer(1600))),
            ("ACK filter", custom(PACKETS, AckFilter::default())),
            ("ACK filter, 1", custom(BYTES, acks(1, 1))),
            ("ACK filter, 1 in 3", custom(PACKETS, acks(3, 3))),
        ])
    );
}

#[test]
fn those_with_an_average_are_as_they_were() {
    let drop = Probability::clamped(0.1);
    let (gentle, adaptive) = (true, true);
    let red = Red {
        limit: PACKETS,
        average: QueueAverage { weight: Probability::clamped(0.02), ..QueueAverage::default() },
        curve: DropCurve { min: 5.0, max: 15.0, drop },
        gentle: false,
        adaptive: false,
    };
    let wred = Wred {
        limit: PACKETS,
        average: red.average,
        high: DropCurve { min: 10.0, max: 30.0, drop },
        low: DropCurve { min: 3.0, max: 12.0, drop },
        gentle,
    };
    let bytes = DropCurve { min: 4000.0, max: 14_000.0, drop };
    insta::assert_snapshot!(
        "average",
        text(&[
            ("RED", QueueConfig::Red(red)),
            ("RED, gentle", QueueConfig::Red(Red { gentle, ..red })),
            ("RED, adaptive", QueueConfig::Red(Red { adaptive, gentle, ..red })),
            ("RED, bytes", QueueConfig::Red(Red { limit: BYTES, curve: bytes, ..red })),
            ("WRED", QueueConfig::Wred(wred)),
            ("WRED, not gentle", QueueConfig::Wred(Wred { gentle: false, ..wred })),
        ])
    );
}

#[test]
fn those_of_codel_are_as_they_were() {
    let standard = CoDel::default();
    let quick = CoDel { target: Span::from_millis(2), interval: Span::from_millis(20), ..standard };
    let few = FqCoDel { flows: 4, quantum: 300, drop_batch: 3, ..FqCoDel::default() };
    insta::assert_snapshot!(
        "codel",
        text(&[
            ("CoDel", custom(PACKETS, standard)),
            ("CoDel, bytes", custom(BYTES, standard)),
            ("CoDel, no marks", custom(PACKETS, CoDel { ecn: false, ..standard })),
            ("CoDel, quick", custom(PACKETS, CoDel { mtu: 300, ..quick })),
            ("FQ-CoDel", custom(PACKETS, FqCoDel::default())),
            ("FQ-CoDel, few", custom(PACKETS, few)),
            ("FQ-CoDel, memory", {
                custom(PACKETS, FqCoDel { memory_limit: Some(20_000), codel: quick, ..few })
            }),
        ])
    );
}

#[test]
fn those_of_cake_are_as_they_were() {
    let standard = Cake::default();
    let rate = Some(Rate::from_mbps(MBPS));
    let quick = Cake { target: Span::from_millis(1), interval: Span::from_millis(15), ..standard };
    insta::assert_snapshot!(
        "cake",
        text(&[
            ("CAKE", custom(PACKETS, standard)),
            ("CAKE, short", custom(Limit::Packets(25), standard)),
            ("CAKE, bytes", custom(BYTES, standard)),
            ("CAKE, known rate", custom(PACKETS, Cake { rate, ..standard })),
            ("CAKE, 1 queue", custom(BYTES, Cake { flows: 1, ..standard })),
            ("CAKE, 8 queues", custom(BYTES, Cake { flows: 8, ..quick })),
            ("CAKE, 16 queues", custom(PACKETS, Cake { flows: 16, rate, ..quick })),
        ])
    );
}

#[test]
fn those_of_a_controller_are_as_they_were() {
    let (pie, dual) = (Pie::default(), DualPi2::default());
    let burst = Pie { max_burst: Span::ZERO, mark_up_to: 0.6, ..pie };
    let strong = Pie { alpha: 2.0, beta: 9.0, target: Span::from_millis(5), ..pie };
    let step = DualPi2 { step: Span::from_millis(4), step_packets: 2, protection: 0.4, ..dual };
    let meek = DualPi2 { coupling: 1.0, alpha: 2.0, beta: 6.0, mtu: 400, ..dual };
    insta::assert_snapshot!(
        "controllers",
        text(&[
            ("PIE", custom(PACKETS, pie)),
            ("PIE, no marks", custom(PACKETS, Pie { ecn: false, ..pie })),
            ("PIE, no burst", custom(BYTES, burst)),
            ("PIE, strong", custom(PACKETS, Pie { mean_packet: 300, ..strong })),
            ("DualPI2", custom(PACKETS, dual)),
            ("DualPI2, bytes", custom(BYTES, dual)),
            ("DualPI2, step", custom(PACKETS, step)),
            ("DualPI2, meek", custom(PACKETS, meek)),
            ("DualPI2, no drops", { custom(PACKETS, DualPi2 { drop_on_overload: false, ..meek }) }),
        ])
    );
}

#[test]
fn one_of_others_is_as_it_was() {
    // The link's own first in, first out, as somebody else's.
    let queue = || custom(Limit::Packets(20), Fifo);
    let own = text(&[("queue", QueueConfig::DropTail { packets: 20 })]);
    assert_eq!(text(&[("queue", queue())]), own);
}

#[derive(Debug, PartialEq)]
struct Fifo;

impl atl_link::BuildDiscipline for Fifo {
    fn build(&self, limit: Limit, _: Stream) -> Box<dyn atl_link::QueueDiscipline + Send> {
        Box::new(DropTail::new(limit))
    }
}
