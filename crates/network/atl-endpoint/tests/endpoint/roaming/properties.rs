//! Any paths, any signals: everything arrives once and in order, and the contract holds (the host
//! checks it).

use atl_core::path::{PathId, PathSignal};
use atl_core::roaming::{Meanwhile, NewPath, Pad, Probe, Resume};
use atl_core::time::Span;
use atl_core::window::{ControllerConfig, WindowController, atl, peach, reno, westwood};
use atl_endpoint::handoff::{Key, Notice};
use atl_endpoint::tcp::Recovery;
use proptest::prelude::*;

use super::host::{Conditions, Host, Plan};

fn conditions() -> impl Strategy<Value = Conditions> {
    (0.5..12.0f64, 1..150u64, 5..100u32).prop_map(|(mbps, delay_ms, queue)| Conditions {
        mbps,
        delay_ms,
        queue,
    })
}

fn how() -> impl Strategy<Value = NewPath> {
    let meanwhile = proptest::sample::select(vec![Meanwhile::New, Meanwhile::Old, Meanwhile::Both]);
    let probe = (
        proptest::option::of(1..200u32),
        proptest::option::of(10..500u64),
        any::<bool>(),
        meanwhile,
    );
    prop_oneof![
        1 => Just(NewPath::Keep),
        1 => Just(NewPath::Reset),
        1 => proptest::option::of(1..300u32)
            .prop_map(|most| NewPath::Resume(Resume { most, ..Resume::default() })),
        1 => (1..200u32, 0..400u32).prop_map(|(target, budget)| NewPath::Pad(Pad { target, budget })),
        3 => probe.prop_map(|(dummies, over, validate, meanwhile)| {
            let over = over.map(Span::from_millis);
            NewPath::Probe(Probe { dummies, over, validate, meanwhile, ..Probe::DEFAULT })
        }),
    ]
}

fn recovery() -> impl Strategy<Value = Recovery> {
    let repairing: Vec<Recovery> =
        Recovery::ALL.into_iter().filter(|recovery| recovery.repairs()).collect();
    proptest::sample::select(repairing)
}

fn controller() -> impl Strategy<Value = ControllerConfig> {
    prop_oneof![
        Just(ControllerConfig::from(reno::Config::default())),
        Just(ControllerConfig::from(westwood::Config::default())),
        Just(ControllerConfig::from(atl::Config::default())),
        Just(ControllerConfig::from(atl::robust::Config::default())),
        Just(ControllerConfig::from(peach::Config::default())),
    ]
}

/// Any signals about three paths, in any order.
fn signals() -> impl Strategy<Value = Vec<(u64, PathSignal)>> {
    let signal = (0..3u8, 0..3u8).prop_map(|(kind, path)| {
        let path = PathId::new(path);
        match kind {
            0 => PathSignal::Imminent(path),
            1 => PathSignal::Done(path),
            _ => PathSignal::Gone(path),
        }
    });
    proptest::collection::vec((0..6000u64, signal), 0..12).prop_map(|mut signals| {
        signals.sort_by_key(|signal| signal.0);
        // In the end the host is somewhere, and stays.
        signals.push((6100, PathSignal::Imminent(PathId::new(1))));
        signals.push((6400, PathSignal::Done(PathId::new(1))));
        signals
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn everything_arrives_once_and_in_order(
        paths in proptest::collection::vec(conditions(), 3),
        signals in signals(),
        how in how(),
        recovery in recovery(),
        controller in controller(),
        sender_moves: bool,
        delayed_ack: bool,
        keyed: bool,
        receive_window in 4..200u32,
    ) {
        let mut plan = Plan::new(paths, signals, how);
        plan.recovery = recovery;
        plan.controller = controller;
        plan.sender_moves = sender_moves;
        plan.delayed_ack = delayed_ack;
        plan.receive_window = receive_window;
        plan.key = keyed.then(|| Key::new([3; 32]));
        plan.segments = 400;
        plan.until_ms = 400_000;
        let host = Host::new(plan).run();
        prop_assert_eq!(host.delivered.len(), 400, "{:?} at {:?}", host.sender, host.now);
        prop_assert!(host.delivered.iter().enumerate().all(|(at, seq)| at as u64 == *seq));
        prop_assert!(host.sender.finished().is_some());
        prop_assert_eq!((host.sender.in_flight(), host.sender.in_flight_elsewhere()), (0, 0));
        let counts = host.sender.counts();
        prop_assert!(counts.spurious_losses <= counts.sent);
        prop_assert_eq!(counts.sent, host.data.len() as u64);
    }

    /// With an overlap that lets the old path drain and queues that hold a window, a handoff loses
    /// nothing, repeats nothing and times nothing out.
    #[test]
    fn with_overlap_a_handoff_costs_nothing(
        rates in proptest::array::uniform3(1.0..12.0f64),
        delays in proptest::array::uniform3(5..120u64),
        how in how().prop_filter("the switch is beneath a Keep", |how| *how != NewPath::Keep),
        recovery in recovery(),
        sender_moves: bool,
        receive_window in 4..60u32,
        first in 1500..2500u64,
        overlap in 10..1500u64,
    ) {
        let path = |k: usize| Conditions { mbps: rates[k], delay_ms: delays[k], queue: 1000 };
        let [a, b, c] = [0, 1, 2].map(PathId::new);
        let signals = vec![
            (first, PathSignal::Imminent(b)),
            (first + overlap, PathSignal::Done(b)),
            (first + overlap + 2000, PathSignal::Gone(a)),
            (first + overlap + 4000, PathSignal::Imminent(c)),
            (first + overlap + 4500, PathSignal::Done(c)),
            (first + overlap + 6500, PathSignal::Gone(b)),
        ];
        let mut plan = Plan::new((0..3).map(path).collect(), signals, how);
        plan.recovery = recovery;
        plan.sender_moves = sender_moves;
        plan.receive_window = receive_window;
        plan.until_ms = first + overlap + 8000;
        let host = Host::new(plan).run();
        let counts = host.sender.counts();
        prop_assert_eq!((counts.retransmissions, counts.timeouts, counts.recoveries), (0, 0, 0));
        prop_assert_eq!((host.lost, host.dropped, host.receiver.duplicates()), (0, 0, Some(0)));
        prop_assert_eq!(counts.handoffs, 2);
        prop_assert_eq!(host.sender.path(), c);
    }

    /// An attacker replays every notice that was heard, changes them, and makes up others: the
    /// sender does the same as without.
    #[test]
    fn a_forged_or_replayed_notice_changes_nothing(
        paths in proptest::collection::vec(conditions(), 3),
        how in how(),
        overlap in 100..1500u64,
    ) {
        let [a, b] = [0, 1].map(PathId::new);
        let signals = vec![
            (1000, PathSignal::Imminent(b)),
            (1000 + overlap, PathSignal::Done(b)),
            (4000 + overlap, PathSignal::Imminent(a)),
            (5000 + overlap, PathSignal::Done(a)),
        ];
        let mut plan = Plan::new(paths, signals, how);
        plan.key = Some(Key::new([5; 32]));
        plan.until_ms = 9000;
        let quiet = Host::new(plan.clone()).run();
        let mut attacked = Host::new(plan);
        attacked.mischief = Some(|host: &mut Host| {
            let c = PathId::new(2);
            for signal in [PathSignal::Imminent(c), PathSignal::Done(c), PathSignal::Gone(host.sender.path())] {
                let forged = Notice { sequence: 1_000_000, signal, tag: 0 };
                host.sender.on_notice(host.now, &forged, signal.path(), 1500);
            }
            let heard = host.heard.clone();
            // The latest on a path may be a copy; all before it are replays.
            for (at, (notice, path)) in heard.iter().enumerate() {
                let newer = heard[at..].iter().any(|(other, _)| {
                    other.signal.path() == notice.signal.path() && other.sequence > notice.sequence
                });
                if newer {
                    host.sender.on_notice(host.now, notice, *path, 1500);
                }
                let changed = Notice { sequence: notice.sequence + 1, ..*notice };
                host.sender.on_notice(host.now, &changed, *path, 1500);
            }
        });
        let attacked = attacked.run();
        prop_assert_eq!(quiet.data, attacked.data);
        prop_assert_eq!(quiet.probes, attacked.probes);
    }
}

/// Each controller begins where the survey says.
#[test]
fn every_controller_honours_what_a_survey_found() {
    use atl_core::window::Start;
    let start = Start::default().initial_window(40.0).ssthresh(39.0);
    for config in [
        ControllerConfig::from(reno::Config::default()),
        ControllerConfig::from(westwood::Config::default()),
        ControllerConfig::from(atl::Config::default()),
        ControllerConfig::from(atl::robust::Config::default()),
    ] {
        let controller = config.build(&start);
        assert_eq!((controller.window(), controller.ssthresh()), (40.0, 39.0), "{config:?}");
    }
}
