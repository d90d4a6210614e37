//! Properties of any link under any calls.

use std::sync::Arc;

use crate::departure::stale;
use crate::support::{LOW, Numbered, arrivals, drain, drain_until, link, us};
use atl_core::model::{Gilbert, PathChain};
use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_link::random::Stream;
use atl_link::trace::{DelayTrace, OPPORTUNITY_BYTES, RateTrace};
use atl_link::{
    AtChange, Blackout, Blockage, Buffer, Cake, Change, Channel, CoDel, Conditions, Config, Delay,
    DisciplineConfig, DropCurve, DualPi2, EcnRule, Exit, FqCoDel, Limit, Link, Loss, Pie, Policer,
    QueueAverage, QueueConfig, Red, ReportError, Service, Shaper, Wred,
};
use proptest::prelude::*;

fn rate_trace() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(0..40_u32, 1..30).prop_map(|mut at| {
        at.sort_unstable();
        *at.last_mut().expect("not empty") += 1;
        at
    })
}

fn parse(at: &[u32]) -> Arc<RateTrace> {
    let text: String = at.iter().map(|ms| format!("{ms}\n")).collect();
    Arc::new(RateTrace::parse(&text).expect("in order, and not of zero length"))
}

fn service() -> impl Strategy<Value = Service> {
    prop_oneof![
        4 => (100.0..20_000.0_f64).prop_map(|kbps| Service::Constant(Rate::from_bps(kbps * 1e3))),
        1 => Just(Service::Constant(Rate::ZERO)),
        1 => Just(Service::Unlimited),
        1 => (100.0..20_000.0_f64, 10.0..500.0_f64, 1..50_u64).prop_map(|(clear, blocked, ms)| {
            Service::Blocked(Blockage {
                clear: Rate::from_bps(clear * 1e3),
                blocked: Rate::from_bps(blocked * 1e3),
                clear_for: Span::from_millis(3 * ms),
                blocked_for: Span::from_millis(ms),
            })
        }),
        3 => rate_trace().prop_map(|at| Service::Trace(parse(&at))),
    ]
}

fn delay() -> impl Strategy<Value = Delay> {
    prop_oneof![
        (0..30_000_u64).prop_map(|us| Delay::Constant(Span::from_micros(us))),
        prop::collection::vec(0..30_u32, 1..5).prop_map(|ms| {
            let text: String = ms.iter().map(|ms| format!("{ms}\n")).collect();
            Delay::Trace(Arc::new(DelayTrace::parse(&text).expect("numbers")))
        }),
    ]
}

fn loss() -> impl Strategy<Value = Loss> {
    let p = || (0.0..=1.0_f64).prop_map(Probability::clamped);
    prop_oneof![
        Just(Loss::None),
        p().prop_map(Loss::Bernoulli),
        (p(), p(), p(), p()).prop_map(|(to_bad, to_good, loss_good, loss_bad)| {
            Loss::GilbertElliott { to_bad, to_good, loss_good, loss_bad }
        }),
        (p(), p(), p(), p()).prop_map(|(p, r, q, s)| {
            Loss::Path(PathChain {
                wireless: Gilbert { to_bad: p, to_good: r },
                congestion: Gilbert { to_bad: q, to_good: s },
            })
        }),
        (0.0..=1e-3_f64).prop_map(|p| Loss::Bits(Channel::Independent(Probability::clamped(p)))),
    ]
}

fn ingress() -> impl Strategy<Value = Loss> {
    let p = || (0.0..=1.0_f64).prop_map(Probability::clamped);
    prop_oneof![6 => Just(Loss::None), 1 => p().prop_map(Loss::Bernoulli)]
}

fn conditions() -> impl Strategy<Value = Conditions> {
    let ways = (ingress(), prop_oneof![3 => Just(0.0), 1 => 0.0..=1.0_f64]);
    (service(), delay(), loss(), ways).prop_map(|(service, delay, loss, ways)| Conditions {
        name: Arc::from("any"),
        queue: None,
        service,
        delay,
        jitter: None,
        reorder: None,
        reconfiguration: None,
        grants: None,
        duplicate: Probability::clamped(ways.1),
        ingress: ways.0,
        loss,
    })
}

/// Thresholds around the lengths that these queues have, in packets; `min` may be above `max`.
fn curve() -> impl Strategy<Value = DropCurve> {
    (0.0..8.0_f64, 0.0..12.0_f64, 0.0..=1.0_f64).prop_map(|(min, max, drop)| DropCurve {
        min,
        max,
        drop: Probability::clamped(drop),
    })
}

fn limit() -> impl Strategy<Value = Limit> {
    prop_oneof![(1..10_u32).prop_map(Limit::Packets), (0..5000_u64).prop_map(Limit::Bytes)]
}

/// RED and WRED.
fn early() -> impl Strategy<Value = QueueConfig> {
    let average = (0.001..=1.0_f64, 0..3000_u32).prop_map(|(weight, mean_packet)| QueueAverage {
        weight: Probability::clamped(weight),
        mean_packet,
    });
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    (limit(), average, curve(), curve(), flags).prop_map(
        |(limit, average, high, low, (gentle, adaptive, weighted))| {
            let scale = if matches!(limit, Limit::Bytes(_)) { 500.0 } else { 1.0 };
            let scaled = |curve: DropCurve| DropCurve {
                min: scale * curve.min,
                max: scale * curve.max,
                ..curve
            };
            let (high, low) = (scaled(high), scaled(low));
            if weighted {
                QueueConfig::Wred(Wred { limit, average, high, low, gentle })
            } else {
                QueueConfig::Red(Red { limit, average, curve: high, gentle, adaptive })
            }
        },
    )
}

/// Those with parameters of their own, quick to act in runs of some hundred ms.
fn today() -> impl Strategy<Value = QueueConfig> {
    let ms = Span::from_millis;
    let codel = CoDel { target: ms(1), interval: ms(5), mtu: 500, ..CoDel::default() };
    let CoDel { target, mtu, .. } = codel;
    let fq = FqCoDel { codel, flows: 4, ..FqCoDel::default() };
    let pie = Pie { target, max_burst: ms(0), alpha: 10.0, beta: 10.0, ..Pie::default() };
    let dual = DualPi2 { target, alpha: 10.0, beta: 10.0, mtu, ..DualPi2::default() };
    let policer = Policer { rate: Rate::from_mbps(1.0), burst: 3000 };
    let cake = Cake { target, interval: ms(5), flows: 4, ..Cake::default() };
    let all: [DisciplineConfig; 6] =
        [codel.into(), fq.into(), cake.into(), pie.into(), dual.into(), policer.into()];
    (limit(), prop::sample::select(all.to_vec()))
        .prop_map(|(limit, discipline)| QueueConfig::Custom { limit, discipline })
}

fn shaper() -> impl Strategy<Value = Shaper> {
    (1.0..10e6_f64, 1..9000_u64)
        .prop_map(|(bps, burst)| Shaper { rate: Rate::from_bps(bps), burst })
}

/// Times are multiples of 100 us, as are those of the calls, so that events often coincide.
fn tick(n: u64) -> Time {
    us(n * 100)
}

/// Any queue, in packets or bytes that calls of a run fill.
pub(crate) fn queue() -> impl Strategy<Value = QueueConfig> {
    prop_oneof![
        1 => (1..10_u32).prop_map(|packets| QueueConfig::DropTail { packets }),
        1 => (0..5000_u64).prop_map(|bytes| QueueConfig::DropTailBytes { bytes }),
        1 => (1..10_u32).prop_map(|packets| QueueConfig::Priority { packets }),
        1 => (0..5000_u64).prop_map(|bytes| QueueConfig::PriorityBytes { bytes }),
        2 => early(),
        2 => (limit(), 0..200_u64)
            .prop_map(|(limit, ticks)| stale(limit, Span::from_micros(ticks * 100))),
        4 => today(),
    ]
}

/// One that a network brings, now and then.
fn buffer() -> impl Strategy<Value = Option<Buffer>> {
    let buffer = (queue(), prop::option::of(0..10_u32))
        .prop_map(|(queue, mark_at)| Buffer { queue, mark_at });
    prop::option::of(buffer)
}

pub(crate) fn config() -> impl Strategy<Value = Config> {
    let change = (0..1000_u64, conditions(), buffer())
        .prop_map(|(at, to, queue)| Change { at: tick(at), to: Conditions { queue, ..to } });
    let blackout = (0..1000_u64, 0..200_u64, any::<bool>()).prop_map(|(at, lasts, hold)| {
        Blackout { at: tick(at), lasts: Span::from_micros(lasts * 100), hold }
    });
    (
        queue(),
        (prop::option::of(0..10_u32), prop::option::weighted(0.3, shaper())),
        conditions(),
        prop::collection::vec(change, 0..4),
        prop::collection::vec(blackout, 0..4),
        prop_oneof![Just(AtChange::Deliver), Just(AtChange::Lose)],
    )
        .prop_map(|(queue, (mark_at, shaper), initial, mut schedule, blackouts, at_change)| {
            schedule.sort_by_key(|change| change.at);
            let report_window = Span::from_millis(20);
            let report_error = ReportError::NONE;
            Config {
                queue,
                shaper,
                mark_at,
                ecn: EcnRule::Keep,
                initial,
                schedule,
                blackouts,
                at_change,
                report_window,
                report_error,
            }
        })
}

/// Packets: ticks since the previous one, and length.
pub(crate) fn packets(most_bytes: u32) -> impl Strategy<Value = Vec<(u64, u32)>> {
    prop::collection::vec((prop_oneof![3 => 0..3_u64, 1 => 0..120_u64], 0..=most_bytes), 1..120)
}

fn assert_conserved(link: &Link<Numbered>) -> Result<(), TestCaseError> {
    let c = link.counters();
    let accounted = c.delivered + c.dropped + c.lost + link.held() as u64;
    prop_assert_eq!(c.offered, accounted);
    prop_assert_eq!(c.held(), link.held() as u64);
    prop_assert!(link.queue_len() <= link.held());
    if let Limit::Packets(packets) = link.queue_config().limit() {
        prop_assert!(link.queue_len() <= packets as usize);
    }
    Ok(())
}

/// Number of each packet that was transmitted, in order, and whether it was lost.
fn fates(exits: impl IntoIterator<Item = Exit<Numbered>>) -> Vec<(u64, bool)> {
    exits
        .into_iter()
        .filter_map(|exit| match exit {
            Exit::Delivered(packet) | Exit::DeliveredTwice(packet) => Some((packet.0, false)),
            Exit::Lost(packet, _) => Some((packet.0, true)),
            Exit::Dropped(..) | Exit::Changed(_) => None,
        })
        .collect()
}

/// Offers a packet, by the faster call where it applies; returns the packets dropped.
fn offer(link: &mut Link<Numbered>, now: Time, packet: Numbered) -> Vec<Numbered> {
    let before = link.next_event();
    let taken = link.takes(now, &packet);
    let first = if taken { None } else { link.offer(now, packet).err() };
    let asks = first.is_some() || link.may_lead();
    assert!(asks || link.next_event() >= before, "an engine would miss what comes earlier now");
    core::iter::successors(first, |_| link.next_dropped()).collect()
}

/// One packet in four has low priority.
fn number(n: usize) -> u64 {
    n as u64 + if n % 4 == 3 { LOW } else { 0 }
}

/// The next exit and the time at which it was due, by the faster call where it applies.
fn next(link: &mut Link<Numbered>, now: Time) -> Option<(Time, Exit<Numbered>)> {
    let due = link.next_event();
    let front = link.front().copied();
    let exit = match front.filter(|_| link.delivers_front(now)) {
        Some(packet) => Exit::Delivered(packet),
        None => link.poll(now)?,
    };
    Some((due, exit))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// `drain_until` panics if `next_event` is early or late.
    #[test]
    fn packets_are_conserved_and_come_out_once_in_order_at_the_announced_time(
        config in config(),
        packets in packets(4000),
    ) {
        let changes = config.schedule.len();
        let mut link = link(config);
        let mut exits = Vec::new();
        let mut dropped = 0;
        let mut now = Time::ZERO;
        for (n, &(ticks, bytes)) in packets.iter().enumerate() {
            now += Span::from_micros(ticks * 100);
            exits.extend(drain_until(&mut link, now));
            assert_conserved(&link)?;
            dropped += offer(&mut link, now, Numbered(number(n), bytes)).len() as u64;
            assert_conserved(&link)?;
        }
        exits.extend(drain(&mut link));
        assert_conserved(&link)?;
        prop_assert!(exits.is_sorted_by_key(|(at, _)| *at), "time decreases");
        let all = exits.len();
        let at_departure =
            exits.iter().filter(|(_, exit)| matches!(exit, Exit::Dropped(..))).count();
        let fates = fates(exits.into_iter().map(|(_, exit)| exit));
        for low in [false, true] {
            let band = fates.iter().map(|fate| fate.0).filter(|&n| (n >= LOW) == low);
            prop_assert!(band.is_sorted_by(|a, b| a < b), "out of order or twice: {fates:?}");
        }
        prop_assert_eq!(all - fates.len(), changes + at_departure);
        let c = link.counters();
        prop_assert_eq!(c.dropped, dropped + at_departure as u64);
        prop_assert_eq!(c.delivered + c.lost, fates.len() as u64);
        // Anything still held stays for ever: the link ended at rate zero.
        if link.held() > 0 {
            let last = &link.conditions().service;
            prop_assert_eq!(last, &Service::Constant(Rate::ZERO));
        }
    }

    /// The same exits, each due at the same time by `next_event`.
    #[test]
    fn a_caller_that_polls_late_sees_the_same(
        config in config(),
        packets in packets(4000),
        late in prop::collection::vec(any::<bool>(), 120),
    ) {
        let config = Arc::new(config);
        let new = || Link::<Numbered>::new(Arc::clone(&config), Stream::new(3, "late"));
        let (mut exact, mut lazy) = (new(), new());
        let (mut seen_exact, mut seen_lazy) = (Vec::new(), Vec::new());
        let mut now = Time::ZERO;
        for (n, (&(ticks, bytes), &late)) in packets.iter().zip(&late).enumerate() {
            now += Span::from_micros(ticks * 100);
            seen_exact.extend(drain_until(&mut exact, now));
            if !late {
                seen_lazy.extend(core::iter::from_fn(|| next(&mut lazy, now)));
            }
            let packet = Numbered(number(n), bytes);
            prop_assert_eq!(offer(&mut exact, now, packet), offer(&mut lazy, now, packet));
            prop_assert_eq!(exact.queue_len(), lazy.queue_len());
        }
        seen_exact.extend(drain(&mut exact));
        seen_lazy.extend(core::iter::from_fn(|| next(&mut lazy, Time::MAX)));
        prop_assert_eq!(seen_exact, seen_lazy);
        prop_assert_eq!(exact.counters(), lazy.counters());
    }

    /// Compares a trace with mahimahi's own procedure, one opportunity after the other.
    #[test]
    fn a_trace_delivers_like_a_walk_over_its_opportunities(
        at in rate_trace(),
        packets in packets(4000),
    ) {
        let mut offered: Vec<(Time, u64, u32)> = Vec::new();
        let mut now = Time::ZERO;
        for (n, &(ticks, bytes)) in packets.iter().enumerate() {
            now += Span::from_micros(ticks * 100);
            offered.push((now, n as u64, bytes.max(1)));
        }
        let period = u64::from(*at.last().expect("not empty"));
        let mut expected = Vec::new();
        let mut queue = offered.iter().copied().peekable();
        let mut rest = 0;
        'all: for round in 0.. {
            for &ms in &at {
                let moment = Time::from_millis(round * period + u64::from(ms));
                let mut budget = OPPORTUNITY_BYTES;
                while budget > 0 {
                    let Some(&(came, n, bytes)) = queue.peek() else { break 'all };
                    if came >= moment {
                        break;
                    }
                    if rest == 0 {
                        rest = bytes;
                    }
                    let part = rest.min(budget);
                    (rest, budget) = (rest - part, budget - part);
                    if rest == 0 {
                        expected.push((moment, n));
                        queue.next();
                    }
                }
            }
        }
        let mut config = Config::constant(Rate::ZERO, Span::ZERO, 1000);
        config.initial.service = Service::Trace(parse(&at));
        let mut link = link(config);
        let mut exits = Vec::new();
        for (now, n, bytes) in offered {
            exits.extend(drain_until(&mut link, now));
            prop_assert_eq!(link.offer(now, Numbered(n, bytes)), Ok(()));
        }
        exits.extend(drain(&mut link));
        prop_assert_eq!(arrivals(&exits), expected);
    }
}

#[test]
fn the_same_seed_gives_the_same_losses_and_another_does_not() {
    let run = |seed| {
        let config = Config::constant(Rate::from_mbps(8.0), Span::from_millis(1), 50)
            .with_loss(Probability::clamped(0.3));
        let mut link = Link::new(Arc::new(config), Stream::new(seed, "link"));
        for n in 0..50 {
            assert_eq!(link.offer(Time::ZERO, Numbered(n, 1000)), Ok(()));
        }
        drain(&mut link)
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}
