//! Which path data takes between the probe and the handoff: from 6 to 1 and to 11 Mb/s, with an RTT
//! of 100 ms and nine seconds of overlap.

use atl_core::path::{PathId, PathSignal};
use atl_core::roaming::{Meanwhile, NewPath, Probe};
use atl_core::time::Time;
use atl_core::window::WindowController;
use atl_endpoint::tcp::Recovery;

use super::host::{Conditions, Host, Plan};

const A: PathId = PathId::FIRST;
const B: PathId = PathId::new(1);
const REPAIRING: [Recovery; 3] = [Recovery::NewReno, Recovery::Sack, Recovery::Rack];

/// The host hears the new network from 5 to 14 s and moves at 9.5 s.
fn plan(mbps: f64, meanwhile: Meanwhile) -> Plan {
    let path = |mbps| Conditions { mbps, delay_ms: 50, queue: 50 };
    let signals = vec![
        (5000, PathSignal::Imminent(B)),
        (9500, PathSignal::Done(B)),
        (14_000, PathSignal::Gone(A)),
    ];
    let how = NewPath::Probe(Probe { meanwhile, ..Probe::default() });
    let mut plan = Plan::new(vec![path(6.0), path(mbps)], signals, how);
    plan.receive_window = 1000;
    plan.recovery = Recovery::Sack;
    plan.until_ms = 14_000;
    plan
}

/// Data that arrived from one time to another, in Mb/s.
fn rate(host: &Host, from_ms: u64, to_ms: u64) -> f64 {
    let during = host
        .arrivals
        .iter()
        .filter(|at| **at > Time::from_millis(from_ms) && **at <= Time::from_millis(to_ms));
    during.count() as f64 * 8e3 / ((to_ms - from_ms) as f64 * 1e3)
}

/// Data handed to the application once, in Mb/s, up to the end of the run.
fn goodput(host: &Host) -> f64 {
    host.delivered.len() as f64 * 8e3 / host.now.secs() / 1e6
}

/// Both cells' 17 Mb/s are used in the second half of the time between probe and handoff.
#[test]
fn both_networks_are_full_until_the_handoff() {
    for recovery in REPAIRING {
        let mut plan = plan(11.0, Meanwhile::Both);
        plan.recovery = recovery;
        let mut host = Host::new(plan);
        host.run_until(Time::from_millis(4900));
        let (before, twice) = (host.sender.counts(), host.receiver.duplicates());
        let host = host.run();
        let both = rate(&host, 7300, 9500);
        assert!(both > 0.9 * 17.0 * 1000.0 / 1040.0, "{recovery:?}: {both}");
        // Nothing is repeated in vain, and afterwards the new path is used as before.
        let counts = host.sender.counts();
        assert_eq!(host.receiver.duplicates(), twice, "{recovery:?} {counts:?}");
        assert_eq!(
            (counts.timeouts, counts.spurious_losses),
            (before.timeouts, before.spurious_losses),
            "{recovery:?}"
        );
        let after = rate(&host, 9600, 12_000);
        assert!(after > 0.9 * 11.0 * 1000.0 / 1040.0, "{recovery:?}: {after}");
        assert_eq!((host.sender.path(), host.sender.beside()), (B, None));
    }
}

/// The controller of the new path goes on as it is, and the old path's drains without a word to it.
#[test]
fn the_window_goes_on_through_the_handoff() {
    let mut host = Host::new(plan(11.0, Meanwhile::Both));
    host.run_until(Time::from_millis(9540));
    let (path, before) = host.sender.beside().expect("both are in use");
    assert_eq!((path, host.sender.path()), (B, A));
    host.run_until(Time::from_millis(9560));
    let after = host.sender.controller().window();
    assert_eq!((host.sender.path(), host.sender.beside()), (B, None));
    assert!((after - before).abs() < 1.0, "{before} {after}");
    assert!(host.sender.in_flight_elsewhere() > 30);
    host.run_until(Time::from_millis(9800));
    assert_eq!(host.sender.in_flight_elsewhere(), 0);
}

/// To a cell that is six times slower: what it carries comes on top of the old one's.
#[test]
fn a_slow_path_beside_does_not_hold_up_a_fast_one() {
    for (recovery, receive_window) in
        REPAIRING.into_iter().flat_map(|recovery| [100, 200, 1000].map(|window| (recovery, window)))
    {
        let of = |meanwhile| {
            let mut plan = plan(1.0, meanwhile);
            (plan.recovery, plan.receive_window, plan.until_ms) = (recovery, receive_window, 9500);
            Host::new(plan).run()
        };
        let (old, new, both) = (of(Meanwhile::Old), of(Meanwhile::New), of(Meanwhile::Both));
        let case = format!(
            "{recovery:?} {receive_window}: {} {} {}",
            goodput(&old),
            goodput(&new),
            goodput(&both)
        );
        assert!(goodput(&both) > 1.4 * goodput(&new), "{case}");
        // With a receive window that one path alone fills there is nothing to gain.
        let least = if receive_window == 100 { 0.97 } else { 1.04 };
        assert!(goodput(&both) > least * goodput(&old), "{case}");
    }
}

/// Nothing moves before the handoff, and then the window that was found is filled over a round
/// trip.
#[test]
fn the_old_path_alone_until_the_handoff() {
    let mut host = Host::new(plan(11.0, Meanwhile::Old));
    host.run_until(Time::from_millis(9540));
    assert_eq!((host.sender.path(), host.sent_over(B)), (A, 0));
    host.run_until(Time::from_millis(9560));
    let carried = 11e6 * 0.1 / (1040.0 * 8.0);
    let window = host.sender.controller().window();
    assert_eq!(host.sender.path(), B);
    assert!((window - carried).abs() < 3.0, "{window} for {carried}");
    host.run_until(Time::from_millis(9600));
    let sent = host.sent_over(B) as f64;
    assert!((sent - carried / 2.0).abs() < 5.0, "half of a round trip: {sent}");
    let host = host.run();
    assert!(rate(&host, 9700, 12_000) > 0.9 * 11.0 * 1000.0 / 1040.0);
    // Surveyed at 5, and then after waits of 2 and 4 s, the last of which did not come.
    let dummies: Vec<u64> = host
        .probes
        .iter()
        .filter(|probe| probe.2 > 1000)
        .map(|probe| probe.0.nanos() / 1_000_000_000)
        .collect();
    let count = |second| dummies.iter().filter(|at| **at == second).count();
    assert_eq!(dummies.len(), count(5) + count(7), "{dummies:?}");
    assert!(count(5) > 130 && count(7) > 130, "{dummies:?}");
}

/// A network that is gone before the handoff is left at once, in either direction, and what it held
/// is repaired.
#[test]
fn a_path_that_dies_while_both_are_in_use_is_left_at_once() {
    for (recovery, gone) in
        REPAIRING.into_iter().flat_map(|recovery| [(recovery, A), (recovery, B)])
    {
        let mut plan = plan(11.0, Meanwhile::Both);
        plan.recovery = recovery;
        plan.signals = vec![(5000, PathSignal::Imminent(B)), (8000, PathSignal::Gone(gone))];
        let (other, mbps) = if gone == A { (B, 11.0) } else { (A, 6.0) };
        if gone == A {
            plan.signals.push((8100, PathSignal::Done(B)));
        }
        let mut host = Host::new(plan);
        host.run_until(Time::from_millis(4900));
        let before = host.sender.counts().timeouts;
        let host = host.run();
        let counts = host.sender.counts();
        assert!(host.lost > 20, "{recovery:?} {gone:?}");
        assert_eq!((host.sender.path(), counts.timeouts), (other, before), "{recovery:?} {gone:?}");
        let after = rate(&host, 9000, 12_000);
        assert!(after > 0.85 * mbps, "{recovery:?} {gone:?}: {after}");
        assert!(host.delivered.len() as u64 + 1000 > host.receiver.arrived() - host.lost);
    }
}

/// A path that passes nothing more, and nobody says so: the other goes on alone.
#[test]
fn a_path_that_falls_silent_does_not_stop_the_other() {
    for silent in [A, B] {
        let mut plan = plan(11.0, Meanwhile::Both);
        plan.signals.truncate(1);
        plan.receive_window = 300;
        let mut host = Host::new(plan);
        host.run_until(Time::from_millis(8000));
        host.silence(silent);
        let before = host.delivered.len();
        // After the first timeout a second without anything new is the most.
        for second in 9..14 {
            let reached = host.delivered.len();
            host.run_until(Time::from_millis(1000 * (second + 1)));
            assert!(host.delivered.len() > reached + 100, "{silent:?} {second}");
        }
        let carried = (host.delivered.len() - before) as f64 * 8e3 / 6e6;
        let other = if silent == A { 11.0 } else { 6.0 };
        // The stall ends with a burst, which costs the other path's queue of 50 a loss or two.
        assert!(carried > 0.4 * other, "{silent:?}: {carried}");
    }
}

/// Packets lost on a silent path are repaired over the other path when the silent one's timer
/// expires, although the receiver could hold far more. The packets that try the silent path again
/// do not hold up the rest.
#[test]
fn what_a_silent_path_has_swallowed_does_not_wait_for_a_full_receiver() {
    for silent in [A, B] {
        let mut plan = plan(11.0, Meanwhile::Both);
        plan.signals.truncate(1);
        plan.receive_window = 100_000;
        let mut host = Host::new(plan);
        host.run_until(Time::from_millis(8000));
        host.silence(silent);
        host.run_until(Time::from_millis(10_000));
        let arrived = host.receiver.arrived() as usize;
        assert!(host.delivered.len() + 300 > arrived, "{silent:?}: {}", host.delivered.len());
        // In order all the time, although the silent path is tried again and again. A loss on the
        // other one costs an RTT.
        for part in 0..13 {
            let reached = host.delivered.len();
            host.run_until(Time::from_millis(10_000 + 300 * (part + 1)));
            assert!(host.delivered.len() > reached + 50, "{silent:?} {part}");
        }
    }
}

/// A path that was silent for two seconds is used again soon after it has come back.
#[test]
fn a_path_that_comes_back_is_used_again() {
    for silent in [A, B] {
        let mut plan = plan(11.0, Meanwhile::Both);
        plan.signals.truncate(1);
        plan.receive_window = 100_000;
        plan.until_ms = 20_000;
        let mut host = Host::new(plan);
        host.run_until(Time::from_millis(8000));
        host.silence(silent);
        host.run_until(Time::from_millis(10_000));
        host.revive(silent);
        host.run_until(Time::from_millis(19_000));
        let both = rate(&host, 17_000, 19_000);
        assert!(both > 0.8 * 17.0 * 1000.0 / 1040.0, "{silent:?}: {both}");
    }
}

/// A loss on one path halves that path's window, and leaves the other's alone.
#[test]
fn a_loss_concerns_its_own_path_only() {
    let mut host = Host::new(plan(11.0, Meanwhile::Both));
    host.run_until(Time::from_millis(7000));
    let (here, there) = (host.sender.controller().window(), host.sender.beside().expect("both").1);
    host.drop_next = Some(B);
    host.run_until(Time::from_millis(7400));
    assert_eq!(host.lost, 1);
    let (after, beside) =
        (host.sender.controller().window(), host.sender.beside().expect("both").1);
    assert!(beside < 0.6 * there, "{there} {beside}");
    assert!(after >= here, "{here} {after}");
}
