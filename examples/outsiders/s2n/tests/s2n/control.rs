//! The hosted baselines on a bottleneck, and against their library's own published simulation.

use crate::bottleneck::{Bottleneck, PACKET};
use crate::events::{ack, loss};
use atl_core::time::{Span, Time};
use atl_core::window::{BuildController, Detection, Sent, Start, WindowController};
use s2n::{bbr2, cubic};

const START: Start = Start::DEFAULT.initial_window(2.0).packet_bytes(PACKET).receive_window(10_000);

/// 10 Mb/s and 80 ms: a bandwidth-delay product of 96 packets.
const PATH: Bottleneck = Bottleneck {
    rate: 1202.0,
    rtt: Span::from_millis(80),
    queue: 50,
    loss: 0.0,
    blackout: (Time::MAX, Time::MAX),
    seed: 1,
};

fn cubic() -> Box<dyn WindowController> {
    cubic::Config::default().build(&START)
}

fn bbr(seed: u64) -> Box<dyn WindowController> {
    bbr2::Config { seed }.build(&START)
}

fn both() -> [(&'static str, Box<dyn WindowController>); 2] {
    [("cubic", cubic()), ("bbr", bbr(1))]
}

#[test]
fn each_fills_a_bottleneck_and_stays_near_its_bandwidth_delay_product() {
    for (name, mut controller) in both() {
        let outcome = PATH.run(&mut *controller, 60);
        assert!(outcome.utilisation >= 0.9, "{name}: {}", outcome.utilisation);
        assert_eq!(outcome.timeouts, 0, "{name}");
        // 96 packets fill the path, 50 more its queue; BBR's window is twice the path by design.
        let most = outcome.windows.iter().copied().fold(0.0, f64::max);
        assert!(most < 2.2 * 96.2, "{name}: {most}");
    }
}

#[test]
fn both_pace_near_the_bottlenecks_rate() {
    for (name, mut controller) in both() {
        assert_eq!(controller.pacing_rate(), None, "{name}");
        PATH.run(&mut *controller, 60);
        let rate = controller.pacing_rate().expect("measured").packets_per_sec(PACKET);
        // CUBIC spreads its window with a gain of 5/4; BBR probes with 5/4 and drains with 3/4.
        assert!(
            (0.7 * PATH.rate..1.4 * PATH.rate).contains(&rate),
            "{name}: {rate} packets a second"
        );
    }
    let unpaced = cubic::Config { pacing: false };
    let mut controller = unpaced.build(&START);
    PATH.run(&mut *controller, 5);
    assert_eq!(controller.pacing_rate(), None);
}

#[test]
fn two_runs_are_the_same_and_the_seed_is_what_tells_bbr_flows_apart() {
    let lossy = Bottleneck { loss: 0.002, ..PATH };
    assert_eq!(lossy.run(&mut *cubic(), 60), lossy.run(&mut *cubic(), 60));
    let first = lossy.run(&mut *bbr(1), 60);
    assert_eq!(first, lossy.run(&mut *bbr(1), 60));
    assert_ne!(first, lossy.run(&mut *bbr(2), 60));
}

/// RFC 8312, table 1 and eq. 5: at 1 % loss and 80 ms CUBIC is in its TCP-friendly region, where a
/// window averages sqrt(3/2p) = 12 packets. BBR version 2 keeps its rate up to a loss of 2 %.
#[test]
fn one_percent_of_random_loss_starves_cubic_and_hardly_touches_bbr() {
    let lossy = Bottleneck { loss: 0.01, ..PATH };
    let cubic = lossy.run(&mut *cubic(), 120);
    let bbr = lossy.run(&mut *bbr(1), 120);
    let window = cubic.mean_window(10);
    assert!((9.0..15.0).contains(&window), "CUBIC {window}");
    assert!(bbr.mean_window(10) > 5.0 * window, "BBR {}", bbr.mean_window(10));
    assert!(cubic.utilisation < 0.2, "CUBIC {}", cubic.utilisation);
    assert!(bbr.utilisation > 0.7, "BBR {}", bbr.utilisation);
}

/// The library's own published simulation "Loss at 3MB" (its `recovery/simulation.rs` and
/// snapshot): 1200-byte packets, an RTT of 200 ms, a full window each round, one loss at the first
/// window of 3 MB or more. Driven through the adapter the same windows must come out.
#[test]
fn through_the_adapter_cubic_repeats_the_published_simulation_of_its_library() {
    const PUBLISHED: [(usize, f64); 12] = [
        (0, 10.0),
        (4, 160.0),
        (8, 2560.0),
        (9, 1792.0),
        (10, 1815.0),
        (20, 2116.0),
        (40, 2457.0),
        (60, 2554.0),
        (80, 2561.0),
        (100, 2632.0),
        (120, 2920.0),
        (134, 3333.0),
    ];
    let start = START.initial_window(10.0).packet_bytes(1200);
    let mut controller = cubic::Config::default().build(&start);
    let rtt = Span::from_millis(200);
    let mut tx = 0;
    let mut dropped = false;
    let mut windows = Vec::new();
    for round in 0..135 {
        windows.push(controller.window());
        let begin = Time::from_millis(1 + 200 * (round + 1));
        let sent = |now, tx, in_flight| Sent::new(now, tx, 1200, in_flight);
        if !dropped && controller.window() * 1200.0 >= 3e6 {
            dropped = true;
            controller.on_sent(&sent(begin, tx, 1));
            controller.on_loss(&loss(begin, tx, 1, 1, Detection::Acks));
            tx += 1;
            continue;
        }
        let window = controller.window() as u32;
        for i in 0..window {
            controller.on_sent(&sent(begin, tx + u64::from(i), i + 1));
        }
        for i in 0..window {
            let newest = Some((tx + u64::from(i), begin));
            controller.on_ack(&ack(begin + rtt, 1, newest, Some(rtt), window - 1 - i));
        }
        tx += u64::from(window);
    }
    for (round, published) in PUBLISHED {
        let ours = windows[round];
        assert!(
            (ours / published - 1.0).abs() < 0.005,
            "round {round}: {ours}, published {published}"
        );
    }
}

/// Trajectories of the version of the library that was hosted first, to 2 %: a newer one that moves
/// these numbers changes a baseline.
#[test]
fn trajectories_stay_what_they_were() {
    let cubic = PATH.run(&mut *cubic(), 30).windows;
    for (second, window) in
        [(1, 116.9), (4, 139.6), (7, 143.7), (8, 105.6), (14, 131.8), (20, 115.4), (28, 125.4)]
    {
        let got: f64 = cubic[second - 1];
        assert!((got / window - 1.0).abs() < 0.02, "CUBIC at {second} s: {got}");
    }
    let bbr = PATH.run(&mut *bbr(1), 30).windows;
    for (second, window) in [(1, 148.0), (4, 197.0), (14, 48.9), (15, 197.3), (30, 49.5)] {
        let got: f64 = bbr[second - 1];
        assert!((got / window - 1.0).abs() < 0.02, "BBR at {second} s: {got}");
    }
}

#[test]
fn a_timeout_sends_cubic_back_to_slow_start_and_leaves_bbr_its_model() {
    let blackout = (Time::from_millis(10_000), Time::from_millis(13_000));
    let path = Bottleneck { blackout, ..PATH };
    let cubic = path.run(&mut *cubic(), 30);
    assert!(cubic.timeouts >= 1);
    assert!((cubic.windows[11] - 2.0).abs() < 1e-9, "{:?}", cubic.windows);
    assert!(cubic.windows[25] > 80.0, "it recovers: {:?}", cubic.windows);
    let bbr = path.run(&mut *bbr(1), 30);
    assert!(bbr.timeouts >= 1);
    assert!(bbr.windows[12] > 96.0, "{:?}", bbr.windows);
    assert!(bbr.delivered[14] > cubic.delivered[14]);
}

#[test]
fn only_cubic_knows_a_slow_start_threshold_and_only_on_wish_it_does_not_pace() {
    let mut paced = cubic();
    assert!(paced.ssthresh().is_infinite());
    PATH.run(&mut *paced, 20);
    assert!(paced.ssthresh() < 146.0, "{}", paced.ssthresh());
    assert!(paced.release_at().is_some_and(|at| at > Time::from_millis(19_000)));

    let mut unpaced = cubic::Config { pacing: false }.build(&START);
    let outcome = PATH.run(&mut *unpaced, 20);
    assert_eq!(unpaced.release_at(), None);
    assert!(outcome.utilisation > 0.9);

    let mut bbr = bbr(1);
    PATH.run(&mut *bbr, 20);
    assert!(bbr.ssthresh().is_infinite());
    assert!(bbr.release_at().is_some_and(|at| at > Time::from_millis(19_000)));
}

#[test]
fn initial_windows_are_the_hosts_down_to_the_librarys_least() {
    for (initial, of_cubic, of_bbr) in
        [(1.0, 2.0, 4.0), (10.0, 10.0, 10.0), (f64::NAN, 2.0, 4.0), (300.0, 300.0, 300.0)]
    {
        let start = START.initial_window(initial);
        let (cubic, bbr) =
            (cubic::Config::default().build(&start), bbr2::Config::default().build(&start));
        assert!((cubic.window() - of_cubic).abs() < 1e-9, "{}", cubic.window());
        assert!((bbr.window() - of_bbr).abs() < 1e-9, "{}", bbr.window());
    }
}
