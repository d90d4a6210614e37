//! RED at a link: examples worked by hand, limits, and what its papers say of drops and averages.

use std::sync::Arc;

use crate::support::{
    EIGHT, Numbered, config, drain, drain_until, link, losses, ms, network, offer_at_start, us,
};
use atl_core::time::{Span, Time};
use atl_core::units::Probability;
use atl_link::random::Stream;
use atl_link::trace::RateTrace;
use atl_link::{Config, DropCurve, Limit, Link, Loss, QueueAverage, QueueConfig, Red, Service};

pub(crate) fn p(p: f64) -> Probability {
    Probability::clamped(p)
}

fn red(min: f64, max: f64, weight: f64) -> Red {
    let curve = DropCurve { min, max, drop: p(0.1) };
    let average = QueueAverage { weight: p(weight), ..QueueAverage::default() };
    Red { average, curve, ..Red::after_floyd(Limit::Packets(50)) }
}

fn with_queue(red: Red) -> Link<Numbered> {
    link(Config { queue: QueueConfig::Red(red), ..config(network(EIGHT, 0)) })
}

/// The numbers of those of five packets of `bytes` bytes, offered at once, that are dropped.
fn dropped_of_five(link: &mut Link<Numbered>, at: Time, bytes: u32) -> Vec<u64> {
    (1..=5).filter(|&n| link.offer(at, Numbered(n, bytes)).is_err()).collect()
}

#[test]
fn the_usual_thresholds_are_floyd_s_for_a_queue_of_50() {
    let DropCurve { min, max, drop } = Red::after_floyd(Limit::Packets(50)).curve;
    assert_eq!((min, max, drop), (5.0, 15.0, p(0.1)));
}

/// With a weight of 1 the average is the queue itself: what finds 3 packets waiting is dropped.
#[test]
fn a_packet_is_dropped_for_sure_from_the_upper_threshold_on() {
    let mut link = with_queue(Red { gentle: false, ..red(2.5, 3.0, 1.0) });
    let dropped: Vec<u64> =
        (1..=9).filter(|&n| link.offer(ms(0), Numbered(n, 1000)).is_err()).collect();
    assert_eq!(dropped, [5, 6, 7, 8, 9]);
    // Two were served by 2 ms.
    let dropped: Vec<u64> =
        (1..=3).filter(|&n| link.offer(ms(2), Numbered(n, 1000)).is_err()).collect();
    assert_eq!((dropped, link.counters().dropped), (vec![3], 6));
}

/// Weight 0.5. The five find 0 (the link idle), 0, 1, 2 and 3 waiting: the average goes 0, 0, 0.5,
/// 1.25, 2.125. They keep the link busy until 5 ms. Five more at that time count as one arrival at
/// an empty queue, which leaves 1.0625, and then 0.53, 0.77, 1.38, 2.19. After 2 ms of idleness
/// they find 2.125 / 8, and the last one makes it 2.14.
fn idleness_decides(mut make: impl FnMut() -> Link<Numbered>, bytes: u32) {
    for (at, second) in [(ms(5), vec![5]), (ms(7), vec![])] {
        let mut link = make();
        assert_eq!(dropped_of_five(&mut link, ms(0), bytes), []);
        assert_eq!(dropped_of_five(&mut link, at, bytes), second, "{at:?}");
    }
}

#[test]
fn the_average_decays_while_the_link_is_idle() {
    let hard = Red { gentle: false, ..red(2.15, 2.16, 0.5) };
    idleness_decides(|| with_queue(hard), 1000);
    // The same on a trace, with an opportunity each ms.
    let trace = Service::Trace(Arc::new(RateTrace::parse("1\n").expect("a trace")));
    let mean_packet = 1500;
    let hard = Red { average: QueueAverage { mean_packet, ..hard.average }, ..hard };
    let make = || {
        let mut config = Config { queue: QueueConfig::Red(hard), ..config(network(EIGHT, 0)) };
        config.initial.service = trace.clone();
        link(config)
    };
    idleness_decides(make, 1500);
}

#[test]
fn a_packet_that_finds_the_link_idle_is_never_dropped() {
    let mut link = with_queue(Red { gentle: false, ..red(0.1, 0.2, 0.01) });
    let mut dropped = 0;
    for _ in 0..200 {
        dropped += u64::from(link.offer(ms(0), Numbered(1, 1000)).is_err());
    }
    assert!(dropped > 100, "the average is high");
    drain(&mut link);
    let idle = ms(link.counters().delivered);
    assert_eq!(link.offer(idle, Numbered(2, 1000)), Ok(()));
}

/// Nothing is dropped early, so it is DropTail; and its draws do not change those of the losses.
#[test]
fn with_thresholds_out_of_reach_red_is_drop_tail() {
    let make = |queue| {
        let mut config = Config { queue, ..config(network(EIGHT, 3)) };
        config.initial.loss = Loss::Bernoulli(p(0.3));
        link(config)
    };
    let mut plain = make(QueueConfig::DropTail { packets: 50 });
    let mut early = make(QueueConfig::Red(red(50.0, 60.0, 0.5)));
    for n in 0..400 {
        let (at, packet) = (us(n * 700), Numbered(n, 1000));
        assert_eq!(plain.offer(at, packet), early.offer(at, packet));
    }
    assert!(plain.counters().dropped > 10);
    let (plain, early) = (drain(&mut plain), drain(&mut early));
    assert!(losses(&plain).len() > 50);
    assert_eq!(plain, early);
}

#[test]
fn drops_are_the_same_for_a_seed_and_differ_between_seeds() {
    let run = |seed| {
        let queue = QueueConfig::Red(red(5.0, 15.0, 0.01));
        let config = Config { queue, ..config(network(EIGHT, 0)) };
        let mut link = Link::new(Arc::new(config), Stream::new(seed, "link/air"));
        (0..3000)
            .filter(|&n| link.offer(us(n * 800), Numbered(n, 1000)).is_err())
            .collect::<Vec<_>>()
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

/// Keeps `waiting` packets in the queue, so that the average is the same at all times; returns how
/// many of `arrivals` packets were dropped.
pub(crate) fn dropped_at_a_constant_queue(
    link: &mut Link<Numbered>,
    waiting: usize,
    arrivals: u64,
) -> u64 {
    offer_at_start(link, waiting as u64 + 1);
    let (mut dropped, mut now) = (0, Time::ZERO);
    for n in 0..arrivals {
        if link.queue_len() == waiting {
            now += Span::from_millis(1);
            drain_until(link, now + Span::from_nanos(1));
        }
        dropped += u64::from(link.offer(now, Numbered(n, 1000)).is_err());
    }
    dropped
}

/// Distances between drops are uniform from 1 to 1/p_b, hence (1/p_b + 1) / 2 on average.
#[test]
fn the_share_dropped_at_a_constant_average_is_about_twice_the_base_probability() {
    // Arrivals find 9 waiting: p_b = 0.1 (9 - 4) / 10 = 0.05, one in 10.5.
    let mut link = with_queue(red(4.0, 14.0, 0.9));
    let dropped = dropped_at_a_constant_queue(&mut link, 10, 105_000);
    // Of 10 000 distances with a standard deviation of 5.77 each; four of 55.
    assert!(dropped.abs_diff(10_000) < 220, "{dropped}");
}

/// The mean queue that packets find at a link that is offered 6 for every 5 it can send, from the
/// 40th second to the 60th.
fn mean_queue(red: Red) -> f64 {
    let mut link = with_queue(red);
    let (mut sum, mut count) = (0.0, 0.0);
    for n in 0..72_000 {
        let at = Time::from_nanos(n * 833_333);
        let taken = link.offer(at, Numbered(n, 1000)).is_ok();
        if at > ms(40_000) {
            sum += link.queue_len() as f64 - f64::from(taken);
            count += 1.0;
        }
    }
    sum / count
}

/// A sixth must be dropped: 1/6 = 2 / (1/p_b + 1), p_b = 1/11. A fixed curve of 0.1 finds that at
/// 5 + 10 / 1.1 = 14.1 packets. Adaptive RED raises the curve until the average is at most 11, the
/// upper end of its target.
#[test]
fn adaptive_red_keeps_the_average_within_its_target() {
    let fixed = red(5.0, 15.0, 0.002);
    let queue = mean_queue(fixed);
    assert!((queue - 14.1).abs() < 0.5, "{queue}");
    let queue = mean_queue(Red { adaptive: true, ..fixed });
    assert!((9.0..=11.2).contains(&queue), "{queue}");
}

/// Thresholds in bytes: weight 1, and what finds 2000 bytes waiting is dropped, however short.
#[test]
fn a_queue_in_bytes_has_thresholds_in_bytes() {
    let limit = Limit::Bytes(3000);
    let curve = DropCurve { min: 1999.0, max: 2000.0, drop: p(0.1) };
    let average = QueueAverage { weight: p(1.0), ..QueueAverage::default() };
    let mut link = with_queue(Red { limit, average, curve, gentle: false, adaptive: false });
    for (bytes, taken) in [(1000, true), (1000, true), (2500, false), (1000, true), (1, false)] {
        assert_eq!(link.offer(ms(0), Numbered(1, bytes)).is_ok(), taken, "{bytes}");
    }
}
