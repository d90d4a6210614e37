//! BBRv3 on a bottleneck; the sender's states are tested beside its code.

use crate::support::bottleneck::{Bottleneck, Outcome};
use atl_core::conformance;
use atl_core::time::{Span, Time};
use atl_core::window::bbr3::Config;
use atl_core::window::{BuildController, ControllerConfig, Start};

/// 20 Mb/s in packets of 1040 bytes, 50 ms: 125 packets.
const PATH: Bottleneck = Bottleneck {
    rate: 2500.0,
    rtt: Span::from_millis(50),
    queue: 250,
    loss: 0.0,
    blackout: (Time::ZERO, Time::ZERO),
    seed: 1,
};

fn run(path: Bottleneck, secs: u64) -> Outcome {
    path.run(&mut *Config::default().build(&Start::default().packet_bytes(1040)), secs)
}

#[test]
fn it_keeps_what_a_window_controller_promises() {
    conformance::window_safety(&ControllerConfig::from(Config::default()), |_, _, _| {});
}

/// Two percent less for ProbeRTT, one for the pacing margin, and the probes.
#[test]
fn it_fills_a_clean_path_and_keeps_its_queue_short() {
    let outcome = run(PATH, 60);
    assert!(outcome.utilisation > 0.94, "{}", outcome.utilisation);
    assert_eq!((outcome.lost, outcome.timeouts), (0, 0));
    // Once the queue of the start is gone, the window is twice what the path holds.
    let window = outcome.mean_window(10);
    assert!((200.0..300.0).contains(&window), "{window} packets");
}

#[test]
fn losses_below_the_threshold_cost_little_and_above_it_much() {
    let little = run(Bottleneck { loss: 0.01, ..PATH }, 60);
    assert!(little.utilisation > 0.8, "{}", little.utilisation);
    let much = run(Bottleneck { loss: 0.15, ..PATH }, 60);
    assert!(much.utilisation < 0.5, "{}", much.utilisation);
}

#[test]
fn it_comes_back_after_a_blackout() {
    let blackout = (Time::from_millis(10_000), Time::from_millis(15_000));
    let outcome = run(Bottleneck { blackout, ..PATH }, 30);
    let last: u64 = outcome.delivered[25..].iter().sum();
    assert!(last > 5 * 2300, "{last} packets in 5 s");
}

#[test]
fn parameters_out_of_their_ranges_are_refused_and_still_work() {
    for odd in [
        Config { drain_gain: 0.0, ..Config::default() },
        Config { drain_gain: 1.5, ..Config::default() },
        Config { loss_threshold: 1.0, ..Config::default() },
        Config { probe_rtt_interval: f64::INFINITY, ..Config::default() },
        Config { loss_ranges: 0, ..Config::default() },
    ] {
        assert!(odd.check().is_err(), "{odd:?}");
        conformance::window_safety(&ControllerConfig::from(odd), |_, _, _| {});
    }
    assert_eq!(Config::default().check(), Ok(()));
}
