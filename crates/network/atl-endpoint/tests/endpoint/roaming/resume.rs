//! A sender that returns to a network: what it begins with there.

use atl_core::path::{PathId, PathSignal};
use atl_core::roaming::{NewPath, Resume};
use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_core::window::WindowController;
use atl_endpoint::tcp::Recovery;
use atl_link::{Change, Config, Service};

use super::host::{Conditions, Host, Plan};

const A: PathId = PathId::new(0);
const B: PathId = PathId::new(1);

/// Ten seconds in a cell of 11 Mb/s, five in one of 2 Mb/s, and back, where there are now `back_to`
/// Mb/s.
fn there_and_back(how: NewPath, back_to: f64) -> Host {
    let paths = vec![
        Conditions { mbps: 11.0, delay_ms: 60, queue: 60 },
        Conditions { mbps: 2.0, delay_ms: 60, queue: 60 },
    ];
    let signals = vec![
        (9_000, PathSignal::Imminent(B)),
        (10_000, PathSignal::Done(B)),
        (10_500, PathSignal::Gone(A)),
        (14_000, PathSignal::Imminent(A)),
        (15_000, PathSignal::Done(A)),
        (15_500, PathSignal::Gone(B)),
    ];
    let mut plan = Plan::new(paths, signals, how);
    plan.recovery = Recovery::Sack;
    plan.receive_window = 400;
    plan.until_ms = 17_000;
    let mut host = Host::new(plan);
    let mut cell = Config::constant(Rate::from_mbps(11.0), Span::from_millis(60), 60);
    let mut later = cell.initial.clone();
    later.service = Service::Constant(Rate::from_mbps(back_to));
    cell.schedule.push(Change { at: Time::from_millis(12_000), to: later });
    host.replace_link(A, cell);
    host.run()
}

/// Packets that were acknowledged from `from` to `to`, in ms.
fn delivered(host: &Host, from: u64, to: u64) -> usize {
    let within = |at: &&Time| (Time::from_millis(from)..Time::from_millis(to)).contains(at);
    host.arrivals.iter().filter(within).count()
}

#[test]
fn a_known_cell_is_used_sooner_than_an_unknown_one() {
    let resumed = there_and_back(NewPath::Resume(Resume::default()), 11.0);
    let reset = there_and_back(NewPath::Reset, 11.0);
    // Until the host is back there is no difference.
    assert_eq!(delivered(&resumed, 0, 15_000), delivered(&reset, 0, 15_000));
    // Half a second: 100 ms until the notice is there, one round trip to confirm the path, one to
    // fill it.
    let (one, other) = (delivered(&resumed, 15_000, 15_500), delivered(&reset, 15_000, 15_500));
    assert!(one >= 2 * other, "{one} {other}");
    let (one, other) = (delivered(&resumed, 15_000, 17_000), delivered(&reset, 15_000, 17_000));
    assert!(one * 10 > other * 11, "{one} {other}");
    // The window leaps once, to half of what the cell carried: 165 packets are on the way, and at
    // most 60 in the queue.
    let leap = resumed
        .windows
        .windows(2)
        .filter(|pair| pair[1].2 == A && pair[1].0 > Time::from_millis(15_000))
        .find(|pair| pair[1].1 > pair[0].1 + 2.0)
        .map(|pair| pair[1].1);
    assert!(leap.is_some_and(|window| (60.0..=114.0).contains(&window)), "{leap:?}");
}

#[test]
fn a_cell_that_has_become_slow_is_retreated_from() {
    let resumed = there_and_back(NewPath::Resume(Resume::default()), 0.5);
    let reset = there_and_back(NewPath::Reset, 0.5);
    // 7 packets on the way, and at most 60 in the queue.
    assert!(resumed.sender.controller().window() <= 68.0);
    let (one, other) = (delivered(&resumed, 15_000, 17_000), delivered(&reset, 15_000, 17_000));
    assert!(one * 10 >= other * 8, "{one} {other}");
}

#[test]
fn what_is_too_old_or_bounded_is_not_resumed_from() {
    let reset = there_and_back(NewPath::Reset, 11.0);
    for resume in [
        Resume { lifetime: Span::from_secs(2), ..Resume::default() },
        Resume { most: Some(10), ..Resume::default() },
    ] {
        let resumed = there_and_back(NewPath::Resume(resume), 11.0);
        assert_eq!(resumed.windows, reset.windows, "{resume:?}");
    }
}
