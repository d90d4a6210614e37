//! The window after a move: from 6 to 1 and from 6 to 11 Mb/s, with an RTT of 100 ms.

use atl_core::path::{PathId, PathSignal};
use atl_core::roaming::{Meanwhile, NewPath, Probe};
use atl_core::time::{Span, Time};
use atl_endpoint::tcp::Recovery;

use super::host::{Conditions, Host, Plan};

const A: PathId = PathId::FIRST;
const B: PathId = PathId::new(1);

/// The sender moves as soon as the probe ends.
const AHEAD: Probe = Probe {
    dummies: None,
    over: None,
    validate: true,
    meanwhile: Meanwhile::New,
    ..Probe::DEFAULT
};

fn conditions(mbps: f64) -> Conditions {
    Conditions { mbps, delay_ms: 50, queue: 50 }
}

fn plan(mbps: f64, how: NewPath) -> Plan {
    let signals = vec![
        (5000, PathSignal::Imminent(B)),
        (7000, PathSignal::Done(B)),
        (9000, PathSignal::Gone(A)),
    ];
    let mut plan = Plan::new(vec![conditions(6.0), conditions(mbps)], signals, how);
    plan.until_ms = 12_000;
    // Less than what the old path and its queue hold: nothing is lost before the move.
    plan.receive_window = 120;
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

/// The window with which the new path begins.
fn first_window(host: &Host) -> (Time, f64) {
    let first = host.windows.iter().find(|window| window.2 == B).expect("it moved");
    (first.0, first.1)
}

#[test]
fn a_probed_path_begins_with_the_window_that_it_carries() {
    for (mbps, recovery) in [1.0, 11.0]
        .into_iter()
        .flat_map(|mbps| [Recovery::NewReno, Recovery::Sack, Recovery::Rack].map(|r| (mbps, r)))
    {
        let probe = NewPath::Probe(Probe { dummies: Some(200), ..AHEAD });
        let mut plan = plan(mbps, probe);
        plan.recovery = recovery;
        plan.receive_window = 400;
        let mut host = Host::new(plan);
        host.run_until(Time::from_millis(4900));
        let before = host.sender.counts();
        let host = host.run();
        // An RTT carries 12 or 132 packets of 1040 octets. The survey takes two round trips and the
        // notice's way: it begins at 5.05 s, its challenge is answered at 5.15, and the first
        // dummy, which leaves at once, at 5.25 s.
        let (at, window) = first_window(&host);
        let carried = mbps * 1e6 * 0.1 / (1040.0 * 8.0);
        assert!((window - carried).abs() < 2.5, "{mbps} {recovery:?}: {window} for {carried}");
        assert!(at > Time::from_millis(5340) && at < Time::from_millis(5370), "{at:?}");
        // No loss, no timeout, and the path is used at once.
        let counts = host.sender.counts();
        assert_eq!(
            (counts.timeouts, counts.spurious_losses, counts.handoffs),
            (before.timeouts, before.spurious_losses, 1),
            "{mbps} {recovery:?}"
        );
        let after = rate(&host, 5400, 6400);
        assert!(after > 0.9 * mbps * 1000.0 / 1040.0, "{mbps} {recovery:?}: {after}");
        assert!(
            (0..=i64::from(host.sender.in_flight())).contains(&host.under_way()),
            "{recovery:?}"
        );
    }
}

/// During the last round trip of the survey both networks deliver.
#[test]
fn both_networks_deliver_while_the_survey_counts() {
    let mut plan = plan(11.0, NewPath::Probe(Probe { dummies: Some(200), ..AHEAD }));
    plan.recovery = Recovery::Sack;
    plan.receive_window = 300;
    let host = Host::new(plan).run();
    let both = rate(&host, 5300, 5400);
    assert!(both > 1.5 * rate(&host, 4500, 5000), "{both}");
}

/// The paper's sender paces its dummies over the old RTT at once, and is a round trip earlier.
#[test]
fn without_validation_the_survey_is_a_round_trip_shorter() {
    let probe = |validate| NewPath::Probe(Probe { validate, ..AHEAD });
    let begins = |validate| first_window(&Host::new(plan(11.0, probe(validate))).run()).0;
    let gained = begins(true).since(begins(false));
    assert!(gained > Span::from_millis(40) && gained < Span::from_millis(160), "{gained:?}");
}

/// Plain TCP beneath a switch: everything in flight over the old path is overtaken or lost.
#[test]
fn a_switch_beneath_the_sender_costs_false_retransmissions() {
    let mut plan = plan(11.0, NewPath::Keep);
    // The old path is slow: 25 packets wait there as the first packets over the new one arrive.
    plan.paths[0].delay_ms = 150;
    plan.recovery = Recovery::Sack;
    let host = Host::new(plan).run();
    let counts = host.sender.counts();
    assert!(counts.spurious_losses > 10, "{counts:?}");
    assert!(host.receiver.duplicates() >= Some(counts.spurious_losses), "{:?}", host.receiver);
    assert!(host.receiver.reordered() > Some(10));
    assert_eq!((counts.handoffs, counts.probes), (1, 0));
}

/// Reset: the initial window, a fresh RTT, no false loss.
#[test]
fn a_reset_begins_with_the_initial_window() {
    for recovery in Recovery::ALL.into_iter().filter(|recovery| recovery.repairs()) {
        let mut plan = plan(11.0, NewPath::Reset);
        plan.paths[0].delay_ms = 150;
        plan.recovery = recovery;
        let host = Host::new(plan).run();
        let (at, window) = first_window(&host);
        assert!((window - 10.0).abs() < 1e-9, "{window}");
        assert_eq!(at.nanos() / 1_000_000, 7050);
        let counts = host.sender.counts();
        assert_eq!(
            (counts.spurious_losses, host.receiver.duplicates()),
            (0, Some(0)),
            "{recovery:?}"
        );
    }
}

/// The host moves before the first dummy ACK can be there.
#[test]
fn a_move_in_the_middle_of_a_survey_takes_what_is_known() {
    for (done, least, most) in [(5010, 10.0, 10.0), (5100, 10.0, 10.0), (5250, 20.0, 110.0)] {
        let mut plan = plan(11.0, NewPath::Probe(Probe { dummies: Some(200), ..AHEAD }));
        plan.signals[1].0 = done;
        let host = Host::new(plan).run();
        let (at, window) = first_window(&host);
        assert_eq!(at.nanos() / 1_000_000, done + 50);
        assert!((least..=most).contains(&window), "{done}: {window}");
        assert!(rate(&host, 6000, 7000) > 8.0, "{done}: {}", rate(&host, 6000, 7000));
    }
}

/// The host turns back before it has moved: the sender, which went ahead, goes back too, with the
/// window that it had.
#[test]
fn a_sender_that_went_ahead_returns() {
    let mut plan = plan(11.0, NewPath::Probe(AHEAD));
    plan.signals = vec![(5000, PathSignal::Imminent(B)), (5450, PathSignal::Gone(B))];
    let host = Host::new(plan).run();
    assert!(host.sent_over(B) > 50);
    assert_eq!(host.sender.path(), A);
    assert_eq!((host.sender.counts().timeouts, host.sender.counts().handoffs), (0, 0));
    assert!(rate(&host, 6000, 8000) > 5.2, "{}", rate(&host, 6000, 8000));
}

/// The old network goes before the host has moved.
#[test]
fn a_path_that_dies_during_the_survey_is_left_at_once() {
    let mut plan = plan(11.0, NewPath::Probe(Probe { dummies: Some(200), ..AHEAD }));
    plan.signals = vec![
        (5000, PathSignal::Imminent(B)),
        (5240, PathSignal::Gone(A)),
        (5240, PathSignal::Done(B)),
    ];
    plan.recovery = Recovery::Sack;
    let host = Host::new(plan).run();
    assert!(host.lost > 0);
    // Packets on the old path are repaired within two round trips, without a timeout and without a
    // word to the controller.
    let counts = host.sender.counts();
    assert_eq!((counts.timeouts, counts.recoveries), (0, 0));
    assert!(rate(&host, 5600, 6600) > 9.0, "{}", rate(&host, 5600, 6600));
}

/// A hard handoff, from a network that is gone to one that was out of reach: what was lost is
/// repaired as soon as the sender knows, and the new controller begins afresh, whatever the timer
/// did.
#[test]
fn a_break_before_the_move_is_repaired_with_it() {
    for (sender_moves, recovery) in
        [(false, Recovery::NewReno), (false, Recovery::Sack), (true, Recovery::Rack)]
    {
        let mut plan = plan(11.0, NewPath::Reset);
        plan.signals = vec![(5000, PathSignal::Gone(A)), (5100, PathSignal::Done(B))];
        plan.sender_moves = sender_moves;
        plan.recovery = recovery;
        let host = Host::new(plan).run();
        let counts = host.sender.counts();
        assert!(host.lost > 50 && counts.retransmissions >= host.lost, "{recovery:?}: {counts:?}");
        assert_eq!((counts.timeouts, counts.recoveries), (0, 0), "{recovery:?}");
        let again = host.data.iter().find(|data| data.1 == B).expect("it moved");
        assert!(again.0 < Time::from_millis(5160), "{recovery:?}: {again:?}");
        assert!(rate(&host, 6000, 7000) > 9.0, "{recovery:?}: {}", rate(&host, 6000, 7000));
    }
}

/// The only network is gone for a moment, and the host is back in it long before it moves on: what
/// is on the way there then arrives, and is not repeated.
#[test]
fn a_network_to_which_the_host_has_come_back_is_not_gone() {
    for back in [PathSignal::Done(A), PathSignal::Imminent(A)] {
        let mut plan = plan(11.0, NewPath::Reset);
        plan.signals = vec![(5000, PathSignal::Gone(A)), (5001, back), (8000, PathSignal::Done(B))];
        plan.sender_moves = true;
        plan.recovery = Recovery::Sack;
        let mut host = Host::new(plan);
        host.run_until(Time::from_millis(7990));
        let before = host.receiver.duplicates();
        let host = host.run();
        assert_eq!(host.receiver.duplicates(), before, "{back:?}");
        assert!(host.data.iter().any(|data| data.1 == B));
    }
}

/// From one cell to the other and back each 300 ms: nothing stops, and the dummies stay within
/// their ration.
#[test]
fn ping_pong_over_an_edge_buys_no_flood() {
    let mut plan = plan(11.0, NewPath::Probe(Probe { dummies: Some(100), ..AHEAD }));
    plan.signals = (0..20u64)
        .flat_map(|k| {
            let (to, at) = (if k % 2 == 0 { B } else { A }, 5000 + 300 * k);
            [(at, PathSignal::Imminent(to)), (at + 150, PathSignal::Done(to))]
        })
        .collect();
    let host = Host::new(plan).run();
    let dummies = host.probes.iter().filter(|probe| probe.2 > 1000).count();
    assert!(dummies <= 100 + 6 * 100, "{dummies} in six seconds");
    assert!(rate(&host, 5000, 11_000) > 4.0, "{}", rate(&host, 5000, 11_000));
    assert_eq!(host.sender.counts().timeouts, 0);
}
