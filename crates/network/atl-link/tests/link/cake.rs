//! CAKE: its table, DRR++ and COBALT, and what the paper and Linux say of them.

use std::collections::BTreeSet;

use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_link::random::Stream;
use atl_link::{
    BuildDiscipline as _, Cake, Ecn, FqCoDel, Limit, Packet as _, QueueDiscipline, Queued,
};

use crate::support::ms;

type Queue = Box<dyn QueueDiscipline + Send>;

fn cake() -> Queue {
    Cake::default().build(Limit::Packets(10_240), Stream::new(1, "cake"))
}

fn offer(queue: &mut Queue, at: Time, flow: u64, packets: usize, bytes: u32) -> Vec<u64> {
    let mut dropped = Vec::new();
    for _ in 0..packets {
        queue.enqueue(at, Queued::new(at, bytes).with_flow(flow), &mut dropped);
    }
    dropped.iter().map(Queued::flow).collect()
}

/// The flows of the next packets to leave at `at`.
fn next(queue: &mut Queue, at: Time, packets: usize) -> Vec<u64> {
    let mut dropped = Vec::new();
    let flows = (0..packets).map_while(|_| queue.dequeue(at, &mut dropped)).map(|p| p.flow());
    let flows = flows.collect();
    assert_eq!(dropped, []);
    flows
}

/// cake COBALT: The target is 5 ms and the interval 100 ms.
/// cake flow isolation: There are 1024 queues.
#[test]
fn the_defaults_are_those_of_linux() {
    let Cake { target, interval, rate, flows } = Cake::default();
    assert_eq!((target, interval), (Span::from_millis(5), Span::from_millis(100)));
    assert_eq!((rate, flows), (None, 1024));
    assert_eq!(Cake::default().usual_limit(), Some(Limit::Packets(10_240)));
    for wrong in [
        Cake { target: Span::ZERO, ..Cake::default() },
        Cake { interval: Span::from_millis(5), ..Cake::default() },
        Cake { rate: Some(Rate::ZERO), ..Cake::default() },
        Cake { flows: 0, ..Cake::default() },
        Cake { flows: 12, ..Cake::default() },
        Cake { flows: 65_544, ..Cake::default() },
    ] {
        assert!(wrong.check().is_err(), "{wrong:?}");
    }
    for flows in [1, 5, 8, 16, 65_536] {
        assert_eq!(Cake { flows, ..Cake::default() }.check(), Ok(()), "{flows}");
    }
}

/// cake flow isolation: A hundred flows have a queue each, where a plain hash into as many queues
/// makes some share one.
#[test]
fn a_hundred_flows_have_a_queue_each() {
    let shared = |build: &dyn Fn(Stream) -> Queue| -> usize {
        let of = |salt: u64| {
            let mut queue = build(Stream::new(salt, "cake"));
            for flow in 0..100 {
                offer(&mut queue, ms(0), flow, 2, 1514);
            }
            // A turn is a packet: each queue sends one before any sends another.
            let first: BTreeSet<u64> = next(&mut queue, ms(0), 100).into_iter().collect();
            100 - first.len()
        };
        (0..20).map(of).sum()
    };
    let limit = Limit::Packets(10_240);
    assert_eq!(shared(&|stream| Cake::default().build(limit, stream)), 0);
    // 100 * 99 / 2 / 1024 in each of 20: 97.
    let plain = shared(&|stream| FqCoDel::default().build(limit, stream));
    assert!((60..140).contains(&plain), "{plain}");
}

/// cake flow isolation: Flows with packets waiting are served in turns, a quantum of bytes each,
/// and a flow that had none goes first.
#[test]
fn sparse_flows_go_first_and_bulk_flows_take_turns() {
    let mut queue = cake();
    offer(&mut queue, ms(0), 1, 30, 1000);
    offer(&mut queue, ms(0), 2, 30, 500);
    let flows = next(&mut queue, ms(0), 24);
    assert_eq!(flows[..6], [1, 1, 2, 2, 2, 2]);
    let bytes =
        |flow| flows.iter().filter(|one| **one == flow).count() * [0, 1000, 500][flow as usize];
    assert!(bytes(1).abs_diff(bytes(2)) <= 1514, "{flows:?}");
    offer(&mut queue, ms(1), 3, 1, 100);
    assert_eq!(next(&mut queue, ms(1), 1), [3]);
}

/// cake flow isolation: A flow whose last packet overdraws its turn waits for another one behind
/// the bulk flows (DRR++), so that it cannot have more than its share by sending a turn at a time;
/// FQ-CoDel lets it go first again.
#[test]
fn a_flow_that_sends_a_turn_at_a_time_is_not_sparse() {
    let share = |mut queue: Queue| {
        offer(&mut queue, ms(0), 1, 1000, 1514);
        let mut from_bursts = 0;
        for n in 0..300 {
            // As soon as it has nothing waiting, flow 2 sends 1514 bytes in two packets.
            if n % 3 == 0 {
                offer(&mut queue, ms(0), 2, 2, 757);
            }
            from_bursts += next(&mut queue, ms(0), 1).iter().filter(|flow| **flow == 2).count();
        }
        from_bursts
    };
    // Two of three packets, and as many bytes as the other has.
    let fair = share(cake());
    assert!(fair.abs_diff(200) <= 4, "{fair}");
    let mut queue = cake();
    offer(&mut queue, ms(0), 1, 100, 1514);
    offer(&mut queue, ms(0), 2, 1, 1514);
    assert_eq!(next(&mut queue, ms(0), 2), [1, 2]);
    // In CAKE's list of old flows it waits, with its turn overdrawn, although it is empty.
    assert_eq!(next(&mut queue, ms(0), 1), [1]);
    offer(&mut queue, ms(0), 2, 1, 100);
    offer(&mut queue, ms(0), 3, 1, 100);
    assert_eq!(next(&mut queue, ms(0), 1), [3], "flow 2 is no new flow");
}

/// Feeds a flow so that its packets always wait 20 ms, at a packet each ms from `from` on; returns
/// when packets are dropped or marked.
fn signals(queue: &mut Queue, (from, to): (u64, u64), ecn: Ecn) -> Vec<(u64, bool)> {
    let mut all = Vec::new();
    for n in from..to {
        let mut dropped = Vec::new();
        let packet = |came| Queued::new(ms(came), 1000).with_flow(1).with_ecn(ecn);
        queue.enqueue(ms(n), packet(n), &mut dropped);
        if n < from + 20 {
            continue;
        }
        // Drops make room: one packet leaves for each that comes.
        while queue.len() > 20 {
            let head = queue.dequeue(ms(n), &mut dropped);
            all.extend(head.filter(|head| head.ecn() == Ecn::Ce).map(|_| (n, true)));
        }
        all.extend(dropped.iter().map(|_| (n, false)));
    }
    all
}

/// cake COBALT: While a queue stays above target the n-th signal comes an interval / sqrt(n) after
/// the one before, the first an interval after the queue grew long.
#[test]
fn signals_come_an_interval_over_the_root_apart() {
    let mut queue = cake();
    let told: Vec<u64> =
        signals(&mut queue, (0, 2000), Ecn::Ect0).iter().map(|(at, _)| *at).collect();
    let (mut due, mut expected) = (20.0 + 100.0, Vec::new());
    for count in 2..40 {
        expected.push(due);
        due += 100.0 / f64::from(count).sqrt();
    }
    for (at, due) in told.iter().zip(&expected) {
        assert!((*at as f64 - due).abs() <= 6.0, "{told:?} {expected:?}");
    }
    assert!(told.len() > 30, "{told:?}");
}

/// cake COBALT: What can be marked is marked and not dropped, what cannot is dropped.
#[test]
fn capable_packets_are_marked() {
    let marks = signals(&mut cake(), (0, 1000), Ecn::Ect1);
    assert!(marks.len() > 5 && marks.iter().all(|(_, marked)| *marked), "{marks:?}");
    let drops = signals(&mut cake(), (0, 1000), Ecn::NotEct);
    assert!(drops.len() > 5 && drops.iter().all(|(_, marked)| !marked), "{drops:?}");
}

/// cake COBALT: The rate of signals decays while the queue is empty, at the pace at which it grew:
/// soon after, signals go on nearly as often as before; long after, they begin anew.
#[test]
fn the_rate_of_signals_decays() {
    let in_half_a_second = |pause: u64| {
        let mut queue = cake();
        signals(&mut queue, (0, 2000), Ecn::NotEct);
        let mut dropped = Vec::new();
        while queue.dequeue(ms(2000), &mut dropped).is_some() {}
        // Another flow's packets let the empty queue decay.
        for n in 2000..2000 + pause {
            queue.enqueue(ms(n), Queued::new(ms(n), 100).with_flow(2), &mut dropped);
            queue.dequeue(ms(n), &mut dropped);
        }
        signals(&mut queue, (2000 + pause, 2520 + pause), Ecn::NotEct).len()
    };
    let all = [1, 100, 400, 5000].map(in_half_a_second);
    assert!(all[0] > all[2] && all[2] > all[3], "{all:?}");
    assert_eq!(all[3], signals(&mut cake(), (0, 520), Ecn::NotEct).len(), "{all:?}");
}

/// cake COBALT: A queue that overflows is also dropped from at random (BLUE), whatever its ECN
/// field says, ever more often while it goes on.
#[test]
fn overflow_is_answered_with_drops_that_no_mark_replaces() {
    let mut queue = Cake::default().build(Limit::Packets(50), Stream::new(1, "cake"));
    let (mut overflow, mut blue, mut left) = (0, [0, 0], [0, 0]);
    for n in 0..20_000_u64 {
        let at = Time::from_millis(n / 2);
        let mut dropped = Vec::new();
        queue.enqueue(at, Queued::new(at, 1000).with_ecn(Ecn::Ect0), &mut dropped);
        overflow += dropped.len();
        dropped.clear();
        // Half of what comes may leave.
        if n % 2 == 0 && queue.dequeue(at, &mut dropped).is_some() {
            left[usize::from(n > 10_000)] += 1;
        }
        blue[usize::from(n > 10_000)] += dropped.len();
    }
    // 10 000 are too many: the queue overflows until the probability is right, and then no more.
    assert!((100..1500).contains(&overflow), "{overflow}");
    assert!(blue[0] > 2000 && blue[1] > 4500, "{blue:?} {left:?}");
}

/// cake flow isolation: Where all queues together are full the longest one gives way.
#[test]
fn a_full_queue_drops_from_the_longest_flow() {
    let mut queue = Cake::default().build(Limit::Packets(10), Stream::new(1, "cake"));
    assert_eq!(offer(&mut queue, ms(0), 1, 8, 100), [0; 0]);
    assert_eq!(offer(&mut queue, ms(0), 2, 2, 1500), [0; 0]);
    assert_eq!(offer(&mut queue, ms(0), 1, 1, 100), [2]);
    assert_eq!((queue.len(), queue.bytes()), (10, 900 + 1500));
}

/// cake COBALT: On a slow link the target is one and a half packets at least, and less than four
/// packets are no queue.
#[test]
fn a_slow_link_has_a_longer_target() {
    // 1 Mb/s: a frame takes 12.1 ms, so that 20 ms are no queue.
    let config = Cake { rate: Some(Rate::from_mbps(1.0)), ..Cake::default() };
    let mut queue = config.build(Limit::Packets(10_240), Stream::new(1, "cake"));
    assert_eq!(signals(&mut queue, (0, 2000), Ecn::NotEct), []);
    // And turns are of 300 bytes.
    let mut queue = config.build(Limit::Packets(10_240), Stream::new(1, "cake"));
    offer(&mut queue, ms(0), 1, 9, 100);
    offer(&mut queue, ms(0), 2, 9, 100);
    assert_eq!(next(&mut queue, ms(0), 7), [1, 1, 1, 2, 2, 2, 1]);
}

/// A queue of `kbps`, in which each packet waits `wait` milliseconds: the milliseconds from the
/// first that leaves to the first that is dropped.
fn first_drop(kbps: u32, wait: u64) -> Option<u64> {
    let rate = Some(Rate::from_bps(1000.0 * f64::from(kbps)));
    let mut queue =
        Cake { rate, ..Cake::default() }.build(Limit::Packets(10_240), Stream::new(1, "cake"));
    for n in 0..wait + 2000 {
        let mut dropped = Vec::new();
        queue.enqueue(ms(n), Queued::new(ms(n), 1000).with_flow(1), &mut dropped);
        if n >= wait {
            queue.dequeue(ms(n), &mut dropped);
        }
        if !dropped.is_empty() {
            return Some(n - wait);
        }
    }
    None
}

/// cake COBALT: A queue that stands for at most four packets is none.
#[test]
fn four_packets_are_no_queue() {
    // At 3028 kb/s a frame takes 4 ms, and the interval is 101 ms.
    assert_eq!(first_drop(3028, 16), None);
    assert_eq!(first_drop(3028, 17), Some(101));
}

/// cake COBALT: A target of one and a half packets makes the interval as much longer, and twice the
/// target at least.
#[test]
fn a_slow_link_has_a_longer_interval() {
    // Frames of 12.112, 48.448 and 121.12 ms; intervals of 113.168, 167.672 and 363.36 ms.
    assert_eq!(first_drop(1000, 100), Some(114));
    assert_eq!(first_drop(250, 300), Some(168));
    assert_eq!(first_drop(100, 600), Some(364));
}

/// cake flow isolation: A turn is what passes in 244 us, 300 to 1514 bytes.
#[test]
fn a_turn_follows_from_the_rate() {
    // 20 Mb/s: 610 bytes, which the seventh packet of 100 overdraws.
    for (mbps, packets) in [(1.0, 3), (20.0, 7), (40.0, 13), (1000.0, 16)] {
        let config = Cake { rate: Some(Rate::from_mbps(mbps)), ..Cake::default() };
        let mut queue = config.build(Limit::Packets(10_240), Stream::new(1, "cake"));
        offer(&mut queue, ms(0), 1, 30, 100);
        offer(&mut queue, ms(0), 2, 30, 100);
        let flows = next(&mut queue, ms(0), packets + 1);
        assert_eq!(flows.iter().filter(|flow| **flow == 1).count(), packets, "{mbps} Mb/s");
    }
}
