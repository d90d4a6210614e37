//! WRED at a link: which precedence is dropped, and how much of it.

use crate::red::{dropped_at_a_constant_queue, p};
use crate::support::{EIGHT, LOW, Numbered, arrivals, config, drain, link, ms, network, us};
use atl_link::{Config, DropCurve, Limit, Link, QueueAverage, QueueConfig, Red, Wred};

fn with_queue(wred: Wred) -> Link<Numbered> {
    link(Config { queue: QueueConfig::Wred(wred), ..config(network(EIGHT, 0)) })
}

fn quick(wred: Wred) -> Wred {
    Wred { average: QueueAverage { weight: p(1.0), ..wred.average }, ..wred }
}

#[test]
fn the_defaults_are_cisco_s_for_a_queue_of_50() {
    let wred = Wred::after_cisco(Limit::Packets(50));
    assert_eq!(wred.low, DropCurve { min: 20.0, max: 40.0, drop: p(0.1) });
    assert_eq!(wred.high, DropCurve { min: 30.0, max: 40.0, drop: p(0.1) });
    assert_eq!((wred.average.weight, wred.gentle), (p(0.001_953_125), false));
}

/// 24 wait, so that arrivals find 24, between the two minimum thresholds.
#[test]
fn low_packets_are_dropped_first() {
    let mut high = with_queue(quick(Wred::after_cisco(Limit::Packets(50))));
    assert_eq!(dropped_at_a_constant_queue(&mut high, 25, 20_000), 0);

    // Only the packets offered later are low: p_b = 0.1 (24 - 20) / 20 = 0.02, one of them in 25.5.
    let mut mixed = with_queue(quick(Wred::after_cisco(Limit::Packets(50))));
    for n in 0..26 {
        assert_eq!(mixed.offer(ms(0), Numbered(n, 1000)), Ok(()));
    }
    let (mut dropped, mut now) = ([0_u64, 0], 0);
    for n in 0..51_000 {
        if mixed.queue_len() == 25 {
            now += 1;
            while mixed.poll(ms(now)).is_some() {}
        }
        let low = n % 2;
        dropped[low as usize] +=
            u64::from(mixed.offer(ms(now), Numbered(n + LOW * low, 1000)).is_err());
    }
    // 25 500 low packets: 1000 distances with a standard deviation of 14.4; four of 18.
    assert_eq!(dropped[0], 0);
    assert!(dropped[1].abs_diff(1000) < 72, "{dropped:?}");
}

/// Unlike a priority queue it neither reorders nor pushes out.
#[test]
fn packets_stay_in_order_and_a_full_queue_drops_whatever_arrives() {
    let mut link = with_queue(Wred::after_cisco(Limit::Packets(3)));
    for n in [1, LOW + 2, LOW + 3, 4] {
        assert_eq!(link.offer(ms(0), Numbered(n, 1000)), Ok(()));
    }
    assert_eq!(link.offer(ms(0), Numbered(5, 1000)), Err(Numbered(5, 1000)));
    assert_eq!(link.next_dropped(), None);
    let order: Vec<u64> = arrivals(&drain(&mut link)).iter().map(|&(_, n)| n).collect();
    assert_eq!(order, [1, LOW + 2, LOW + 3, 4]);
}

#[test]
fn with_equal_curves_wred_is_red_while_all_packets_have_one_precedence() {
    let red = Red::after_floyd(Limit::Packets(50));
    let (high, low) = (red.curve, DropCurve { min: 0.0, max: 1.0, ..red.curve });
    let wred = Wred { limit: red.limit, average: red.average, high, low, gentle: red.gentle };
    let mut weighted = with_queue(wred);
    let mut plain = link(Config { queue: QueueConfig::Red(red), ..config(network(EIGHT, 0)) });
    for n in 0..20_000 {
        let (at, packet) = (us(n * 800), Numbered(n, 1000));
        assert_eq!(weighted.offer(at, packet), plain.offer(at, packet));
        while plain.poll(at).is_some() {}
        while weighted.poll(at).is_some() {}
    }
    assert!(plain.counters().dropped > 1000);
}
