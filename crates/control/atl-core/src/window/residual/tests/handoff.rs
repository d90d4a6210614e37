//! Handoffs that a receiver claims.

use super::*;
use crate::path::LinkReport;
use crate::units::Probability;
use crate::window::Marked;

/// Packets that arrive one each millisecond, with this round-trip time.
fn arrive(sender: &mut Residual, from: u64, until: u64, rtt: f64) {
    let memory = sender.step_memory();
    (from..until).for_each(|at| sender.claims.on_rtt(ms(at), rtt, memory));
}

fn claim(sender: &mut Residual, at: u64) {
    sender.on_handoff(&Handoff::new(ms(at), End::Peer, Span::ZERO, Span::ZERO));
}

/// Behind a queue of 50 ms, as its receiver claims a handoff at 10 s.
fn claimed() -> Residual {
    let mut sender = alone();
    sender.srtt = 0.15;
    arrive(&mut sender, 9000, 10_000, 0.15);
    claim(&mut sender, 10_000);
    assert!(sender.base.secs().is_none() && sender.search.is_some());
    sender
}

/// The start after it has twice the window, and round-trip times of `rtt`.
fn started(rtt: f64) -> Residual {
    let mut sender = claimed();
    arrive(&mut sender, 10_000, 10_200, rtt);
    sender.base.replace(ms(10_200), rtt);
    sender.cwnd = 200.0;
    sender
}

/// True if the sender refuses the claim at `at`, when the least round-trip time is `least`.
fn refuses_at(sender: &mut Residual, at: u64, least: f64) -> bool {
    sender.base.replace(ms(at), least);
    sender.refuses_claim(ms(at))
}

#[test]
fn a_claim_counts_after_five_seconds_and_sixteen_round_trips() {
    for (srtt, apart) in [(0.1, 5000), (0.5, 8000)] {
        let mut sender = alone();
        sender.srtt = srtt;
        let mut counts = |at| {
            sender.base.replace(Time::ZERO, 0.1);
            claim(&mut sender, at);
            sender.base.secs().is_none()
        };
        assert!(counts(1000) && !counts(999 + apart) && counts(1000 + apart));
    }
    let mut sender = alone();
    sender.on_handoff(&Handoff::new(ms(1000), End::Own, Span::ZERO, Span::ZERO));
    sender.base.replace(Time::ZERO, 0.1);
    claim(&mut sender, 5999);
    assert!(sender.base.secs().is_some(), "the other end's handoff may be the same");
}

#[test]
fn a_queue_that_goes_on_after_a_claim_is_no_other_path() {
    let mut sender = started(0.15);
    assert!(sender.refuses_claim(ms(10_200)));
    assert_eq!(sender.base.secs(), Some(0.1));
    assert!(sender.search.is_none());
    is(sender.cwnd, 100.0);
    assert!(!sender.refuses_claim(ms(10_201)), "there is no start to end");
}

#[test]
fn a_step_of_the_round_trip_time_bears_a_claim_out() {
    for rtt in [0.12, 0.14, 0.153, 0.2] {
        let mut sender = started(rtt);
        assert!(!sender.refuses_claim(ms(10_200)), "{rtt}");
        assert_eq!(sender.base.secs(), Some(rtt));
    }
    assert!(started(0.150_9).refuses_claim(ms(10_200)), "a packet more");
}

#[test]
fn a_step_is_twice_as_large_as_those_of_before() {
    let refuses = |usual: f64| {
        let mut sender = alone();
        sender.srtt = 0.15;
        arrive(&mut sender, 9000, 9100, 0.15 - usual);
        arrive(&mut sender, 9100, 9200, 0.15);
        (0..3).for_each(|_| sender.claims.on_round());
        arrive(&mut sender, 9200, 10_000, 0.15);
        claim(&mut sender, 10_000);
        arrive(&mut sender, 10_000, 10_200, 0.19);
        refuses_at(&mut sender, 10_200, 0.19)
    };
    assert!(!refuses(0.019) && refuses(0.022));
}

/// Others may have made a queue longer in the time between two packets.
#[test]
fn a_step_after_a_pause_says_nothing() {
    let refuses = |pause: u64| {
        let mut sender = claimed();
        let first = 10_000 + 50 + pause;
        arrive(&mut sender, first, first + 100, 0.2);
        refuses_at(&mut sender, 10_500, 0.2)
    };
    assert!(!refuses(90) && refuses(100));
}

#[test]
fn a_step_long_before_a_claim_says_nothing() {
    let refuses = |at: u64| {
        let mut sender = alone();
        sender.srtt = 0.15;
        arrive(&mut sender, 9000, at, 0.11);
        arrive(&mut sender, at, 10_000, 0.15);
        claim(&mut sender, 10_000);
        arrive(&mut sender, 10_000, 10_200, 0.15);
        refuses_at(&mut sender, 10_200, 0.15)
    };
    assert!(refuses(9700) && !refuses(9800));
}

#[test]
fn without_a_queue_the_start_counts_and_the_old_least_round_trip_time_stays() {
    let mut sender = started(0.15);
    assert!(!refuses_at(&mut sender, 10_200, 0.102));
    assert_eq!(sender.base.secs(), Some(0.1));
    is(sender.cwnd, 200.0);
    let mut sender = started(0.15);
    assert!(refuses_at(&mut sender, 10_200, 0.103));
}

#[test]
fn a_path_on_which_twice_the_window_waits_no_longer_is_another_one() {
    let refuses = |window: f64, low: f64| {
        let mut sender = started(0.15);
        (sender.round, sender.cwnd) = (2, window);
        assert!(!sender.refuses_claim_after(ms(10_400), low), "it is too soon to judge");
        sender.round = 3;
        sender.refuses_claim_after(ms(10_500), low)
    };
    assert!(!refuses(190.0, 0.151) && refuses(189.0, 0.151) && refuses(190.0, 0.1511));
}

#[test]
fn claims_that_nothing_bears_out_count_less_and_less_often() {
    let mut sender = claimed();
    let mut at = 10_000;
    for apart in [10, 20, 40, 80, 160, 160] {
        assert!(refuses_at(&mut sender, at, 0.15));
        claim(&mut sender, at + 1000 * apart - 1);
        assert!(sender.search.is_none(), "after {apart} s");
        at += 1000 * apart;
        claim(&mut sender, at);
        assert!(sender.search.is_some(), "after {apart} s");
    }
    // One that is borne out makes up for all.
    arrive(&mut sender, at, at + 50, 0.15);
    arrive(&mut sender, at + 50, at + 100, 0.3);
    assert!(!refuses_at(&mut sender, at + 100, 0.3));
    sender.search = None;
    claim(&mut sender, at + 5000);
    assert!(sender.search.is_some());
}

#[test]
fn a_refused_claim_leaves_what_was_measured_and_told() {
    let mut sender = alone();
    sender.reach.on_rate(1000.0);
    (sender.jitter, sender.falls) = (jitter(), falls(0.01));
    sender.enter_beside(ms(60), true);
    sender.begin_drain(ms(70), 0.05);
    let before = sender.clone();
    sender.rounds.on_sent(76, ms(80));
    claim(&mut sender, 90);
    sender.base.replace(ms(100), 0.4);
    let told = LinkReport { loss: Probability::clamped(0.01), delay: Span::from_millis(5) };
    sender.on_link_report(ms(100), &told);
    sender.rounds.on_sent(77, ms(100));
    assert!(sender.refuses_claim(ms(110)));
    same(sender.reach, before.reach);
    same(sender.jitter, before.jitter);
    same(sender.falls, before.falls);
    same(&sender.beside, &before.beside);
    assert!(sender.drain.is_none() && sender.links.tells_losses());
    assert_eq!((sender.first, sender.rounds.next()), (77, 78));
}

#[test]
fn a_mark_of_a_router_judges_a_claim() {
    let mut sender = started(0.15);
    sender.on_marked(&Marked::new(ms(10_200), sender.first, 0));
    assert_eq!(sender.base.secs(), Some(0.1));
    is(sender.cwnd, 85.0);
}
