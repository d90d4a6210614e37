//! Both halves of WTCP, coupled over a path, and each alone.

use crate::support::shared_link::{Outcome, PACKET, SharedLink};
use atl_core::time::{Span, Time};
use atl_core::window::{
    Ack, Arrived, ControllerConfig, ReceiverHalf, Sent, Start, Timeout, WindowController, wtcp,
};
use proptest::prelude::*;

/// 2 Mb/s and 120 ms: the paths of the ATL paper's 3G network.
const RATE: f64 = 240.0;

fn path() -> SharedLink {
    SharedLink {
        rates: vec![(0.0, RATE)],
        rtt: Span::from_millis(120),
        queue: 50,
        loss: 0.0,
        blackout: (0.0, 0.0),
        jitter: Span::ZERO,
        initial_window: 2.0,
        seed: 1,
    }
}

fn config() -> ControllerConfig {
    ControllerConfig::from(wtcp::Config::default())
}

fn alone(link: &SharedLink, secs: usize) -> Outcome {
    link.run(&config(), &[0.0], secs).remove(0)
}

fn start() -> Start {
    Start::default().initial_window(2.0).packet_bytes(PACKET).receive_window(10_000)
}

#[test]
fn it_finds_the_bottlenecks_rate_and_does_not_fill_its_queue() {
    // From a CDPD channel to early Ethernet; the last one with a queue of 4 ms only.
    for (rate, rtt) in [(4.0, 800), (240.0, 120), (240.0, 520), (12_000.0, 20)] {
        let link = SharedLink { rates: vec![(0.0, rate)], rtt: Span::from_millis(rtt), ..path() };
        let outcome = alone(&link, 120);
        let share = outcome.goodput(20, 120) / rate;
        assert!(share > 0.85, "{share} of {rate} packets/s at {rtt} ms");
        let dropped = outcome.dropped.iter().sum::<u64>() as f64 / (120.0 * rate);
        assert!(dropped < 1e-3, "{dropped} at {rate} packets/s and {rtt} ms");
        assert!(rtt == 800 || outcome.timeouts == 0, "{}", outcome.timeouts);
    }
}

#[test]
fn random_loss_costs_little_more_than_what_is_lost() {
    let clean = alone(&path(), 200).goodput(20, 200);
    for (loss, least) in [(1e-3, 0.95), (1e-2, 0.95), (5e-2, 0.87), (1e-1, 0.82)] {
        for seed in [1, 2, 3] {
            let lossy = SharedLink { loss, seed, ..path() };
            let share = alone(&lossy, 200).goodput(20, 200) / clean;
            assert!(share > least, "{share} at a loss of {loss}, seed {seed}");
        }
    }
}

#[test]
fn jitter_as_long_as_a_packet_does_not_pass_for_congestion() {
    let jittery = SharedLink { jitter: Span::from_millis(4), ..path() };
    let share = alone(&jittery, 200).goodput(20, 200) / RATE;
    assert!(share > 0.85, "{share}");
}

/// ATL, sec. II: the metric "is not reliable in the high-bandwidth low-delay environments".
#[test]
fn jitter_that_dwarfs_the_separation_starves_it() {
    let fast = SharedLink {
        rates: vec![(0.0, 12_000.0)],
        rtt: Span::from_millis(20),
        queue: 200,
        ..path()
    };
    let jittery = SharedLink { jitter: Span::from_millis(4), ..fast.clone() };
    let (calm, shaken) = (alone(&fast, 40).goodput(10, 40), alone(&jittery, 40).goodput(10, 40));
    assert!(calm > 0.85 * 12_000.0, "{calm}");
    assert!(shaken < 0.5 * calm, "{shaken} against {calm}");
}

#[test]
fn it_follows_a_bottleneck_that_halves_within_ten_round_trips() {
    let link = SharedLink { rates: vec![(0.0, RATE), (20.0, RATE / 2.0)], ..path() };
    let outcome = alone(&link, 60);
    assert!(outcome.rates[19] > 0.8 * RATE);
    // 1.2 s, counted generously.
    assert!(outcome.rates[21] < 0.55 * RATE, "{:?}", outcome.rates);
    assert!(outcome.goodput(25, 60) > 0.85 * RATE / 2.0);
    // The queue may overflow until the rate is down, not after.
    assert_eq!(outcome.dropped[23..].iter().sum::<u64>(), 0, "{:?}", outcome.dropped);
}

#[test]
fn two_flows_share_though_one_came_first() {
    for jitter in [0, 4] {
        let link = SharedLink { jitter: Span::from_millis(jitter), ..path() };
        let outcomes = link.run(&config(), &[0.0, 20.0], 80);
        let (first, second) = (outcomes[0].goodput(30, 80), outcomes[1].goodput(30, 80));
        let ratio = first / second;
        assert!((0.5..2.0).contains(&ratio), "{first} against {second} packets/s");
        assert!(first + second > 0.85 * RATE, "{first} and {second} packets/s");
        // The overflow at the newcomer's start is over soon.
        let dropped: u64 = outcomes.iter().flat_map(|o| &o.dropped[25..]).sum();
        assert_eq!(dropped, 0);
    }
}

#[test]
fn after_a_blackout_it_goes_on_near_its_old_rate() {
    let link = SharedLink { blackout: (20.0, 25.0), ..path() };
    let outcome = alone(&link, 60);
    // It probes while there are no answers.
    assert!((2..=4).contains(&outcome.timeouts), "{}", outcome.timeouts);
    assert!(outcome.goodput(29, 60) > 0.85 * RATE, "{:?}", outcome.delivered);
    assert!(outcome.rates[28] > 0.7 * RATE, "{:?}", outcome.rates);
}

#[test]
fn its_trajectory_stays_what_it_was() {
    let outcome = alone(&SharedLink { loss: 1e-2, ..path() }, 30);
    assert_eq!(outcome, alone(&SharedLink { loss: 1e-2, ..path() }, 30));
    let got = TRAJECTORY.map(|(second, _)| (second, outcome.rates[second - 1]));
    let near =
        got.iter().zip(TRAJECTORY).all(|((_, got), (_, rate))| (got / rate - 1.0).abs() < 0.01);
    assert!(near, "{got:?}");
}

const TRAJECTORY: [(usize, f64); 6] =
    [(1, 207.6), (2, 266.3), (3, 236.8), (10, 226.0), (20, 195.5), (30, 265.4)];

/// Packets of a sender with `separation` between them, over a path that changes nothing.
fn feed(
    receiver: &mut wtcp::Receiver,
    from: u64,
    packets: u64,
    now: Time,
    separation: Span,
) -> Time {
    let mut now = now;
    for tx in from..from + packets {
        now += separation;
        receiver.on_data(&Arrived::new(now, tx, now, PACKET));
    }
    now
}

#[test]
fn a_sender_that_does_not_use_its_rate_is_not_given_more() {
    let mut receiver = wtcp::Receiver::new(&wtcp::Config::default(), &start());
    let pair = |ms, tx| Arrived::new(Time::from_millis(ms), tx, Time::ZERO, PACKET);
    receiver.on_data(&pair(100, 0));
    assert_eq!(receiver.rate(), None);
    receiver.on_data(&pair(105, 1));
    assert_eq!(receiver.rate(), Some(200.0));
    let now = feed(&mut receiver, 2, 2000, Time::from_millis(200), Span::from_millis(20));
    assert_eq!(receiver.rate(), Some(200.0));
    feed(&mut receiver, 2002, 200, now, Span::from_millis(5));
    assert!(receiver.rate().is_some_and(|rate| rate > 200.0));
}

#[test]
fn a_long_opening_burst_does_not_pass_for_congestion() {
    let start = start().initial_window(20.0);
    let mut receiver = wtcp::Receiver::new(&wtcp::Config::default(), &start);
    for tx in 0..20 {
        let now = Time::from_millis(60 + 5 * tx);
        receiver.on_data(&Arrived::new(now, tx, Time::ZERO, PACKET));
    }
    let mut least = f64::INFINITY;
    for tx in 20..60 {
        feed(&mut receiver, tx, 1, Time::from_millis(120 + 5 * tx), Span::from_millis(5));
        least = receiver.rate().unwrap_or(0.0).min(least);
    }
    assert!(least >= 200.0, "{least}");
}

#[test]
fn without_a_pair_it_begins_with_the_initial_window_in_a_round_trip() {
    let mut receiver = wtcp::Receiver::new(&wtcp::Config::default(), &start());
    let at = |ms, tx| Arrived::new(Time::from_millis(ms), tx, Time::from_millis(ms - 60), PACKET);
    receiver.on_data(&at(100, 0));
    // Transmission 1 is lost; 2 leaves when 0 is acknowledged.
    receiver.on_data(&at(225, 2));
    assert!((receiver.feedback_time() - 0.125).abs() < 1e-12);
    assert_eq!(receiver.rate(), Some(16.0));
}

#[test]
fn the_sender_paces_at_the_receivers_rate_and_probes_after_a_timeout() {
    let mut sender = wtcp::Sender::new(&wtcp::Config::default(), &start());
    let sent = |ms| Sent::new(Time::from_millis(ms), 0, PACKET, 1);
    let ack = |ms| {
        Ack::new(Time::from_millis(ms))
            .delivered(1)
            .cumulative(1)
            .srtt(Span::from_millis(120))
            .rtt_min(Span::from_millis(120))
            .window_limited(false)
    };
    sender.on_sent(&sent(1000));
    assert_eq!((sender.window(), sender.release_at(), sender.pacing_rate()), (2.0, None, None));
    sender.on_ack(&ack(1120));
    sender.on_peer_rate(Time::from_millis(1120), 250.0);
    assert_eq!(sender.release_at(), Some(Time::from_millis(1004)));
    let pace = sender.pacing_rate().map(|rate| rate.packets_per_sec(PACKET));
    assert!(pace.is_some_and(|rate| (rate - 250.0).abs() < 1e-9), "{pace:?}");
    // Twice the packets in flight at this rate.
    assert!((sender.window() - 60.0).abs() < 1e-9);
    for nonsense in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        sender.on_peer_rate(Time::from_millis(1121), nonsense);
        assert_eq!(sender.rate(), Some(250.0));
    }
    sender.on_timeout(&Timeout::new(Time::from_millis(2000), 30));
    assert!((sender.window() - 1.0).abs() < 1e-9);
    sender.on_ack(&ack(2200));
    assert!((sender.window() - 60.0).abs() < 1e-9);
}

#[test]
fn a_receiver_keeps_nothing_on_the_heap() {
    assert!(!core::mem::needs_drop::<wtcp::Receiver>());
}

fn arrival() -> impl Strategy<Value = (i64, i64, u64)> {
    let near = -70..70i64;
    let jump = prop_oneof![-1_000_000..1_000_000i64, any::<i64>()];
    let time = prop_oneof![0..10_000u64, 0..10_000_000_000u64, Just(0)];
    let sent = prop_oneof![-10_000_000..10_000_000i64, any::<i64>()];
    (prop_oneof![8 => Just(1i64), 4 => near, 1 => jump], sent, time)
}

proptest! {
    #[test]
    fn no_arrivals_take_the_rate_out_of_its_bounds(
        arrivals in proptest::collection::vec(arrival(), 1..400),
        initial_window in any::<f64>(),
        wild in any::<bool>(),
    ) {
        let bounds = wtcp::Config { min_rate: 2.0, max_rate: 5000.0, ..wtcp::Config::default() };
        let config = if wild {
            wtcp::Config { increase: f64::NAN, decrease: 7.0, long_packets: 0, ..bounds }
        } else {
            bounds
        };
        // Parameters out of their ranges are the default ones.
        let bounds = if wild { wtcp::Config::default() } else { config.clone() };
        let mut receiver = wtcp::Receiver::new(&config, &start().initial_window(initial_window));
        let (mut tx, mut sent, mut now) = (0u64, 0u64, Time::ZERO);
        for (step, sent_step, wait) in arrivals {
            tx = tx.saturating_add_signed(step);
            sent = sent.saturating_add_signed(sent_step);
            now = now.saturating_add(Span::from_nanos(wait));
            receiver.on_data(&Arrived::new(now, tx, Time::from_nanos(sent), PACKET));
            if let Some(rate) = receiver.rate() {
                prop_assert!((bounds.min_rate..=bounds.max_rate).contains(&rate), "{rate}");
            }
            let feedback = receiver.feedback_time();
            prop_assert!((0.999e-3..=60.0).contains(&feedback), "{feedback}");
        }
    }
}

/// Rates of a receiver that finds gaps of `step` - 1 packets, and a copy of the packet before each.
fn rates(step: u64, copies: bool) -> Vec<Option<f64>> {
    let config = wtcp::Config { loss_block: 64, loss_deviations: 0.0, ..Default::default() };
    let config = ControllerConfig::from(config);
    let mut receiver = config.build_receiver(&start()).expect("two halves");
    let (mut tx, mut now) = (0, Time::ZERO);
    let mut rates = Vec::new();
    for i in 0..600 {
        let gap = i > 60 && i % 5 == 0;
        tx += if gap { step } else { 1 };
        now += Span::from_millis(10);
        let arrived = |tx| Arrived::new(now, tx, now - Span::from_millis(50), PACKET);
        receiver.on_data(&arrived(tx));
        if gap && copies {
            receiver.on_data(&arrived(tx - step));
        }
        rates.push(receiver.rate());
    }
    rates
}

#[test]
fn a_copy_of_a_packet_that_had_arrived_is_no_overtaken_one() {
    for step in [1, 2, 7, 63, 64, 65, 200] {
        assert_eq!(rates(step, true), rates(step, false), "{step}");
    }
}
