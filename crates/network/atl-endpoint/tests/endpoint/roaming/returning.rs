//! A sender that was told to go where nobody answers goes back (RFC 9000, sec. 9.3.2).

use atl_core::path::{PathId, PathSignal};
use atl_core::roaming::{Meanwhile, NewPath, Probe};
use atl_core::time::{Span, Time};
use atl_core::window::WindowController;
use atl_endpoint::handoff::Key;
use atl_endpoint::tcp::Recovery;
use proptest::prelude::*;

use super::host::{Conditions, HEADER, Host, NOTICE, Plan, SEGMENT};

const A: PathId = PathId::FIRST;
const B: PathId = PathId::new(1);
const C: PathId = PathId::new(2);
/// Three timeouts of 1 s, the least.
const PATIENCE: u64 = 3000;

fn ms(ms: u64) -> Time {
    Time::from_millis(ms)
}

/// A host that stays on path A, of 6 Mb/s and 50 ms; at B and C is nobody.
fn stays(how: NewPath, until_ms: u64) -> Host {
    let path = Conditions { mbps: 6.0, delay_ms: 25, queue: 50 };
    let mut plan = Plan::new(vec![path; 3], Vec::new(), how);
    plan.until_ms = until_ms;
    plan.receive_window = 60;
    let mut host = Host::new(plan);
    host.silence(B);
    host.silence(C);
    host
}

fn probe() -> NewPath {
    NewPath::Probe(Probe::default())
}

/// Data packets that arrived from one time to another, in ms.
fn arrived(host: &Host, from: u64, to: u64) -> usize {
    host.arrivals.iter().filter(|at| **at > ms(from) && **at <= ms(to)).count()
}

#[test]
fn a_path_that_does_not_answer_is_left_after_three_timeouts() {
    let mut host = stays(probe(), 12_000);
    host.forge(&[(5000, PathSignal::Done(B))]);
    let host = host.run();
    assert_eq!(host.sender.path(), A);
    assert_eq!(arrived(&host, 5100, 5000 + PATIENCE), 0, "it waits for the answer");
    // 750 a second fill the link.
    assert!(arrived(&host, 8500, 12_000) > 2500, "{}", arrived(&host, 8500, 12_000));
    let there = host.sent_over(B) as u32 * (SEGMENT + HEADER);
    assert!(there <= 3 * NOTICE, "{there} bytes to a path from which {NOTICE} came");
}

/// It begins again as after an idle period, and not with a burst of the old window.
#[test]
fn the_sender_returns_as_after_an_idle_period() {
    let mut host = stays(probe(), 9000);
    host.forge(&[(5000, PathSignal::Done(B))]);
    host.run_until(ms(4999));
    let before = host.sender.controller().clone();
    let host = host.run();
    let back =
        host.windows.iter().find(|window| window.0 >= ms(5000 + PATIENCE)).expect("it returned");
    assert_eq!((back.0, back.2), (ms(5000 + PATIENCE), A));
    assert!(back.1 < before.window() / 2.0, "{} after {}", back.1, before.window());
    assert!(host.sender.srtt().is_some());
}

#[test]
fn each_path_stops_the_data_at_most_once() {
    let mut host = stays(probe(), 60_000);
    let mut forged: Vec<(u64, PathSignal)> =
        (5..60).map(|at| (1000 * at, PathSignal::Done(if at % 2 == 0 { B } else { C }))).collect();
    // A forger says that the sender's own path, and the one before it, are gone: no reason to
    // leave.
    forged.extend((20..60).map(|at| (1000 * at + 500, PathSignal::Gone(A))));
    forged.extend((20..60).map(|at| (1000 * at + 600, PathSignal::Gone(B))));
    forged.sort_by_key(|forged| forged.0);
    host.forge(&forged);
    let host = host.run();
    // It is away twice, for three seconds each, whoever names which path in between.
    let (before, after) = (arrived(&host, 5000, 12_000), arrived(&host, 12_000, 60_000));
    assert!(before < 1000 && after > 33_000, "{before} and {after}");
    assert_eq!(host.sender.path(), A);
}

#[test]
fn a_path_that_has_failed_gets_no_data_before_it_answers() {
    let mut host = stays(probe(), 25_000);
    host.forge(&[(5000, PathSignal::Done(B)), (10_000, PathSignal::Done(B))]);
    host.run_until(ms(15_000));
    assert_eq!(host.sender.path(), A);
    assert!(host.data.iter().all(|data| data.1 == A || data.0 < ms(5000 + PATIENCE)));
    // Now somebody is there, and A is silent: the challenge that goes on finds out.
    host.silence(A);
    host.revive(B);
    let host = host.run();
    assert_eq!(host.sender.path(), B);
    let first = host.data.iter().find(|data| data.1 == B && data.0 >= ms(15_000)).expect("data");
    let asked = host.probes.iter().rfind(|probe| probe.1 == B && probe.0 < first.0).expect("asked");
    assert!(first.0 >= asked.0 + Span::from_millis(50), "one round trip after the challenge");
    assert_eq!(host.sender.counts().handoffs, 2, "there once, and there again");
}

/// The host has really moved, and its new path is dark for longer than the sender waits.
#[test]
fn a_move_that_was_true_is_made_when_the_path_answers() {
    let path = Conditions { mbps: 6.0, delay_ms: 25, queue: 50 };
    let signals = vec![(5000, PathSignal::Done(B)), (5100, PathSignal::Gone(A))];
    let mut plan = Plan::new(vec![path; 2], signals, probe());
    plan.until_ms = 30_000;
    let mut host = Host::new(plan);
    host.run_until(ms(5000));
    host.silence(B);
    host.run_until(ms(9000));
    assert_eq!(host.sender.path(), A, "without a tag it tries where it was answered");
    host.revive(B);
    let host = host.run();
    assert_eq!(host.sender.path(), B);
    assert!(arrived(&host, 20_000, 30_000) > 6000, "{}", arrived(&host, 20_000, 30_000));
}

/// With a key a path that is gone is gone.
#[test]
fn a_signed_farewell_leaves_nothing_to_return_to() {
    let path = Conditions { mbps: 6.0, delay_ms: 25, queue: 50 };
    let signals = vec![(5000, PathSignal::Done(B)), (5100, PathSignal::Gone(A))];
    let mut plan = Plan::new(vec![path; 2], signals, probe());
    plan.key = Some(Key::new([1; 32]));
    plan.until_ms = 12_000;
    let mut host = Host::new(plan);
    host.run_until(ms(5000));
    host.silence(B);
    let host = host.run();
    assert_eq!(host.sender.path(), B);
    assert!(host.data.iter().all(|data| data.1 == B || data.0 < ms(5100)));
}

/// Without validation the sender believes whoever names a path, as in the paper.
#[test]
fn without_validation_it_stays() {
    let mut host = stays(NewPath::Probe(Probe { validate: false, ..Probe::default() }), 20_000);
    host.forge(&[(5000, PathSignal::Done(B))]);
    let host = host.run();
    assert_eq!((host.sender.path(), arrived(&host, 5100, 20_000)), (B, 0));
}

/// The path where it was sent has not answered when the host, said to have left that one too, is
/// again where the sender found it beside: that path is no failed one once the wait is over.
#[test]
fn a_path_beside_that_is_adopted_has_answered() {
    let path = Conditions { mbps: 0.5, delay_ms: 1, queue: 100 };
    let how = NewPath::Probe(Probe { meanwhile: Meanwhile::Both, ..Probe::default() });
    let mut plan = Plan::new(vec![path; 3], Vec::new(), how);
    plan.receive_window = 4;
    plan.until_ms = 30_000;
    let mut host = Host::new(plan);
    host.silence(C);
    host.forge(&[
        (14_795, PathSignal::Done(C)),
        (14_994, PathSignal::Imminent(A)),
        (17_795, PathSignal::Gone(C)),
    ]);
    let host = host.run();
    assert_eq!(host.sender.path(), A);
    assert!(arrived(&host, 20_000, 30_000) > 550, "{}", arrived(&host, 20_000, 30_000));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Whatever somebody else writes about paths where nobody is: no data is stranded there, at
    /// most three times what came from them goes there (the host checks it), and each stops the
    /// data at most once.
    #[test]
    fn forged_notices_strand_no_data(
        forged in proptest::collection::vec((0..20_000u64, 0..3u8, 0..3u8), 1..40),
        rate in 0.5..12.0f64,
        delay_ms in 1..150u64,
        meanwhile in proptest::sample::select(vec![Meanwhile::New, Meanwhile::Old, Meanwhile::Both]),
        recovery in proptest::sample::select(
            Recovery::ALL.into_iter().filter(|recovery| recovery.repairs()).collect::<Vec<_>>(),
        ),
        receive_window in 4..100u32,
    ) {
        let path = Conditions { mbps: rate, delay_ms, queue: 100 };
        let how = NewPath::Probe(Probe { meanwhile, ..Probe::default() });
        let mut plan = Plan::new(vec![path; 3], Vec::new(), how);
        (plan.recovery, plan.receive_window) = (recovery, receive_window);
        plan.segments = 2000;
        plan.until_ms = 400_000;
        let mut host = Host::new(plan);
        host.silence(B);
        host.silence(C);
        let mut signals: Vec<(u64, PathSignal)> = forged
            .into_iter()
            .map(|(at, kind, path)| {
                let path = PathId::new(path);
                let signals = [PathSignal::Imminent, PathSignal::Done, PathSignal::Gone];
                (at, signals[usize::from(kind)](path))
            })
            .collect();
        signals.sort_by_key(|signal| signal.0);
        host.forge(&signals);
        let host = host.run();
        prop_assert_eq!(host.delivered.len(), 2000, "{:?} at {:?}", host.sender, host.now);
        prop_assert!(host.delivered.iter().enumerate().all(|(at, seq)| at as u64 == *seq));
        prop_assert_eq!((host.sender.in_flight(), host.sender.in_flight_elsewhere()), (0, 0));
    }
}
