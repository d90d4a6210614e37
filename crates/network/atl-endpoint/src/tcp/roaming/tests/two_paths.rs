//! Data over two paths: which of them a packet takes.

use atl_core::roaming::Knowledge;
use atl_core::time::Span;
use atl_link::Ecn;

use super::*;
use crate::options::SackBlock;
use crate::tcp::paths::Leg;

/// Ten packets are in flight over A, which has a window of `window` and this RTT in ms; B is used
/// beside it, with a window of 20.
fn two(window: f64, here: u64, there: u64) -> Sender {
    let mut sender = sender(probe(Meanwhile::Both));
    drain(&mut sender, ms(0));
    sender.conn.path.controller = Told::new(window).boxed();
    sender.conn.path.rtt.on_sample(Span::from_millis(here));
    sender.with_paths(|sender, paths| {
        let known = Knowledge::of_rtt(Span::from_millis(there));
        sender.begin_beside(paths, ms(0), B, known);
        let beside = paths.beside.as_mut().expect("begun");
        beside.controller = Told::new(20.0).boxed();
    });
    sender
}

fn timeouts(sender: &mut Sender, here: u32, there: u32) {
    sender.conn.path.timeouts = here;
    look(sender, |paths| paths.beside.as_mut().expect("two paths").timeouts = there);
}

fn tell_beside(sender: &mut Sender, told: &Told) {
    look(sender, |paths| {
        paths.beside.as_mut().expect("two paths").controller = told.boxed();
    });
}

#[test]
fn a_silent_path_waits_for_its_timer_if_the_other_answers() {
    for (here, there, sends) in [(0, 0, true), (1, 1, true), (1, 0, true), (0, 1, false)] {
        let mut sender = two(20.0, 100, 50);
        timeouts(&mut sender, here, there);
        assert_eq!(sender.poll_beside(ms(1)).is_some(), sends, "{here} {there}");
    }
}

/// The packet that tries a path is repaired over the other one, unless that is as silent.
#[test]
fn a_packet_that_tries_a_path_is_lost_only_to_a_path_that_answers() {
    for (here, there, lost) in [(1, 1, 0), (2, 1, 0), (0, 1, 1), (1, 2, 1)] {
        let mut sender = two(20.0, 100, 50);
        assert!(sender.poll_beside(ms(1)).is_some());
        timeouts(&mut sender, here, there);
        sender.with_paths(|sender, paths| sender.may_send_beside(paths, ms(1)));
        assert_eq!(sender.conn.board.waiting(), lost, "{here} {there}");
    }
}

#[test]
fn a_packet_that_tried_a_path_and_was_repaired_since_is_not_lost_again() {
    let mut sender = two(20.0, 100, 50);
    assert!(sender.poll_beside(ms(1)).is_some());
    assert!(sender.conn.board.lose(10).is_some());
    sender.conn.board.resend(10, ms(2), 11);
    timeouts(&mut sender, 0, 1);
    sender.with_paths(|sender, paths| sender.may_send_beside(paths, ms(2)));
    assert_eq!((sender.conn.board.waiting(), sender.in_flight()), (0, 11));
}

#[test]
fn a_third_path_that_is_surveyed_in_vain_takes_nothing_from_the_second() {
    let mut sender = two(20.0, 100, 50);
    let Some(Outgoing::Data { tx, path: B, .. }) = sender.poll_beside(ms(1)) else {
        panic!("B has room")
    };
    notice(&mut sender, ms(2), 1, PathSignal::Imminent(C));
    assert!(look(&mut sender, |paths| paths.underway.is_some()));
    notice(&mut sender, ms(3), 2, PathSignal::Gone(C));
    assert!(look(&mut sender, |paths| paths.underway.is_none()));
    assert_eq!(look(&mut sender, |paths| paths.sent.of(tx)), Leg::Ahead);
}

/// The slower path gets what the faster one has no room for, or does not let go yet.
#[test]
fn the_faster_path_goes_first_if_it_may_send_now() {
    let now = ms(1);
    let later = now + Span::from_nanos(1);
    for (window, release, forced, beside) in [
        (20.0, None, false, false),
        (20.0, Some(now), false, false),
        (20.0, Some(later), false, true),
        (20.0, Some(later), true, false),
        (10.0, None, false, true),
        (10.0, None, true, false),
    ] {
        let mut sender = two(window, 50, 100);
        sender.conn.path.controller = Told { release, ..Told::new(window) }.boxed();
        sender.conn.path.forced = forced;
        let out = sender.poll_beside(now);
        assert_eq!(out.is_some(), beside, "{window} {release:?} {forced}");
    }
}

/// A slow path takes nothing that the receive window would wait for, but what it is tried with.
#[test]
fn a_packet_that_must_go_is_not_held_back_for_the_receive_window() {
    for (receive_window, forced, sends) in
        [(100, false, true), (12, false, false), (12, true, true)]
    {
        let mut sender = two(10.0, 50, 100);
        sender.receive_window = receive_window;
        look(&mut sender, |paths| paths.beside.as_mut().expect("two paths").forced = forced);
        assert_eq!(sender.poll_beside(ms(1)).is_some(), sends, "{receive_window} {forced}");
    }
}

#[test]
fn of_two_paths_that_are_as_fast_the_current_one_goes_first() {
    let mut sender = two(20.0, 50, 50);
    assert_eq!(sender.poll_beside(ms(1)), None);
    assert!(matches!(sender.poll_send(ms(1)), Some(Outgoing::Data { path: A, .. })));
}

/// Nothing can be said of a path that answers in no time.
#[test]
fn a_path_without_a_delay_blocks_no_other() {
    let mut sender = two(10.0, 0, 100);
    assert!(sender.poll_beside(ms(1)).is_some());
}

/// Packets that were spaced beside an earlier path do not hold up those beside the next one.
#[test]
fn spacing_begins_anew_with_each_path_beside() {
    let mut sender = two(20.0, 100, 50);
    (0..20).for_each(|_| sender.conn.path.space(ms(1), true));
    assert!(sender.conn.path.spaced_until(ms(1)).is_some());
    sender.with_paths(|sender, paths| {
        sender.give_up_beside(paths, ms(1));
        sender.begin_beside(paths, ms(1), C, Knowledge::default());
    });
    assert_eq!(sender.conn.path.spaced_until(ms(1)), None);
}

#[test]
fn a_timeout_counts_what_is_in_flight_on_its_own_path() {
    let mut sender = two(20.0, 100, 50);
    let (here, told) = (Told::new(20.0), Told::new(20.0));
    sender.conn.path.controller = here.boxed();
    tell_beside(&mut sender, &told);
    assert!(sender.poll_beside(ms(99)).is_some() && sender.poll_beside(ms(99)).is_some());
    let due = look(&mut sender, |paths| paths.beside.as_ref().expect("two paths").rto_due);
    sender.on_timer(due);
    assert_eq!(told.log().timeouts, [2]);
    let due = sender.conn.path.rto_due;
    sender.on_timer(due);
    assert_eq!(here.log().timeouts, [10]);
}

/// Ten went over A before.
#[test]
fn each_path_numbers_and_counts_its_own_packets() {
    let mut sender = two(20.0, 100, 50);
    let (here, there) = (Told::new(20.0), Told::new(2.0));
    sender.conn.path.controller = here.boxed();
    tell_beside(&mut sender, &there);
    for (seq, path) in [(10, B), (11, B), (12, A)] {
        let (ecn, cwr) = (Ecn::NotEct, false);
        let expected = Outgoing::Data { seq, tx: seq, bytes: 1040, path, ecn, cwr };
        assert_eq!(sender.poll_send(ms(99)), Some(expected));
    }
    let wider = Told { window: 3.0, ..there.clone() };
    tell_beside(&mut sender, &wider);
    assert!(sender.poll_beside(ms(99)).is_some());
    assert_eq!(here.log().sent, [(10, 1040, 11)]);
    assert_eq!(there.log().sent, [(0, 1040, 1), (1, 1040, 2), (2, 1040, 3)]);
}

/// A window of 20 is filled over 50 ms: a packet each 2.5 ms.
#[test]
fn a_path_that_is_being_filled_lets_the_slower_one_go_between_its_packets() {
    let mut sender = two(20.0, 50, 100);
    sender.conn.path.fill(ms(10), 20.0);
    assert_eq!(sender.poll_beside(ms(10)), None);
    sender.conn.path.space(ms(10), false);
    assert!(sender.poll_beside(ms(12)).is_some());
    assert_eq!(sender.poll_beside(ms(20)), None);
}

/// Its round trip is half as long as that of the other, which then counts as one: with the window
/// of 20 there and the packet itself, 21 must fit.
#[test]
fn a_path_that_is_slower_as_it_is_silent_leaves_the_other_its_window() {
    for (receive_window, sends) in [(20, false), (21, true)] {
        let mut sender = two(20.0, 100, 50);
        timeouts(&mut sender, 1, 2);
        sender.receive_window = receive_window;
        sender.conn.path.controller = Told { release: Some(ms(9)), ..Told::new(20.0) }.boxed();
        assert_eq!(sender.poll_beside(ms(1)).is_some(), sends, "{receive_window}");
    }
}

#[test]
fn the_controller_of_a_path_beside_is_called_when_it_asked_to_be() {
    for (tick, at, ticks) in [(None, 39, 0), (Some(ms(40)), 39, 0), (Some(ms(40)), 40, 1)] {
        let mut sender = two(20.0, 100, 50);
        let told = Told { tick, ..Told::new(20.0) };
        tell_beside(&mut sender, &told);
        sender.on_timer(ms(at));
        assert_eq!(told.log().ticks, ticks, "{tick:?} {at}");
    }
}

/// All that is on B has arrived or is lost, as an ACK shows that brings nothing new. A path that
/// answers does not count that as an expiry; one that is still being tried does.
#[test]
fn a_timer_with_nothing_in_flight_backs_off_only_on_a_path_that_is_tried() {
    let mut sender = two(10.0, 50, 100);
    (0..4).for_each(|_| assert!(sender.poll_beside(ms(99)).is_some()));
    let mut sack = SackBlocks::default();
    sack[0] = SackBlock { offset: 10, len: 3 };
    for (at, echo_tx, sent_at) in [(150, 0, 0), (199, 13, 99)] {
        let info = AckInfo { ack: 1, echo_tx, echo_sent_at: ms(sent_at), ecn_flags: 0, sack };
        sender.on_ack(ms(at), &info);
    }
    assert_eq!((sender.conn.board.waiting(), sender.in_flight_elsewhere()), (1, 0));
    let mut expire = |count: u32| {
        timeouts(&mut sender, 0, count);
        let beside = |paths: &mut Paths| {
            let path = paths.beside.as_mut().expect("two paths");
            (path.rto_due, path.rtt.rto())
        };
        let (_, before) = look(&mut sender, beside);
        sender.with_paths(|sender, paths| {
            paths.beside.as_mut().expect("two paths").rto_due = ms(600);
            sender.on_beside_timer(paths, ms(600));
        });
        let (due, after) = look(&mut sender, beside);
        assert_eq!(due, Time::MAX);
        (before, after)
    };
    let (before, after) = expire(0);
    assert_eq!(before, after);
    let (before, after) = expire(1);
    assert_eq!(before * 2, after);
}

/// The window of the path that was left is for that path, beside or alone.
#[test]
fn a_path_that_was_left_goes_on_where_it_was() {
    for beside in [A, C] {
        let mut sender = sender(probe(Meanwhile::Both));
        drain(&mut sender, ms(0));
        sender.conn.path.controller = testing::reno().build(&Start::default().initial_window(33.0));
        sender.conn.path.rtt.on_sample(Span::from_millis(70));
        sender.with_paths(|sender, paths| {
            sender.move_to(paths, ms(10), B, Knowledge::default());
            sender.begin_beside(paths, ms(20), beside, Knowledge::default());
        });
        let window = sender.beside().map(|(_, window)| window.to_bits());
        assert_eq!(window == Some(33f64.to_bits()), beside == A);
        if beside == C {
            sender.on_path_signal(ms(30), PathSignal::Done(A));
            assert_eq!((sender.path(), sender.beside()), (A, None));
            assert_eq!(sender.controller().window().to_bits(), 33f64.to_bits());
        }
    }
}

/// The last packet on B was lost and repaired over A, and now everything is acknowledged.
#[test]
fn an_episode_ends_when_a_move_finds_nothing_missing() {
    let mut sender = two(20.0, 100, 50);
    let told = Told::new(20.0);
    tell_beside(&mut sender, &told);
    look(&mut sender, |paths| paths.beside.as_mut().expect("two paths").recovering = true);
    let sack = SackBlocks::default();
    let info = AckInfo { ack: 10, echo_tx: 9, echo_sent_at: ms(0), ecn_flags: 0, sack };
    sender.on_ack(ms(100), &info);
    assert_eq!(told.log().recovered, 0);
    sender.on_path_signal(ms(100), PathSignal::Done(B));
    assert_eq!((sender.path(), told.log().recovered), (B, 1));
}

/// Duplicates up to the last segment of then may come from copies.
#[test]
fn an_expiry_beside_another_path_is_remembered_when_that_is_gone() {
    let mut sender = two(20.0, 100, 50);
    let due = sender.conn.path.rto_due;
    sender.on_timer(due);
    assert_eq!(sender.counts().timeouts, 1);
    sender.on_path_signal(due, PathSignal::Gone(B));
    let sack = SackBlocks::default();
    let info = AckInfo { ack: 10, echo_tx: 9, echo_sent_at: ms(0), ecn_flags: 0, sack };
    sender.on_ack(due, &info);
    assert!(look(&mut sender, |paths| !paths.is_split()));
    assert_eq!((sender.conn.after_timeout, sender.conn.recover), (true, 10));
}
