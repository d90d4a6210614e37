//! Delays that vary from packet to packet, reordering, and bursts in time.

use std::sync::Arc;

use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_link::random::Stream;
use atl_link::{
    Change, Conditions, Config, Exit, Grants, Jitter, JitterShape, Link, Loss, Reconfiguration,
    Reorder, Service, Wifi, WifiStandard,
};
use proptest::prelude::*;

use crate::properties;
use crate::support::{EIGHT, Numbered, arrivals, config, drain, losses, network};

const PACKETS: u64 = 20_000;

fn millis(n: u64) -> Span {
    Span::from_millis(n)
}

fn jitter(shape: JitterShape, in_order: bool) -> Option<Jitter> {
    Some(Jitter { spread: millis(5), shape, in_order })
}

/// Exits by time of a link that is polled at each event.
pub(crate) fn exits_until(link: &mut Link<Numbered>, end: Time) -> Vec<(Time, Exit<Numbered>)> {
    let mut exits = Vec::new();
    while link.next_event() <= end && link.next_event() < Time::MAX {
        let now = link.next_event();
        while let Some(exit) = link.poll(now) {
            exits.push((now, exit));
        }
    }
    exits
}

/// Exits by time of `count` packets, one offered every `every` from time zero on; all find room.
pub(crate) fn exits_of(
    link: &mut Link<Numbered>,
    count: u64,
    every: Span,
    bytes: u32,
) -> Vec<(Time, Exit<Numbered>)> {
    let mut exits = Vec::new();
    for n in 0..count {
        let now = Time::from_nanos(every.nanos() * n);
        exits.extend(exits_until(link, now));
        assert_eq!(link.offer(now, Numbered(n, bytes)), Ok(()));
    }
    exits.extend(exits_until(link, Time::MAX));
    exits
}

/// Arrivals of packets of 1000 bytes, offered every 2 ms to a link of 8 Mb/s and 10 ms.
fn run(change: impl Fn(&mut Config)) -> Vec<(Time, u64)> {
    let mut config = config(network(EIGHT, 10));
    change(&mut config);
    let mut link = Link::new(Arc::new(config), Stream::new(3, "test"));
    let arrived = arrivals(&exits_of(&mut link, PACKETS, millis(2), 1000));
    assert!(arrived.is_sorted_by_key(|(at, _)| *at));
    arrived
}

/// Delays in seconds after transmission, by number of packet.
fn delays(arrived: &[(Time, u64)]) -> Vec<f64> {
    let mut delays = vec![0.0; arrived.len()];
    for (at, n) in arrived {
        delays[*n as usize] = at.secs() - 0.002 * *n as f64 - 0.001;
    }
    delays
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn deviation(values: &[f64]) -> f64 {
    let mean = mean(values);
    (values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / values.len() as f64).sqrt()
}

#[test]
fn each_shape_has_its_mean_its_deviation_and_its_bounds() {
    // Means of 20 000 draws are within four standard errors, .14 ms; deviations within 5 %. Of
    // normal draws 2.3 % are below zero and become zero: their mean is .04 ms higher.
    for (shape, expected, spread) in [
        (JitterShape::Uniform, 0.010, 0.005 / 3.0_f64.sqrt()),
        (JitterShape::Normal, 0.010, 0.005),
        (JitterShape::Exponential, 0.015, 0.005),
    ] {
        let delays = delays(&run(|config| config.initial.jitter = jitter(shape, false)));
        assert_eq!(delays.len(), PACKETS as usize);
        assert!((mean(&delays) - expected).abs() < 0.000_2, "{shape:?}: {}", mean(&delays));
        assert!((deviation(&delays) / spread - 1.0).abs() < 0.05, "{shape:?}");
        let least = delays.iter().copied().fold(f64::INFINITY, f64::min);
        let most = delays.iter().copied().fold(0.0, f64::max);
        let allowed = match shape {
            JitterShape::Uniform => 0.005..0.015_1,
            JitterShape::Normal => 0.0..0.040,
            JitterShape::Exponential => 0.010..0.080,
            JitterShape::Wifi | JitterShape::Harq => unreachable!("tests of their own"),
        };
        assert!(allowed.contains(&(least + 1e-8)) && allowed.contains(&most), "{least} {most}");
    }
}

/// picoquic's model of Wi-Fi: means and deviations from the sums of its two parts.
#[test]
fn wifi_is_mostly_short_contention_and_at_times_a_bad_moment() {
    let shaped = |spread: u64| {
        let jitter = Jitter { spread: millis(spread), shape: JitterShape::Wifi, in_order: false };
        delays(&run(|config| config.initial.jitter = Some(jitter)))
    };
    // P(N1 = 0) = 1/e: the mean is 1 - (1 - 1/e) / 2 = .684 ms, on top of 10 ms.
    let calm = shaped(1);
    assert!((mean(&calm) - 0.010_684).abs() < 0.000_03, "{}", mean(&calm));
    let calmest = Jitter { spread: millis(1), shape: JitterShape::Wifi, in_order: true };
    assert!((calmest.mean().secs() - 0.000_684).abs() < 1e-6, "{}", calmest.mean());
    let at_once = calm.iter().filter(|delay| (**delay - 0.010).abs() < 1e-7).count() as f64;
    // Four standard deviations of a binomial count.
    assert!((at_once / PACKETS as f64 - 0.3679).abs() < 0.014, "{at_once}");
    // Of 12 500 us - 1000 us over 84 ms, .137, meets a bad moment of 12 slots of 7.5 ms, the last
    // one half on average: 86.25 ms. The deviation of the mean is .22 ms.
    let jitter =
        Jitter { spread: Span::from_micros(12_500), shape: JitterShape::Wifi, in_order: false };
    let bad = delays(&run(|config| config.initial.jitter = Some(jitter)));
    let expected = 0.010_684 + 11.5 / 84.0 * 0.086_25;
    assert!((mean(&bad) - expected).abs() < 0.000_9, "{} {expected}", mean(&bad));
    assert!((jitter.mean().secs() + 0.010 - expected).abs() < 1e-6, "{}", jitter.mean());
    let long = bad.iter().filter(|delay| **delay > 0.030).count() as f64 / PACKETS as f64;
    assert!((long - 11.5 / 84.0).abs() < 0.011, "{long}");
}

#[test]
fn one_block_in_ten_is_sent_again_after_a_round_trip_of_harq() {
    let jitter = Jitter { spread: millis(8), shape: JitterShape::Harq, in_order: false };
    let delays = delays(&run(|config| config.initial.jitter = Some(jitter)));
    let after =
        |ms: f64| delays.iter().filter(|delay| (**delay - 0.010 - ms / 1e3).abs() < 1e-7).count();
    let counts = [0.0, 8.0, 16.0, 24.0, 64.0].map(after);
    assert_eq!(counts.iter().sum::<usize>(), PACKETS as usize, "{counts:?}");
    // Of 20 000: 18 000, 1800, 180, 18 and 2, within four standard deviations.
    for (count, (expected, slack)) in
        counts.into_iter().zip([(18_000, 170), (1800, 162), (180, 54), (18, 17), (2, 6)])
    {
        assert!(count.abs_diff(expected) <= slack, "{counts:?}");
    }
    let mean = 0.008 * (0.1 + 0.01 + 0.001 + 5.0 * 0.000_1);
    assert!((jitter.mean().secs() - mean).abs() < 1e-8, "{}", jitter.mean());
}

/// A network that assigns paths anew every 2 s; packets come every 2 ms for 40 s.
#[test]
fn a_reconfiguration_steps_the_delay_and_loses_a_burst() {
    let reconfiguration = Reconfiguration {
        every: millis(2000),
        step: millis(4),
        outage: millis(100),
        loss: Probability::clamped(0.5),
    };
    let arrived = run(|config| config.initial.reconfiguration = Some(reconfiguration));
    assert!(arrived.is_sorted_by_key(|(_, n)| *n), "they keep their order");
    // Transmissions end 1 ms after packets are offered.
    let interval = |n: u64| (2 * n + 1) / 2000;
    let into = |n: u64| (2 * n + 1) % 2000;
    let mut steps: Vec<Vec<f64>> = vec![Vec::new(); 20];
    for (at, n) in &arrived {
        // Right after a step down, packets wait for those before them.
        if into(*n) > 100 {
            steps[interval(*n) as usize].push(at.secs() - 0.002 * *n as f64 - 0.001);
        }
    }
    for delays in &steps {
        assert_eq!(delays.len(), 950, "only the outage loses packets");
        let same = delays.iter().all(|delay| (delay - delays[0]).abs() < 1e-7);
        assert!(same && (0.006..0.014_01).contains(&delays[0]), "{}", delays[0]);
    }
    let firsts: Vec<f64> = steps.iter().map(|delays| delays[0]).collect();
    assert!((mean(&firsts) - 0.010).abs() < 0.002, "four standard errors: {}", mean(&firsts));
    assert!(deviation(&firsts) > 0.001);
    // 19 outages of 50 packets, half of which are lost; the first interval begins without one.
    let lost = PACKETS as usize - arrived.len();
    assert!(lost.abs_diff(475) <= 62, "{lost}");
    let lost_in = |n: u64| n > 0 && !arrived.iter().any(|(_, other)| *other == n);
    assert!((1000..1050).any(lost_in) && !(0..1000).any(lost_in));
}

#[test]
fn the_same_delays_overtake_or_keep_their_order() {
    let lost = run(|c| c.initial.jitter = jitter(JitterShape::Uniform, false));
    let kept = run(|c| c.initial.jitter = jitter(JitterShape::Uniform, true));
    assert!(kept.is_sorted_by_key(|(_, n)| *n));
    let overtaken = lost.windows(2).filter(|pair| pair[0].1 > pair[1].1).count();
    // Two packets 2 ms apart change places with probability .32; neighbours of arrival are not
    // always neighbours of departure, so this only has a lower bound.
    assert!(overtaken > PACKETS as usize / 5, "{overtaken}");
    // A packet in order arrives at the latest of its own time and those before it.
    let (lost, kept) = (delays(&lost), delays(&kept));
    let mut latest = f64::NEG_INFINITY;
    for (n, (own, kept)) in lost.iter().zip(&kept).enumerate() {
        latest = latest.max(own + 0.002 * n as f64);
        assert!((kept + 0.002 * n as f64 - latest).abs() < 1e-6, "packet {n}");
    }
}

/// As in any change of network, packets on the wire are not overtaken where delays begin to vary.
#[test]
fn packets_on_the_wire_keep_their_order_in_a_network_that_varies() {
    let grants = Some(Grants { every: Span::from_micros(1) });
    let little = Some(Jitter { spread: millis(1), shape: JitterShape::Uniform, in_order: true });
    let plain = network(EIGHT, 1);
    for to in [Conditions { grants, ..plain.clone() }, Conditions { jitter: little, ..plain }] {
        let schedule = vec![Change { at: Time::from_nanos(1_250_000), to }];
        let config = Config { schedule, ..config(network(EIGHT, 10)) };
        let mut link = Link::new(Arc::new(config), Stream::new(3, "test"));
        for number in 1..=3 {
            assert_eq!(link.offer(Time::ZERO, Numbered(number, 1000)), Ok(()));
        }
        // The first has left by then, and arrives after 11 ms; the others have 1 ms of delay.
        let at = Time::from_millis(11);
        let exits = exits_until(&mut link, Time::MAX);
        assert_eq!(arrivals(&exits), [(at, 1), (at, 2), (at, 3)]);
    }
}

#[test]
fn reordered_packets_come_late_by_the_time_given_and_the_others_do_not_wait() {
    let reorder = Reorder { share: Probability::clamped(0.1), by: millis(5) };
    let delays = delays(&run(|config| config.initial.reorder = Some(reorder)));
    let is = |delay: f64, ms: f64| (delay - ms / 1e3).abs() < 1e-7;
    assert!(delays.iter().all(|&delay| is(delay, 10.0) || is(delay, 15.0)));
    let late = delays.iter().filter(|&&delay| is(delay, 15.0)).count() as f64;
    // Four standard deviations of a binomial count.
    assert!((late / PACKETS as f64 - 0.1).abs() < 0.008_5, "{late}");
}

#[test]
fn losses_are_the_same_with_jitter_and_without() {
    let lost = |jitter: Option<Jitter>| {
        let mut config = config(network(EIGHT, 10)).with_loss(Probability::clamped(0.1));
        config.initial.jitter = jitter;
        let arrived = run(|c| c.initial = config.initial.clone());
        let mut numbers: Vec<u64> = arrived.iter().map(|(_, n)| *n).collect();
        numbers.sort_unstable();
        numbers
    };
    assert_eq!(lost(None), lost(jitter(JitterShape::Normal, false)));
    assert_eq!(lost(None), lost(jitter(JitterShape::Normal, true)));
}

/// Lost packets of `count`, one every `every`, on a link with bursts.
fn lost(every: Span, count: u64) -> Vec<bool> {
    let bursts = Loss::Bursts {
        good: millis(900),
        bad: millis(100),
        loss_good: Probability::ZERO,
        loss_bad: Probability::ONE,
    };
    let mut config = Config::constant(Rate::from_mbps(1000.0), Span::ZERO, 1000);
    config.initial.loss = bursts;
    let mut link = Link::new(Arc::new(config), Stream::new(5, "test"));
    let mut fates = vec![false; count as usize];
    for n in 0..count {
        let now = Time::ZERO + every * n;
        assert_eq!(link.offer(now, Numbered(n, 100)), Ok(()));
        for (_, lost, _) in losses(&drain(&mut link)) {
            fates[lost as usize] = true;
        }
    }
    fates
}

#[test]
fn bursts_last_for_times_whatever_is_sent_meanwhile() {
    let (dense, sparse) = (lost(millis(1), 1_000_000), lost(millis(10), 100_000));
    let at_ten: Vec<bool> = dense.iter().copied().step_by(10).collect();
    assert_eq!(at_ten, sparse, "ten times the packets meet the same bursts");
    let share = dense.iter().filter(|lost| **lost).count() as f64 / 1e6;
    // Some 1000 bursts, with a share of .1: a standard deviation of .1 sqrt(2 / 1000) (.9) = .004.
    assert!((share - 0.1).abs() < 0.016, "{share}");
    let bursts = dense.windows(2).filter(|pair| !pair[0] && pair[1]).count();
    // One cycle a second. The shortest bursts, one in 100, pass between two packets.
    assert!((900..1100).contains(&bursts), "{bursts}");
}

/// Any link, with any jitter and reordering in all its networks.
fn disturbed() -> impl Strategy<Value = Config> {
    let shape = prop_oneof![
        Just(JitterShape::Uniform),
        Just(JitterShape::Normal),
        Just(JitterShape::Exponential),
        Just(JitterShape::Wifi),
        Just(JitterShape::Harq)
    ];
    let jitter = (0..20_u64, shape, any::<bool>()).prop_map(|(ms, shape, in_order)| Jitter {
        spread: millis(ms),
        shape,
        in_order,
    });
    let reorder = (0.0..=1.0_f64, 1..20_u64)
        .prop_map(|(p, ms)| Reorder { share: Probability::clamped(p), by: millis(ms) });
    let wifi = ((1.0..100.0_f64, 1..5_u32, 0.0..0.9_f64), (1..9_u32, 100..65_535_u32, 0..4_u32));
    let wifi = wifi.prop_map(|((mbps, stations, errors), (aggregate, octets, retries))| Wifi {
        stations,
        errors: Probability::clamped(errors),
        aggregate,
        octets,
        retries,
        ..Wifi::new(Rate::from_mbps(mbps), WifiStandard::Ax)
    });
    let grants = (1..20_u64).prop_map(|ms| Grants { every: millis(ms) });
    let of_radio = (prop::option::weighted(0.4, wifi), prop::option::weighted(0.2, grants));
    let each = (prop::option::of(jitter), prop::option::of(reorder), of_radio);
    (properties::config(), prop::collection::vec(each, 5)).prop_map(|(mut config, each)| {
        let later = config.schedule.iter_mut().map(|change| &mut change.to);
        for (conditions, (jitter, reorder, (wifi, grants))) in
            std::iter::once(&mut config.initial).chain(later).zip(each)
        {
            (conditions.jitter, conditions.reorder) = (jitter, reorder);
            conditions.grants = grants;
            if let Some(wifi) = wifi {
                conditions.service = Service::Wifi(wifi);
            }
        }
        config
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn packets_are_conserved_and_lateness_changes_nothing(
        config in disturbed(),
        packets in properties::packets(4000),
        late in prop::collection::vec(any::<bool>(), 120),
    ) {
        let config = Arc::new(config);
        let new = || Link::<Numbered>::new(Arc::clone(&config), Stream::new(3, "late"));
        let (mut exact, mut lazy) = (new(), new());
        let (mut seen, mut seen_late) = (Vec::new(), Vec::new());
        let mut now = Time::ZERO;
        for (n, (&(ticks, bytes), &late)) in packets.iter().zip(&late).enumerate() {
            now += Span::from_micros(ticks * 100);
            seen.extend(exits_until(&mut exact, now));
            if !late {
                seen_late.extend(std::iter::from_fn(|| lazy.poll(now)));
            }
            let packet = Numbered(n as u64, bytes);
            let (one, other) = (exact.offer(now, packet), lazy.offer(now, packet));
            prop_assert_eq!(one, other);
            while let Some(dropped) = exact.next_dropped() {
                prop_assert_eq!(Some(dropped), lazy.next_dropped());
            }
            let c = exact.counters();
            prop_assert_eq!(c.held(), exact.held() as u64);
        }
        seen.extend(exits_until(&mut exact, Time::MAX));
        seen_late.extend(std::iter::from_fn(|| lazy.poll(Time::MAX)));
        prop_assert!(seen.is_sorted_by_key(|(at, _)| *at), "time decreases");
        let seen: Vec<_> = seen.into_iter().map(|(_, exit)| exit).collect();
        prop_assert_eq!(&seen, &seen_late);
        prop_assert_eq!(exact.counters(), lazy.counters());
        let mut numbers: Vec<u64> = seen
            .iter()
            .filter_map(|exit| match exit {
                Exit::Delivered(packet)
                | Exit::DeliveredTwice(packet)
                | Exit::Lost(packet, _)
                | Exit::Dropped(packet, _) => {
                    Some(packet.0)
                }
                Exit::Changed(_) => None,
            })
            .collect();
        let all = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        prop_assert_eq!(numbers.len(), all, "a packet comes out twice");
    }
}
