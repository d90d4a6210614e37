//! RCS worked out by hand, and on a path.

use crate::support::paced::{Path, Run};
use crate::support::rates::is;
use atl_core::rate::rcs::{Config, Rcs, Reading};
use atl_core::rate::{Feedback, Lost, RateConfig, RateController, RateStart};
use atl_core::time::{Span, Time};
use atl_core::window::ProbeAck;

const READINGS: [Reading; 2] = [Reading::Literal, Reading::Robust];

fn ms(ms: u64) -> Time {
    Time::from_millis(ms)
}

/// A satellite's path: 250 packets per second, 360 ms, and a queue of as many packets as elsewhere.
const SATELLITE: Path = Path {
    rate: 250.0,
    queue: 50,
    delay: Span::from_millis(180),
    loss: 0.0,
    marked: false,
    loss_back: 0.0,
    others: 0.0,
    link: None,
    peer: None,
};

/// RCS on this path, with this target in packets per second.
fn on(path: Path, target: f64, reading: Reading) -> Run {
    let start = RateStart::default().packet_bytes(1040).target(target);
    Run::new(&RateConfig::from(Config { reading }), &start, path)
}

fn answer(rcs: &mut Rcs, now: u64, number: u64) {
    rcs.on_probe_ack(&ProbeAck::new(ms(now), number, Span::from_millis(100)));
}

/// Wakes it until `end`, and returns the times of its dummies in ms.
fn wake(rcs: &mut Rcs, end: u64) -> Vec<u64> {
    let mut dummies = Vec::new();
    while let Some(due) = rcs.next_timeout().filter(|&due| due <= ms(end)) {
        rcs.on_tick(due);
        while rcs.poll_probe(due) {
            dummies.push(due.nanos() / 1_000_000);
        }
    }
    dummies
}

/// In Steady with an RTT of 100 ms, at 210 ms; `answered` of 10 dummies, sent in one RTT, have come
/// back.
fn steady(reading: Reading, answered: u64) -> Rcs {
    let start = RateStart::default().packet_bytes(1040).target(100.0);
    let mut rcs = Rcs::new(&Config { reading }, &start);
    assert!(!rcs.sends_data());
    assert!(!rcs.poll_probe(Time::ZERO), "a gap first");
    let first = wake(&mut rcs, 109);
    assert_eq!(first, [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
    for number in 0..answered {
        answer(&mut rcs, 110 + 10 * number, number);
        assert_eq!(wake(&mut rcs, 115 + 10 * number), [0u64; 0], "they end with the first ACK");
    }
    wake(&mut rcs, 209);
    assert!(!rcs.sends_data());
    wake(&mut rcs, 210);
    assert!(rcs.sends_data());
    rcs
}

fn feedback(now: u64, losses: &[Lost]) -> Feedback<'_> {
    Feedback::new(ms(now))
        .delivered(1)
        .losses(losses)
        .newest(Some((0, ms(now - 100))))
        .rtt(Some(Span::from_millis(100)))
        .srtt(Span::from_millis(100))
        .rtt_min(Span::from_millis(100))
        .in_flight(1)
}

fn lost(sent: u64) -> Lost {
    Lost::new(sent, ms(sent))
}

/// At the target of 100 packets per second, at 400 ms.
fn at_target(reading: Reading) -> Rcs {
    let mut rcs = steady(reading, 10);
    is(&rcs, 100.0);
    wake(&mut rcs, 310);
    rcs.on_feedback(&feedback(400, &[]));
    rcs
}

#[test]
fn steady_grows_by_a_packet_per_srtt_each_srtt_up_to_the_target() {
    let mut rcs = steady(Reading::Literal, 7);
    is(&rcs, 70.0);
    // Without answers the rate does not grow.
    wake(&mut rcs, 310);
    is(&rcs, 70.0);
    for (round, rate) in [80.0, 90.0, 100.0, 100.0].into_iter().enumerate() {
        let begins = 310 + 100 * round as u64;
        rcs.on_feedback(&feedback(begins + 40, &[]));
        wake(&mut rcs, begins + 99);
        is(&rcs, f64::min(70.0 + 10.0 * round as f64, 100.0));
        wake(&mut rcs, begins + 100);
        is(&rcs, rate);
    }
    assert_eq!(rcs.decreases(), 0);
}

#[test]
fn a_loss_halves_and_its_dummies_bring_the_rate_back() {
    for reading in READINGS {
        let mut rcs = at_target(reading);
        rcs.on_feedback(&feedback(420, &[lost(300)]));
        is(&rcs, 50.0);
        // Five in an SRTT: half of the rate before goes into dummies, the other half is data.
        assert_eq!(wake(&mut rcs, 525), [440, 460, 480, 500, 520]);
        for (acked, number) in (10..15).enumerate() {
            is(&rcs, 50.0 + 10.0 * acked as f64);
            answer(&mut rcs, 540 + acked as u64, number);
        }
        is(&rcs, 100.0);
        assert_eq!(rcs.decreases(), 1);
    }
}

#[test]
fn dummies_that_do_not_come_back_leave_it_halved() {
    for reading in READINGS {
        let mut rcs = at_target(reading);
        rcs.on_feedback(&feedback(420, &[lost(300)]));
        wake(&mut rcs, 619);
        is(&rcs, 50.0);
        rcs.on_feedback(&feedback(619, &[]));
        wake(&mut rcs, 620);
        is(&rcs, 60.0);
    }
}

#[test]
fn readings_differ_in_what_a_cluster_costs() {
    let losses = [lost(300), lost(310), lost(320)];
    let mut literal = at_target(Reading::Literal);
    literal.on_feedback(&feedback(420, &losses));
    is(&literal, 12.5);
    assert_eq!(literal.decreases(), 3);
    // The rate stays at a packet per SRTT or more.
    literal.on_feedback(&feedback(425, &losses));
    is(&literal, 10.0);
    let mut robust = at_target(Reading::Robust);
    robust.on_feedback(&feedback(420, &losses));
    robust.on_feedback(&feedback(425, &losses));
    is(&robust, 50.0);
    // A packet sent after the answer belongs to another loss event.
    robust.on_feedback(&feedback(530, &[lost(430)]));
    is(&robust, 25.0);
}

#[test]
fn readings_differ_in_what_a_dummy_does_in_detected() {
    for (reading, expected) in [(Reading::Literal, 25.0), (Reading::Robust, 35.0)] {
        let mut rcs = at_target(reading);
        rcs.on_feedback(&feedback(420, &[lost(300)]));
        assert_eq!(wake(&mut rcs, 530).len(), 5);
        rcs.on_feedback(&feedback(535, &[lost(425)]));
        // A dummy of the first loss comes back while the second is being answered.
        answer(&mut rcs, 540, 10);
        is(&rcs, expected);
        // Back in Steady it counts in both readings.
        wake(&mut rcs, 640);
        let before = rcs.rate();
        answer(&mut rcs, 641, 11);
        is(&rcs, before + 10.0);
    }
}

#[test]
fn no_dummy_counts_that_proves_nothing() {
    let mut rcs = at_target(Reading::Robust);
    rcs.on_feedback(&feedback(420, &[lost(300)]));
    assert_eq!(wake(&mut rcs, 525).len(), 5);
    // Answers to dummies of the Initial state, to dummies never sent, and too many repeats.
    answer(&mut rcs, 530, 3);
    answer(&mut rcs, 530, 15);
    is(&rcs, 50.0);
    for _ in 0..20 {
        answer(&mut rcs, 530, 12);
    }
    is(&rcs, 100.0);
    // The application is idle.
    let mut rcs = at_target(Reading::Robust);
    rcs.on_feedback(&feedback(420, &[lost(300)]));
    assert_eq!(wake(&mut rcs, 525).len(), 5);
    rcs.on_feedback(&feedback(525, &[]).rate_limited(false));
    answer(&mut rcs, 530, 10);
    is(&rcs, 50.0);
}

#[test]
fn without_any_answer_data_begins_slowly_all_the_same() {
    let mut run = on(Path { loss: 1.0, ..SATELLITE }, 250.0, Reading::Literal);
    let asked = run.stretch(3.999);
    assert_eq!((asked.probes, asked.sent), (500, 0));
    let sent = run.stretch(1.5).sent;
    assert!((1..=3).contains(&sent), "{sent}");
    run.path.loss = 0.0;
    run.stretch(200.0);
    assert!(run.sender.rate() > 240.0, "{}", run.sender.rate());
}

#[test]
fn the_initial_state_finds_what_is_free() {
    for others in [0.0, 50.0, 150.0, 200.0] {
        let mut run = on(Path { others, ..SATELLITE }, 250.0, Reading::Literal);
        let (mut probes, mut dropped) = (0, 0);
        while !run.sender.sends_data() {
            let outcome = run.stretch(0.001);
            probes += outcome.probes;
            dropped += outcome.others_dropped;
        }
        let (rate, free) = (run.sender.rate(), 250.0 - others);
        assert!((rate / free - 1.0).abs() < 0.05, "{rate} where {free} are free");
        // It sent dummies for one RTT.
        assert!((85..=95).contains(&probes), "{probes}");
        assert_eq!(dropped, 0);
    }
}

fn goodput(loss: f64, reading: Reading) -> f64 {
    let mut run = on(Path { loss, ..SATELLITE }, 250.0, reading);
    run.stretch(30.0);
    run.stretch(1000.0).goodput()
}

#[test]
fn dummies_repair_what_single_losses_of_the_link_break() {
    for (reading, least) in [(Reading::Literal, 0.9), (Reading::Robust, 0.95)] {
        let carried = goodput(3e-4, reading) / 250.0;
        assert!(carried > least, "{carried} of the link");
    }
    // The rate that AIMD gets there: 1.31 / sqrt(p) packets per RTT.
    let aimd = 13.1 / 0.36;
    let (literal, robust) = (goodput(1e-2, READINGS[0]), goodput(1e-2, READINGS[1]));
    assert!(literal > 1.2 * aimd && literal < 2.5 * aimd, "{literal} and {aimd}");
    assert!(robust > 2.0 * literal, "{robust} and {literal}");
}

#[test]
fn what_others_take_is_not_taken_back_by_dummies() {
    for reading in READINGS {
        let mut run = on(Path { others: 150.0, ..SATELLITE }, 200.0, reading);
        run.stretch(30.0);
        let outcome = run.stretch(200.0);
        let carried = outcome.goodput();
        assert!(carried > 50.0 && carried <= 105.0, "{carried}");
        // Overruns hit both flows; they are as rare as with any AIMD.
        let share = outcome.others_dropped as f64 / (150.0 * 200.0);
        assert!(share < 0.02, "{share} of the others' packets were lost");
    }
}

#[test]
fn a_dead_path_slows_it_down_and_an_open_one_brings_it_back() {
    for reading in READINGS {
        let mut run = on(SATELLITE, 250.0, reading);
        run.stretch(30.0);
        assert!(run.sender.rate() > 249.0);
        run.path.loss = 1.0;
        run.stretch(60.0);
        assert!(run.sender.rate() < 10.0, "{}", run.sender.rate());
        run.path.loss = 0.0;
        run.stretch(200.0);
        assert!(run.sender.rate() > 240.0, "{}", run.sender.rate());
    }
}

/// An overrun loses several packets: the rate falls to a packet per SRTT, and returns in steps.
#[test]
fn a_queue_that_overruns_costs_the_literal_reading_half_the_link() {
    let mut shares = READINGS.map(|reading| {
        let mut run = on(Path { delay: Span::from_millis(50), ..SATELLITE }, 600.0, reading);
        run.stretch(30.0);
        run.stretch(300.0).goodput() / 250.0
    });
    let [literal, robust] = &mut shares;
    assert!((0.35..0.8).contains(literal), "{literal}");
    assert!(*robust > 0.9, "{robust}");
}
