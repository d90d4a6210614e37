//! CUBIC's decisions, step by step and against RFC 9438's own values.

use crate::support::bottleneck::{Bottleneck, Outcome};
use crate::support::sender::{Sender, near};
use atl_core::conformance;
use atl_core::time::{Span, Time};
use atl_core::window::cubic::Config;
use atl_core::window::{
    Ack, BuildController, ControllerConfig, Detection, Loss, Marked, Sent, Start, WindowController,
};

/// A sender that is out of slow start, at `window` packets.
fn settled(config: Config, window: f64) -> Box<dyn WindowController> {
    config.build(&Start::default().initial_window(window).ssthresh(2.0))
}

fn lose(controller: &mut dyn WindowController, at: Time) {
    controller.on_loss(&Loss::new(at, 0, 1500, 100));
}

fn ack(at: Time, packets: u32, rtt: Span) -> Ack {
    Ack::new(at).delivered(packets).cumulative(packets).rtt(Some(rtt)).srtt(rtt).rtt_min(rtt)
}

#[test]
fn it_keeps_what_a_window_controller_promises() {
    conformance::window(Config::default());
    conformance::window(Config { pacing: false, hystart: false, ..Config::default() });
}

/// RFC 9438, sec. 4.6 and 4.7, and the least windows.
#[test]
fn a_loss_leaves_seven_tenths_and_a_second_one_releases_more() {
    let mut cubic = settled(Config::default(), 1000.0);
    lose(&mut *cubic, Time::ZERO);
    near(cubic.window(), 700.0);
    near(cubic.ssthresh(), 700.0);
    // K is 9.0856 s: a second later the window is 1000 - 0.4 * 8.0856^3 = 788.6.
    // A window each 100 ms, so that Reno's estimate stays below.
    let rtt = Span::from_micros(1);
    for ms in (0..=1000).step_by(100) {
        cubic.on_ack(&ack(Time::from_millis(ms), 1000, rtt));
    }
    assert!((cubic.window() - 788.557).abs() < 0.01, "{}", cubic.window());
    let before = cubic.window();
    lose(&mut *cubic, Time::from_millis(1000));
    near(cubic.window(), 0.7 * before);
    // W_max is 0.85 of the window: K = cbrt(0.15 * 788.557 / 0.4) = 6.6617 s instead of 8.3932 s.
    for ms in (1000..=7600).step_by(100).chain([7662]) {
        cubic.on_ack(&ack(Time::from_millis(ms), 1000, rtt));
    }
    assert!((cubic.window() - 0.85 * before).abs() < 0.01, "{}", cubic.window());
    let mut small = settled(Config::default(), 2.0);
    lose(&mut *small, Time::ZERO);
    near(small.window(), 2.0);
    near(small.ssthresh(), 2.0);
}

#[test]
fn marks_leave_their_own_share_once_a_round_trip() {
    let config = Config { ecn_beta: 0.85, ..Config::default() };
    let mut cubic = settled(config, 100.0);
    cubic.on_marked(&Marked::new(Time::ZERO, 1, 50));
    near(cubic.window(), 85.0);
    cubic.on_marked(&Marked::new(Time::ZERO, 1, 50).new_episode(false));
    near(cubic.window(), 85.0);
    let mut one = settled(Config::default(), 1.0);
    one.on_marked(&Marked::new(Time::ZERO, 1, 1));
    near(one.window(), 1.0);
}

/// RFC 9438, sec. 4.8: slow start to 0.7 of the window, then the curve from its lowest point.
#[test]
fn after_a_timeout_the_curve_begins_at_the_window_of_then() {
    let config = ControllerConfig::from(Config::default());
    let mut sender = Sender::new(&config, 100.0, 100);
    sender.expire(1);
    near(sender.cwnd(), 1.0);
    near(sender.controller.ssthresh(), 70.0);
    sender.expire(2);
    near(sender.controller.ssthresh(), 70.0);
    sender.deliver(69);
    near(sender.cwnd(), 70.0);
    sender.deliver(1);
    // W_cubic(0.1 s) is 70.0004: Reno's estimate is above it.
    near(sender.cwnd(), 70.0 + 1.0 / 70.0);
}

/// The application is the limit for a minute, or silent: none of that time counts.
#[test]
fn idle_time_does_not_count() {
    let run = |pause: u64, packets: u32| {
        let mut cubic = settled(Config::default(), 200.0);
        lose(&mut *cubic, Time::ZERO);
        let rtt = Span::from_millis(100);
        let mut at = Time::ZERO;
        for _ in 0..10 {
            at += rtt;
            cubic.on_ack(&ack(at, 140, rtt));
        }
        for _ in 0..packets {
            at += rtt;
            cubic.on_ack(&ack(at, 1, rtt).window_limited(false));
        }
        at += Span::from_secs(pause);
        cubic.on_sent(&Sent::new(at, 0, 1500, 1));
        at += rtt;
        cubic.on_ack(&ack(at, 140, rtt));
        cubic.window()
    };
    near(run(60, 0), run(0, 0));
    near(run(0, 600), run(0, 0));
}

#[test]
fn losses_of_one_round_trip_count_once_and_nothing_grows_in_recovery() {
    let mut cubic = settled(Config::default(), 100.0);
    lose(&mut *cubic, Time::ZERO);
    cubic.on_loss(&Loss::new(Time::ZERO, 1, 1500, 99).new_episode(false));
    cubic.on_loss(&Loss::new(Time::ZERO, 2, 1500, 98).detection(Detection::Timeout));
    cubic.on_ack(&ack(Time::from_millis(1), 1, Span::from_millis(100)).in_recovery(true));
    near(cubic.window(), 70.0);
}

/// RFC 9438, table 1 (RTT 0.1 s, C 0.4): 187 packets at a loss of 1e-4, 1054 at 1e-5. Its model has
/// no fast convergence, and one loss each 1/p packets.
#[test]
fn the_mean_window_is_that_of_the_rfc() {
    for (every, expected) in [(10_000_u64, 187.0), (100_000, 1054.0)] {
        let config = Config { fast_convergence: false, ..Config::default() };
        // A mean of 0.925 of the maximum, (3 + beta)/4: the cycle that stays as it is.
        let mut cubic = settled(config, expected / 0.925);
        lose(&mut *cubic, Time::ZERO);
        let rtt = Span::from_millis(100);
        let (mut at, mut began) = (Time::ZERO, Time::ZERO);
        for tx in 0..24 * every {
            if tx == 4 * every {
                began = at;
            }
            at += rtt.mul_f64(1.0 / cubic.window());
            cubic.on_ack(&ack(at, 1, rtt));
            if tx % every == every - 1 {
                lose(&mut *cubic, at);
            }
        }
        let mean = 20.0 * every as f64 * rtt.secs() / at.since(began).secs();
        assert!((mean / expected - 1.0).abs() < 0.03, "{mean} packets at 1/{every}");
    }
}

/// RFC 9438, sec. 4.3: where (1, 0.5) keeps more, so does this. Reno's mean is
/// sqrt(3/2) / sqrt(p) = 38.7 packets at 1e-3; at an RTT of 10 ms the curve alone would have 6.
#[test]
fn a_short_path_has_renos_window() {
    let config = Config { fast_convergence: false, ..Config::default() };
    let mut cubic = settled(config, 40.0);
    let rtt = Span::from_millis(10);
    let (mut at, mut began) = (Time::ZERO, Time::ZERO);
    for tx in 0..204_000_u64 {
        if tx == 4000 {
            began = at;
        }
        at += rtt.mul_f64(1.0 / cubic.window());
        cubic.on_ack(&ack(at, 1, rtt));
        if tx % 1000 == 999 {
            lose(&mut *cubic, at);
        }
    }
    let mean = 200_000.0 * rtt.secs() / at.since(began).secs();
    assert!((mean / 38.7 - 1.0).abs() < 0.08, "{mean} packets");
}

/// 20 Mb/s in packets of 1040 bytes, 50 ms: 125 packets.
const PATH: Bottleneck = Bottleneck {
    rate: 2500.0,
    rtt: Span::from_millis(50),
    queue: 125,
    loss: 0.0,
    blackout: (Time::ZERO, Time::ZERO),
    seed: 1,
};

fn run(path: Bottleneck, config: Config, secs: u64) -> Outcome {
    path.run(&mut *config.build(&Start::default().packet_bytes(1040)), secs)
}

/// Without HyStart++ the first slow start ends by a full queue, and as many losses as it holds.
#[test]
fn the_first_slow_start_loses_less() {
    let path = Bottleneck { queue: 500, ..PATH };
    let with = run(path, Config::default(), 3);
    let without = run(path, Config { hystart: false, ..Config::default() }, 3);
    assert!(2 * with.lost < without.lost, "{} lost, {} without", with.lost, without.lost);
    assert!(with.utilisation > 0.8, "{}", with.utilisation);
}

#[test]
fn it_fills_a_clean_path() {
    let outcome = run(PATH, Config::default(), 60);
    assert!(outcome.utilisation > 0.97, "{}", outcome.utilisation);
    assert_eq!(outcome.timeouts, 0);
}

/// At the same window a paced sender has no more than a few packets queued by itself.
#[test]
fn pacing_spreads_a_window() {
    let mut cubic = Config::default().build(&Start::default().initial_window(50.0).ssthresh(2.0));
    cubic.on_ack(&ack(Time::ZERO, 1, Span::from_millis(100)));
    cubic.on_sent(&Sent::new(Time::ZERO, 0, 1500, 1));
    let gap = cubic.release_at().map(|at| at.since(Time::ZERO).secs());
    assert!(gap.is_some_and(|gap| (gap - 0.1 / (1.25 * 50.0)).abs() < 1e-4), "{gap:?}");
    let unpaced = Config { pacing: false, ..Config::default() }.build(&Start::default());
    assert_eq!((unpaced.release_at(), unpaced.pacing_rate()), (None, None));
}

#[test]
fn parameters_out_of_their_ranges_are_refused_and_still_work() {
    for odd in [
        Config { c: 0.0, ..Config::default() },
        Config { c: f64::NAN, ..Config::default() },
        Config { beta: 1.0, ..Config::default() },
        Config { ecn_beta: 0.4, ..Config::default() },
    ] {
        assert!(odd.check().is_err(), "{odd:?}");
        conformance::window(odd);
    }
    assert_eq!(Config::default().check(), Ok(()));
}
