//! Single steps by hand, from states that a path seldom leads to. In each a path of 100 ms carries
//! 1000 packets per second, unless it says otherwise.

mod beside;
mod handoff;
mod longer;
mod looks;

use super::rounds::Round;
use super::{Alone, Base, Config, Falls, Hidden, Jitter, Judge, Reach, Residual, Search};
use crate::path::{End, Handoff};
use crate::time::{Span, Time};
use crate::window::{Ack, Loss, Start, WindowController};

fn ms(ms: u64) -> Time {
    Time::from_millis(ms)
}

/// Alone, with a window of 100 packets.
fn alone() -> Residual {
    let mut sender = new();
    sender.base.replace(Time::ZERO, 0.1);
    (sender.search, sender.rates, sender.cwnd) = (None, [1000.0; 4], 100.0);
    sender.alone = Alone { wait: 0, ..Alone::new(0) };
    sender
}

/// Before it has measured anything.
fn new() -> Residual {
    Residual::new(&Config::default(), &Start::default())
}

#[track_caller]
fn is(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9 * expected.max(1.0), "{found}, not {expected}");
}

#[track_caller]
fn same(found: impl std::fmt::Debug, expected: impl std::fmt::Debug) {
    assert_eq!(format!("{found:?}"), format!("{expected:?}"));
}

/// Falls of `secs` in each round.
fn falls(secs: f64) -> Falls {
    let mut falls = Falls::new();
    (0..2).for_each(|_| falls.on_round(secs));
    falls
}

/// Steps of 8 ms.
fn jitter() -> Jitter {
    let mut jitter = Jitter::new();
    (0..200).for_each(|i| jitter.on_low(if i % 2 == 0 { 0.05 } else { 0.058 }, 0.0));
    jitter
}

#[test]
fn jitter_counts_up_to_twice_the_least_round_trip_time() {
    let mut sender = alone();
    sender.jitter = jitter();
    is(sender.swing(), 0.05);
    sender.base.replace(Time::ZERO, 0.015);
    is(sender.swing(), 0.03);
    // And nothing where none is measured.
    sender.base = Base::new();
    is(sender.swing(), 0.0);
}

#[test]
fn falls_are_jitter_from_a_share_of_the_path_and_eight_packets_on() {
    let haze = |secs, rate| {
        let mut sender = alone();
        (sender.falls, sender.rates) = (falls(secs), [rate; 4]);
        sender.haze()
    };
    // A fiftieth of 100 ms; eight packets at 4000 per second.
    is(haze(0.002, 10_000.0), 0.005);
    is(haze(0.001_9, 10_000.0), 0.0);
    is(haze(0.002, 4000.0), 0.005);
    is(haze(0.002, 3999.0), 0.0);
    is(haze(0.2, 4000.0), 0.2);
    // A millisecond at least, and no more than twice the path.
    let mut short = alone();
    short.base.replace(Time::ZERO, 0.001);
    (short.falls, short.rates) = (falls(0.001), [10_000.0; 4]);
    is(short.haze(), 0.002);
    short.falls = falls(0.000_9);
    is(short.haze(), 0.0);
}

#[test]
fn delays_tell_nothing_beyond_twice_the_path() {
    let mut sender = alone();
    sender.unrest = jitter();
    assert!(!sender.is_blind(0.0251) && sender.is_blind(0.0249));
    let mut fast = alone();
    (fast.falls, fast.rates) = (falls(0.02), [10_000.0; 4]);
    assert!(!fast.is_blind(0.0251) && fast.is_blind(0.0249));
    fast.rates = [100.0; 4];
    assert!(!fast.is_blind(0.0249), "two packets");
}

#[test]
fn noise_is_a_packet_at_least() {
    let noise = |rate| {
        let mut sender = alone();
        sender.rates = [rate; 4];
        sender.noise(0.001)
    };
    is(noise(1000.0), 0.001);
    is(noise(500.0), 0.002);
    is(noise(0.4), 2.5);
    is(noise(0.0), 0.001);
    is(alone().trace(0.1), 0.002);
    is(alone().trace(0.01), 0.001);
    let mut slow = alone();
    slow.rates = [0.1, 0.4, 0.2, 0.0];
    is(slow.best_rate(), 0.4);
}

/// Half of what it keeps itself, 0.2 sqrt(1000) packets, and 0.3 ms.
#[test]
fn a_queue_is_near_empty_with_half_of_the_senders_own() {
    is(alone().near(1000.0), 0.5 * 0.2 * 1000f64.sqrt() / 1000.0 + 0.000_3);
    is(alone().near(1.0), 1.000_3);
    is(alone().near(0.0), 0.001);
}

#[test]
fn an_own_handoff_forgets_all_that_was_measured() {
    let mut sender = alone();
    (sender.jitter, sender.unrest, sender.falls) = (jitter(), jitter(), falls(0.01));
    sender.reach.on_rate(1000.0);
    sender.hidden.held = true;
    sender.alone.failures = 3;
    sender.begin_drain(ms(50), 0.05);
    let lossy = Round { delivered: 9.0, lost: 9.0, ..Round::NONE };
    sender.judge.on_round(&lossy, (0.0, 1.0), false, false, (0.02, 3.0));
    sender.enter_beside(ms(60), true);
    (sender.round, sender.rounds) = (40, super::Rounds::new());
    sender.rounds.on_sent(76, ms(61));
    sender.on_handoff(&Handoff::new(ms(70), End::Own, Span::ZERO, Span::ZERO));
    same(sender.jitter, Jitter::new());
    same(sender.unrest, Jitter::new());
    same(sender.falls, Falls::new());
    same(sender.reach, Reach::new());
    same(sender.hidden, Hidden::new());
    same(sender.judge, Judge::new());
    same(sender.base, Base::new());
    same(sender.alone, Alone::new(0));
    same(sender.search, Some(Search::new()));
    assert!(sender.drain.is_none() && sender.beside.is_none());
    assert_eq!((sender.first, sender.earlier, sender.rounds_here()), (77, 40, 0));
}

/// Rests of 16 rounds, doubled four times at most; the share of alpha falls to a quarter.
#[test]
fn growth_that_meets_losses_rests_for_longer_each_time() {
    let mut sender = alone();
    sender.loss = 0.01;
    for (failures, rest) in [(0, 16), (1, 32), (2, 64), (3, 128), (4, 256), (5, 256), (6, 256)] {
        sender.round += 50;
        assert_eq!(sender.alone.failures, failures);
        (sender.alone.calm, sender.alone.empty) = (0, 9);
        sender.on_round_alone(ms(1000), &Round { secs: 0.1, ..Round::NONE }, 0.0, true);
        assert_eq!(sender.alone.rest, sender.round + rest);
        assert_eq!((sender.alone.empty, sender.alone.wait), (0, 2));
    }
    is(sender.alone.scale, 0.25);
}

/// On a path without losses of its own a round with some counts, six rounds after the last that
/// did, and the second of 200 betrays others.
#[test]
fn losses_behind_a_queue_betray_others() {
    let lossy = Round { lost: 1.0, unexplained: 1.0, secs: 0.1, ..Round::NONE };
    let beside = |first: u64, second: u64| {
        let mut sender = alone();
        for round in [first, second] {
            (sender.round, sender.alone.calm) = (round, 9);
            sender.on_round_alone(ms(1000), &lossy, 0.0, false);
        }
        sender.beside.is_some()
    };
    assert!(!beside(300, 305) && beside(300, 306) && beside(300, 500) && !beside(300, 501));
    let mut sender = alone();
    (sender.round, sender.alone.calm, sender.alone.empty) = (300, 0, 9);
    sender.on_round_alone(ms(1000), &lossy, 0.0, false);
    assert_eq!((sender.alone.rest, sender.alone.failures, sender.alone.empty), (316, 1, 0));
    is(sender.alone.scale, 0.5);
}

/// A link that loses a thousandth loses one of a hundred packets in ten rounds. So one such round
/// in ten says nothing of others; one in six does once they are two and two standard errors more
/// than those: at the 21st there are 12 to expect, and 21 >= 2 + 12 + 2 sqrt(12).
#[test]
fn losses_that_the_links_explain_betray_nobody() {
    let lossy = Round { lost: 1.0, unexplained: 1.0, exposed: 100.0, secs: 0.1, ..Round::NONE };
    let quiet = Round { lost: 0.0, unexplained: 0.0, ..lossy };
    let betrayed = |lost: f64, every: u64| {
        let mut sender = alone();
        // Losses in one of eight blocks do not show in three quarters of the blocks.
        (0..7).for_each(|_| sender.links.on_short_queue(0.0, 1000.0, 100.0));
        sender.links.on_short_queue(lost, 1000.0 - lost, 100.0);
        (300..500).find(|round| {
            (sender.round, sender.alone.calm, sender.cwnd) = (*round, 9, 100.0);
            let round = if round % every == 0 { &lossy } else { &quiet };
            sender.on_round_alone(ms(1000), round, 0.0, false);
            sender.beside.is_some()
        })
    };
    assert_eq!(betrayed(8.0, 10), None);
    assert_eq!(betrayed(0.0, 10), Some(310));
    assert_eq!(betrayed(8.0, 6), Some(420));
}

/// Packets that the start has sent say nothing of the window after it.
#[test]
fn what_the_start_has_lost_is_judged_once() {
    let mut sender = new();
    sender.base.replace(Time::ZERO, 0.1);
    sender.rounds.on_sent(80, ms(1));
    sender.cwnd = 100.0;
    let bad = Round { delivered: 60.0, lost: 20.0, secs: 0.1, ..Round::NONE };
    sender.on_round_starting(ms(100), &bad, true);
    assert!(sender.search.is_none());
    let mut lose = |tx| {
        sender.on_loss(&Loss::new(ms(150), tx, 2000, 90).packets(3));
        sender.rounds.loss_so_far(false).1
    };
    is(lose(80), 0.0);
    is(lose(81), 3.0);
}

/// A window of 90 packets in 100 ms: a round ago it was half of that, and left at twice the rate.
#[test]
fn a_path_serves_no_more_than_the_start_has_sent() {
    for (served, rate) in [(300.0, 400.0), (800.0, 800.0), (5000.0, 990.0)] {
        let mut sender = new();
        sender.base.replace(Time::ZERO, 0.1);
        (sender.cwnd, sender.rates) = (90.0, [400.0; 4]);
        sender.end_start(0.1, served);
        is(sender.calm_rate, rate);
    }
}

/// After three rounds with an empty queue the step doubles each time, 16 times at most; never more
/// than a quarter of the window.
#[test]
fn room_is_taken_faster_and_faster() {
    let mut sender = alone();
    (sender.rates, sender.cwnd) = ([1e12; 4], 1e6);
    sender.config.least_backlog = 1.0;
    sender.config.backlog = 0.0;
    let calm = Round { secs: 0.1, delivered: 100.0, low: 0.1, ..Round::NONE };
    let mut step = |empty| {
        (sender.cwnd, sender.alone.empty, sender.alone.calm) = (1e6, empty, 9);
        sender.on_round_alone(ms(1), &calm, 0.0, false);
        assert_eq!(sender.alone.calm, 0);
        sender.cwnd - 1e6
    };
    for (empty, packets) in [(0, 1.0), (2, 1.0), (3, 2.0), (4, 4.0), (18, 65_536.0), (60, 65_536.0)]
    {
        is(step(empty), packets);
    }
    sender.alone.empty = 60;
    sender.cwnd = 1000.0;
    sender.on_round_alone(ms(1), &calm, 0.0, false);
    is(sender.cwnd, 1250.0);
}

/// An eighth of 62.5 ms is no more than a start takes for no queue.
#[test]
fn runs_are_spared_up_to_an_eighth_of_the_path() {
    let mut sender = new();
    sender.base.replace(Time::ZERO, 0.0625);
    sender.last_rtt = 0.070_312_5;
    assert!(sender.spares_runs());
    sender.last_rtt = 0.070_312_6;
    assert!(!sender.spares_runs());
}

#[test]
fn a_first_window_has_bounds() {
    for (initial, window) in [(1e9, 1e7), (0.5, 1.0), (f64::NAN, 1.0), (12.0, 12.0)] {
        let start = Start::default().initial_window(initial);
        let sender = Residual::new(&Config::default(), &start);
        is(sender.cwnd, window);
        is(sender.window(), window);
    }
}

#[test]
fn no_more_packets_are_marked_than_were_lost() {
    let mut rounds = super::Rounds::new();
    rounds.on_sent(4, ms(0));
    rounds.on_loss(&Loss::new(ms(90), 3, 2000, 4).packets(2).link_failures(5), false);
    let ack = Ack::new(ms(100)).delivered(1).newest(Some((4, ms(0))));
    let round = rounds.on_ack(&ack, None, true).expect("a round");
    assert_eq!((round.marked, round.lost, round.delivered), (2.0, 0.0, 1.0));
}

#[test]
fn a_round_without_a_length_has_no_rate() {
    is(Round { delivered: 9.0, ..Round::NONE }.rate(0.0), 0.0);
    let round = Round { delivered: 90.0, lost: 10.0, marked: 5.0, secs: 0.5, ..Round::NONE };
    is(round.rate(0.0), 190.0);
    is(round.rate(0.04), 2.0 * (90.0 / 0.96 + 5.0));
    is(round.rate(0.9), 210.0);
}
