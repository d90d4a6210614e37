//! The two ends of a link: losses on the way in, copies on the way out.

use std::sync::Arc;

use atl_core::time::{Span, Time};
use atl_core::units::Probability;
use atl_link::random::Stream;
use atl_link::{
    Change, Conditions, Config, Counters, EcnRule, Exit, Jitter, JitterShape, Link, Loss,
};

use crate::jitter::exits_until;
use crate::support::{EIGHT, Numbered, arrivals, config, drain, drain_until, losses, ms, network};

const PACKETS: u64 = 20_000;
/// Before which all happens.
const LAST: Time = Time::from_millis(1_000_000);

fn share(share: f64) -> Probability {
    Probability::clamped(share)
}

/// Exits of packets of 1000 bytes, offered every 2 ms to a link of 8 Mb/s and 10 ms, and counts.
fn run(change: impl Fn(&mut Config)) -> (Vec<(Time, Exit<Numbered>)>, Counters) {
    let mut config = config(network(EIGHT, 10));
    change(&mut config);
    let mut link = Link::new(Arc::new(config), Stream::new(3, "test"));
    let mut exits = Vec::new();
    for n in 0..PACKETS {
        let now = Time::from_millis(2 * n);
        exits.extend(exits_until(&mut link, now));
        let _ = link.offer(now, Numbered(n, 1000));
        assert_eq!(link.next_dropped(), None, "one packet was offered");
    }
    exits.extend(exits_until(&mut link, LAST));
    (exits, link.counters())
}

fn twice(exits: &[(Time, Exit<Numbered>)]) -> u64 {
    exits.iter().filter(|(_, exit)| matches!(exit, Exit::DeliveredTwice(_))).count() as u64
}

#[test]
fn the_share_of_packets_that_arrive_arrives_twice_and_nothing_else_changes() {
    let lossy = |config: &mut Config| config.initial.loss = Loss::Bernoulli(share(0.1));
    let (plain, _) = run(lossy);
    let (exits, counters) = run(|config| {
        lossy(config);
        config.initial.duplicate = share(0.05);
    });
    // The same losses, and the same times: copies take no time at the transmitter.
    assert_eq!(losses(&exits), losses(&plain));
    assert_eq!(arrivals(&exits), arrivals(&plain));
    let copies = twice(&exits);
    assert_eq!(counters.duplicated, copies);
    assert_eq!(counters.offered, counters.delivered + counters.lost);
    // Four standard deviations of a binomial count of 18 000.
    let expected = 0.05 * counters.delivered as f64;
    assert!((copies as f64 - expected).abs() < 4.0 * expected.sqrt(), "{copies} {expected}");
}

#[test]
fn jitter_draws_the_same_delays_with_copies_and_without() {
    let jitter =
        Jitter { spread: Span::from_millis(5), shape: JitterShape::Normal, in_order: false };
    let shaken = |config: &mut Config| config.initial.jitter = Some(jitter);
    let (plain, _) = run(shaken);
    let (exits, _) = run(|config| {
        shaken(config);
        config.initial.duplicate = share(0.3);
    });
    assert_eq!(arrivals(&exits), arrivals(&plain));
    assert!(twice(&exits) > PACKETS / 4);
}

#[test]
fn what_is_lost_on_the_way_in_takes_neither_room_nor_time() {
    let mut config = config(network(EIGHT, 10));
    config.initial.ingress = Loss::Bernoulli(Probability::ONE);
    let clean = Conditions { ingress: Loss::None, ..config.initial.clone() };
    config.schedule = vec![Change { at: ms(50), to: clean }];
    let mut link: Link<Numbered> = Link::new(Arc::new(config), Stream::new(3, "test"));
    for n in 0..10 {
        assert_eq!(link.offer(ms(n), Numbered(n, 1000)), Err(Numbered(n, 1000)));
    }
    assert_eq!((link.held(), link.next_event()), (0, ms(50)));
    let _ = drain_until(&mut link, ms(60));
    assert_eq!(link.offer(ms(60), Numbered(10, 1000)), Ok(()));
    // 1 ms for its transmission, 10 ms on the way: nothing was ahead of it.
    assert_eq!(arrivals(&drain(&mut link)), [(ms(71), 10)]);
    let counters = link.counters();
    assert_eq!((counters.offered, counters.dropped, counters.lost_on_entry), (11, 10, 10));
    assert_eq!((counters.transmitted, counters.lost), (1, 0));
    // The link's own MAC knows nothing of them.
    assert!(link.report(ms(80)).loss == Probability::ZERO);
}

#[test]
fn losses_on_the_way_in_are_of_their_share_and_leave_those_on_the_air() {
    let (_, plain) = run(|config| config.initial.loss = Loss::Bernoulli(share(0.1)));
    let (exits, both) = run(|config| {
        config.initial.loss = Loss::Bernoulli(share(0.1));
        config.initial.ingress = Loss::Bernoulli(share(0.2));
        config.ecn = EcnRule::Bleach;
    });
    let lost = both.lost_on_entry as f64;
    assert!((lost - 4000.0).abs() < 4.0 * 3200_f64.sqrt(), "{lost}");
    assert_eq!(both.dropped, both.lost_on_entry);
    // Each packet that comes in draws from the same stream as before.
    let of_air = losses(&exits).len() as f64 / both.transmitted as f64;
    assert!((of_air - 0.1).abs() < 4.0 * (0.09 / 16_000_f64).sqrt(), "{of_air}");
    assert!(plain.lost_on_entry == 0 && plain.dropped == 0);
    // In bursts, all of a burst goes.
    let (_, bursts) = run(|config| {
        config.initial.ingress = Loss::Bursts {
            good: Span::from_millis(900),
            bad: Span::from_millis(100),
            loss_good: Probability::ZERO,
            loss_bad: Probability::ONE,
        };
    });
    let lost = bursts.lost_on_entry as f64 / PACKETS as f64;
    // 40 s: 40 bursts of 100 ms on average, both exponential.
    assert!((0.05..0.16).contains(&lost), "{lost}");
}
