//! Policers and shapers: token buckets that drop and that delay.

use std::sync::Arc;

use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_link::trace::RateTrace;
use atl_link::{
    Blackout, BuildDiscipline as _, Change, Config, Limit, Link, Policer, QueueConfig, Service,
    Shaper,
};

use crate::support::{EIGHT, Numbered, arrivals, config, drain, link, ms, network, offer_at_start};

const ONE: Rate = Rate::from_mbps(0.8);

/// A link of 8 Mb/s whose policer lets 0.8 Mb/s through: 1000 bytes in 10 ms.
fn policed(burst: u64) -> Link<Numbered> {
    let discipline = Policer { rate: ONE, burst }.into();
    let queue = QueueConfig::Custom { limit: Limit::Packets(50), discipline };
    link(Config { queue, ..config(network(EIGHT, 0)) })
}

#[test]
fn a_policer_drops_what_exceeds_its_tokens() {
    let mut link = policed(3000);
    let mut offer = |at, n| link.offer(at, Numbered(n, 1000)).is_ok();
    // The burst, for the first on an idle link too.
    assert_eq!([1, 2, 3, 4].map(|n| offer(ms(0), n)), [true, true, true, false]);
    // The next token for a whole packet comes at 10 ms, when the link has been idle for 7.
    assert_eq!([5, 6].map(|n| offer(ms(9), n)), [false, false]);
    assert_eq!([7, 8].map(|n| offer(ms(10), n)), [true, false]);
    // The bucket holds no more than the burst.
    assert_eq!([9, 10, 11, 12].map(|n| offer(ms(500), n)), [true, true, true, false]);
    assert_eq!(link.counters().dropped, 5);
    let out = arrivals(&drain(&mut link));
    let expected = [(1, 1), (2, 2), (3, 3), (11, 7), (501, 9), (502, 10), (503, 11)];
    assert_eq!(out, expected.map(|(at, n)| (ms(at), n)));
}

/// A flow at twice the rate gets half through, and never waits.
#[test]
fn a_policer_lets_its_rate_through() {
    let mut link = policed(5000);
    for n in 0..4000 {
        let _ = link.offer(ms(5 * n), Numbered(n, 1000));
    }
    let out = arrivals(&drain(&mut link));
    assert!(out.len().abs_diff(2005) <= 1, "{}", out.len());
    assert!(out.iter().all(|(at, n)| at.since(ms(5 * n)) == Span::from_millis(1)));
}

#[test]
fn a_policer_needs_a_rate_and_a_burst() {
    assert_eq!(Policer { rate: ONE, burst: 40 }.check(), Ok(()));
    for wrong in [(Rate::from_bps(0.0), 40), (Rate::from_bps(f64::INFINITY), 40), (ONE, 39)] {
        let (rate, burst) = wrong;
        assert!(Policer { rate, burst }.check().is_err(), "{wrong:?}");
    }
}

/// A link whose shaper lets 0.8 Mb/s through after a burst.
fn shaped(burst: u64, change: impl FnOnce(&mut Config)) -> Link<Numbered> {
    let shaper = Some(Shaper { rate: ONE, burst });
    let mut config = Config { shaper, ..config(network(EIGHT, 0)) };
    change(&mut config);
    link(config)
}

/// The times in ms at which packets 1, 2, ... arrive.
fn times(link: &mut Link<Numbered>) -> Vec<f64> {
    let out = arrivals(&drain(link));
    assert!(out.iter().map(|(_, n)| *n).eq(1..=out.len() as u64), "{out:?}");
    out.iter().map(|(at, _)| at.since(Time::ZERO).millis()).collect()
}

/// Two packets of the burst in 1 ms each; the bucket then has the 200 bytes that came meanwhile,
/// and each other packet waits for its 1000.
#[test]
fn a_shaper_delays_what_exceeds_its_burst() {
    let mut link = shaped(2000, |_| {});
    offer_at_start(&mut link, 5);
    // The third begins when there have been 3000 tokens, at 10 ms.
    assert_eq!(times(&mut link), [1.0, 2.0, 11.0, 21.0, 31.0]);
    assert_eq!(link.counters().dropped, 0);
    // A second without packets fills the bucket, and no more.
    for n in 6..=8 {
        assert_eq!(link.offer(ms(1000), Numbered(n, 1000)), Ok(()));
    }
    let out = arrivals(&drain(&mut link));
    assert_eq!(out, [(ms(1001), 6), (ms(1002), 7), (ms(1011), 8)]);
}

#[test]
fn a_packet_longer_than_the_burst_waits_for_a_full_bucket() {
    let mut link = shaped(500, |_| {});
    offer_at_start(&mut link, 3);
    // The first leaves a debt of 500: 10 ms to a full bucket.
    assert_eq!(times(&mut link), [1.0, 11.0, 21.0]);
}

#[test]
fn a_shaper_works_on_links_without_a_rate_and_on_traces() {
    let mut link = shaped(1000, |config| config.initial.service = Service::Unlimited);
    offer_at_start(&mut link, 3);
    assert_eq!(times(&mut link), [0.0, 10.0, 20.0]);
    // An opportunity for 1500 bytes each ms.
    let trace = Arc::new(RateTrace::parse("1\n").expect("a trace"));
    let mut link = shaped(1000, |config| config.initial.service = Service::Trace(trace));
    offer_at_start(&mut link, 3);
    let times = times(&mut link);
    assert!(times.iter().zip([1.0, 11.0, 21.0]).all(|(a, b)| (a - b).abs() <= 1.0), "{times:?}");
}

/// Packets 2 and 3 begin at 10 and 20 ms. From 10.5 to 30.5 ms the link holds packets: packet 2 is
/// half transmitted, and no tokens are taken for its other half. From 35 ms on the network is half
/// as fast.
#[test]
fn tokens_are_taken_once() {
    let blackout =
        Blackout { at: Time::from_nanos(10_500_000), lasts: Span::from_millis(20), hold: true };
    let mut link = shaped(1000, |config| {
        config.blackouts.push(blackout);
        let to = network(Rate::from_mbps(4.0), 0);
        config.schedule.push(Change { at: ms(35), to });
    });
    offer_at_start(&mut link, 6);
    // Packet 3 finds the tokens of 20.5 ms: a full bucket. Packet 4 finds those of the ms since.
    let out = arrivals(&drain(&mut link));
    let times: Vec<f64> = out.iter().map(|(at, _)| at.since(Time::ZERO).millis()).collect();
    assert_eq!(times, [1.0, 31.0, 32.0, 43.0, 53.0, 63.0]);
}

/// A packet that waits for its tokens at a change goes on in the new network when they are there.
#[test]
fn a_change_of_network_does_not_fill_the_bucket() {
    let mut link = shaped(1000, |config| {
        config.schedule.push(Change { at: ms(5), to: network(Rate::from_mbps(4.0), 0) });
    });
    offer_at_start(&mut link, 3);
    let out = arrivals(&drain(&mut link));
    assert_eq!(out, [(ms(1), 1), (ms(12), 2), (ms(22), 3)]);
}
