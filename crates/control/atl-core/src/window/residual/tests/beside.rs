//! Beside others: cuts, tests for being alone, and the way back.

use super::super::climb::Climb;
use super::super::rounds::Round;
use super::super::{Base, Residual};
use super::{alone, is, ms};
use crate::path::LinkReport;
use crate::time::{Span, Time};
use crate::units::Probability;
use crate::window::Ack;

/// Beside others, of whom the link's own report of 10 % explains the losses.
fn beside() -> Residual {
    let mut sender = alone();
    sender.links.on_own(&LinkReport { loss: Probability::clamped(0.1), delay: Span::ZERO });
    sender.calm_window = 100.0;
    sender.enter_beside(Time::ZERO, true);
    sender.round = 10;
    sender
}

/// A round whose longest queue was this, in seconds.
fn round(queue: f64, lost: f64) -> Round {
    Round { high: 0.1 + queue, lost, delivered: 100.0, secs: 0.1, ..Round::NONE }
}

fn cuts(sender: &mut Residual, queue: f64, lost: f64, bad: bool) -> bool {
    let before = sender.cwnd;
    sender.on_round_beside(ms(100), &round(queue, lost), 0.0, bad);
    sender.cwnd < before
}

#[test]
fn a_fall_from_the_longest_queue_is_anothers_cut() {
    for (low, cut) in [(0.0449, true), (0.0451, false)] {
        let mut sender = beside();
        assert!(!cuts(&mut sender, 0.05, 0.0, false));
        assert_eq!(cuts(&mut sender, low, 0.0, false), cut, "{low}");
    }
    // A longest queue of 3 % of the path shows nothing.
    for (high, cut) in [(0.0029, false), (0.0031, true)] {
        let mut sender = beside();
        cuts(&mut sender, high, 0.0, false);
        assert_eq!(cuts(&mut sender, 0.0, 0.0, false), cut, "{high}");
    }
    let mut short = beside();
    short.base.replace(Time::ZERO, 0.02);
    let mut at = |queue| {
        let before = short.cwnd;
        let round = Round { high: 0.02 + queue, ..round(0.0, 0.0) };
        short.on_round_beside(ms(100), &round, 0.0, false);
        short.cwnd < before
    };
    assert!(!at(0.0019) && !at(0.0), "nor does one of 2 ms");
    assert!(!at(0.0021) && at(0.0));
}

/// Without a round-trip time it goes by a tenth of a second: 3 % of it.
#[test]
fn a_path_that_is_not_measured_yet_counts_as_a_tenth_of_a_second() {
    for (high, cut) in [(0.0029, false), (0.0031, true)] {
        let mut sender = beside();
        sender.base = Base::new();
        cuts(&mut sender, high, 0.0, false);
        assert_eq!(cuts(&mut sender, 0.0, 0.0, false), cut, "{high}");
    }
    for (rtt, gone) in [(0.1019, true), (0.1021, false)] {
        let mut sender = beside();
        sender.base = Base::new();
        sender.begin_drain(ms(1000), 0.05);
        for now in [1000, 1151] {
            sender.on_ack_draining(ms(now), 9, rtt, 2);
        }
        assert_eq!((sender.drain.is_none(), sender.beside.is_none()), (true, gone), "{rtt}");
    }
}

#[test]
fn a_round_without_a_round_trip_time_has_the_queue_of_its_least() {
    let mut sender = beside();
    sender.on_round_beside(ms(100), &Round::NONE, 0.05, false);
    is(sender.beside.expect("still").top(), 0.05);
}

#[test]
fn losses_that_stay_at_the_longest_queue_are_answered_after_eight_rounds() {
    let mut sender = beside();
    for round in 0..7 {
        assert!(!cuts(&mut sender, 0.05, 1.0, false), "{round}");
    }
    assert!(!cuts(&mut sender, 0.05, 0.0, false), "without losses");
    assert!(cuts(&mut sender, 0.0451, 1.0, false));
    let mut shorter = beside();
    cuts(&mut shorter, 0.05, 0.0, false);
    for _ in 0..20 {
        assert!(!cuts(&mut shorter, 0.0451, 0.0, false));
    }
    assert_eq!(shorter.beside.expect("still").stay, 0);
}

#[test]
fn residual_loss_cuts_two_rounds_after_the_last_cut() {
    let mut sender = beside();
    assert!(cuts(&mut sender, 0.05, 9.0, true));
    for (rounds, cut) in [(1, false), (2, true)] {
        let mut sender = beside();
        assert!(cuts(&mut sender, 0.05, 9.0, true));
        sender.round += rounds;
        assert_eq!(cuts(&mut sender, 0.05, 9.0, true), cut, "{rounds}");
    }
    // Of a cut within a round the rest of it and all of the next still show losses of before.
    for (rounds, cut) in [(2, false), (3, true)] {
        let mut sender = beside();
        sender.on_mark_beside(ms(50), 9);
        sender.round += rounds;
        assert_eq!(cuts(&mut sender, 0.05, 9.0, true), cut, "{rounds}");
    }
    // Sixty rounds are remembered.
    let mut sender = beside();
    cuts(&mut sender, 0.05, 0.0, false);
    sender.round = 0;
    (0..59).for_each(|_| _ = cuts(&mut sender, 0.01, 0.0, false));
    is(sender.beside.as_ref().expect("still").top(), 0.05);
    cuts(&mut sender, 0.01, 0.0, false);
    is(sender.beside.as_ref().expect("still").top(), 0.01);
}

#[test]
fn tests_for_being_alone_are_put_off_up_to_twelve_times_the_first() {
    let mut sender = beside();
    is(sender.check, 6.0);
    for check in [12.0, 24.0, 24.0] {
        sender.put_off_test(ms(1000), None);
        is(sender.check, check);
        let at = ms(1000).saturating_add(Span::from_secs_f64(check));
        assert_eq!(sender.beside.as_ref().expect("still").test_at, at);
    }
    sender.srtt = 2.0;
    sender.put_off_test(ms(1000), None);
    is(sender.check, 40.0);
    let mut far = alone();
    far.srtt = 1.0;
    far.enter_beside(Time::ZERO, true);
    is(far.check, 20.0);
}

/// Within four seconds the window of before comes back.
#[test]
fn who_left_in_error_returns_to_the_same_window() {
    for (at, window) in [(5999, 80.0), (6000, 0.7 * 40.0)] {
        let mut sender = alone();
        (sender.left_beside, sender.calm_window) = (Some((ms(2000), 80.0)), 40.0);
        sender.enter_beside(ms(at), true);
        is(sender.cwnd, window);
    }
    let mut sender = alone();
    (sender.calm_window, sender.cwnd) = (40.0, 35.0);
    sender.enter_beside(ms(0), false);
    is(sender.cwnd, 35.0);
    assert!(sender.beside.expect("entered").climb.is_some());
}

/// On the way back to 100 packets, of which `open` are in force, where the others have `others`
/// packets; after an ACK for two.
fn climbed(open: f64, others: Option<f64>) -> Residual {
    let mut sender = alone();
    sender.enter_beside(Time::ZERO, true);
    let mut climb = Climb::new(20.0, 0.2);
    climb.others = others;
    sender.put_off_test(Time::ZERO, Some(climb));
    sender.beside.as_mut().expect("entered").curve.begin(Time::ZERO, 100.0, 0.4);
    sender.open = open;
    sender.grow_beside(&Ack::new(ms(500)).delivered(2).in_flight(98), 9);
    sender
}

/// It ends with the window in force at what the others have, and before that goes no further.
#[test]
fn a_climb_ends_at_what_the_others_have() {
    for (open, others, window) in [
        (99.0, Some(140.0), 101.0),
        (120.0, Some(140.0), 122.0),
        (139.0, Some(140.0), 140.0),
        // The window of before is not in force yet.
        (60.0, Some(140.0), 100.0),
    ] {
        let sender = climbed(open, others);
        is(sender.cwnd, window);
        assert!(sender.beside.expect("still").climb.is_some());
    }
    for (open, others, climbs) in
        [(98.0, Some(100.0), false), (97.0, Some(100.0), true), (98.0, None, true)]
    {
        let sender = climbed(open, others);
        assert_eq!(sender.beside.expect("still").climb.is_some(), climbs, "{open}");
    }
}
