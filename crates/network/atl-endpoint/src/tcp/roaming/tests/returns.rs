//! Paths that did not answer in time, and what becomes of them.

use atl_core::roaming::Knowledge;
use atl_core::time::Span;

use super::*;
use crate::tcp::paths::Leg;
use crate::tcp::sender::Choice;

/// A sender that went to B, where nobody answered, and came back: the host is said to be there, so
/// that B is asked. Returns the number of the latest challenge too.
fn returned(meanwhile: Meanwhile) -> (Sender, u64) {
    let mut sender = sender(probe(meanwhile));
    drain(&mut sender, ms(0));
    notice(&mut sender, ms(0), 1, PathSignal::Done(B));
    let mut sent = drain(&mut sender, ms(0));
    sender.on_timer(ms(3000));
    assert_eq!(sender.path(), A);
    sent.extend(drain(&mut sender, ms(3000)));
    assert_eq!(look(&mut sender, |paths| paths.wanted), Some(B));
    (sender, challenge(&sent).expect("B was asked"))
}

#[test]
fn data_takes_a_path_that_had_failed_once_it_answers() {
    for meanwhile in [Meanwhile::New, Meanwhile::Old, Meanwhile::Both] {
        let (mut sender, asked) = returned(meanwhile);
        answer(&mut sender, ms(3100), asked, ms(3000));
        assert_eq!(sender.path(), B);
        // That is all there was to ask, and it is no second path.
        sender.on_timer(ms(3101));
        assert!(look(&mut sender, |paths| paths.underway.is_none()));
        assert_eq!((sender.path(), sender.beside()), (B, None), "{meanwhile:?}");
    }
}

/// Repeated notices draw no more challenges, and the one that was asked may be answered.
#[test]
fn a_path_that_is_being_asked_is_not_asked_anew() {
    let (mut sender, asked) = returned(Meanwhile::Old);
    notice(&mut sender, ms(3050), 2, PathSignal::Done(B));
    assert_eq!(challenge(&drain(&mut sender, ms(3050))), None);
    answer(&mut sender, ms(3100), asked, ms(3000));
    assert_eq!(sender.path(), B);
}

/// The host says that it is where the data is: what then comes from the other path is late.
#[test]
fn a_path_that_had_failed_is_not_asked_when_the_host_is_elsewhere() {
    for meanwhile in [Meanwhile::New, Meanwhile::Old, Meanwhile::Both] {
        let (mut sender, asked) = returned(meanwhile);
        notice(&mut sender, ms(3050), 2, PathSignal::Done(A));
        answer(&mut sender, ms(3100), asked, ms(3000));
        assert_eq!((sender.path(), sender.beside()), (A, None), "{meanwhile:?}");
        assert!(look(&mut sender, |paths| paths.wanted.is_none() && paths.underway.is_none()));
    }
}

#[test]
fn a_path_that_had_failed_and_that_the_host_has_left_is_surveyed_as_any_other() {
    let (mut sender, _) = returned(Meanwhile::Old);
    notice(&mut sender, ms(3050), 2, PathSignal::Gone(B));
    notice(&mut sender, ms(3100), 3, PathSignal::Imminent(B));
    let asked = challenge(&drain(&mut sender, ms(3100))).expect("a survey begins");
    answer(&mut sender, ms(3200), asked, ms(3100));
    assert_eq!(sender.path(), A, "the host has not moved there");
}

/// The timeout of a timer that has just expired is twice as long. The wait for an answer is not.
#[test]
fn the_wait_is_of_timeouts_without_their_back_off() {
    let mut sender = sender(probe(Meanwhile::Both));
    drain(&mut sender, ms(0));
    sender.conn.path.rtt.on_sample(Span::from_millis(400));
    let limit = sender.conn.path.rtt.rto() * 3;
    assert!(limit > Span::from_secs(3));
    sender.conn.path.rtt.back_off();
    notice(&mut sender, ms(10), 1, PathSignal::Done(B));
    assert_eq!(look(&mut sender, |paths| paths.back.map(|back| back.at)), Some(ms(10) + limit));
}

/// Slow start goes up to three quarters of the window of before, or as far as it went then.
#[test]
fn slow_start_after_the_return_ends_where_it_did_or_nearly_at_the_window() {
    let (sender, _) = returned(Meanwhile::Both);
    assert!(sender.controller().ssthresh().is_infinite());
    let mut low = super::sender(probe(Meanwhile::Both));
    low.conn.path.controller =
        testing::reno().build(&Start::default().initial_window(40.0).ssthresh(8.0));
    drain(&mut low, ms(0));
    notice(&mut low, ms(0), 1, PathSignal::Done(B));
    low.on_timer(ms(3000));
    assert_eq!((low.path(), low.controller().ssthresh()), (A, 30.0));
}

/// Nobody was there to take it.
#[test]
fn what_is_on_a_path_that_did_not_answer_is_lost_at_the_return() {
    let (sender, _) = returned(Meanwhile::Both);
    assert_eq!(sender.in_flight_elsewhere(), 0);
    assert!(sender.counts().retransmissions > 0);
}

/// It is the host itself that knows: no answer has to come first.
#[test]
fn a_host_moves_to_a_path_that_had_failed_at_its_own_word() {
    let (mut sender, _) = returned(Meanwhile::Old);
    sender.on_path_signal(ms(3050), PathSignal::Done(B));
    assert_eq!(sender.path(), B);
}

#[test]
fn a_path_that_had_failed_and_answers_takes_the_place_of_one_beside() {
    let (mut sender, asked) = returned(Meanwhile::Both);
    sender.with_paths(|sender, paths| {
        sender.begin_beside(paths, ms(3050), C, Knowledge::default());
    });
    answer(&mut sender, ms(3100), asked, ms(3000));
    assert_eq!((sender.path(), sender.beside()), (B, None));
}

#[test]
fn a_path_that_had_failed_is_asked_anew_when_the_host_is_back_there() {
    let (mut sender, _) = returned(Meanwhile::Old);
    notice(&mut sender, ms(3050), 2, PathSignal::Done(A));
    notice(&mut sender, ms(3100), 3, PathSignal::Done(B));
    let asked = challenge(&drain(&mut sender, ms(3100))).expect("B is asked");
    answer(&mut sender, ms(3200), asked, ms(3100));
    assert_eq!(sender.path(), B);
}

/// Data that dummy ACKs have released over C is no part of B's window.
#[test]
fn a_path_that_had_failed_is_asked_in_place_of_a_survey() {
    let (mut sender, _) = returned(Meanwhile::Both);
    notice(&mut sender, ms(3050), 2, PathSignal::Imminent(C));
    let tx = sender.with_paths(|sender, paths| {
        let (seq, tx) = (sender.conn.board.next(), sender.conn.next_tx);
        sender.send_ahead(paths, ms(3060), C, Choice { seq, bytes: 1040, again: false }, 0);
        sender.begin_split(paths);
        assert_eq!(paths.sent.of(tx), Leg::Ahead);
        tx
    });
    notice(&mut sender, ms(3100), 3, PathSignal::Done(B));
    let tx = tx.expect("sent");
    assert_eq!(look(&mut sender, |paths| paths.sent.of(tx)), Leg::Behind);
}

/// B is wanted, but C is surveyed by now.
#[test]
fn a_path_that_is_wanted_no_more_ends_no_survey_of_another() {
    for (to, surveyed) in [(A, Some(C)), (C, None)] {
        let (mut sender, _) = returned(Meanwhile::Old);
        notice(&mut sender, ms(3050), 2, PathSignal::Imminent(C));
        let asked = challenge(&drain(&mut sender, ms(3050))).expect("C is asked");
        answer(&mut sender, ms(3100), asked, ms(3050));
        notice(&mut sender, ms(3150), 3, PathSignal::Done(to));
        assert_eq!(sender.path(), to);
        let underway = look(&mut sender, |paths| paths.underway.as_ref().map(|it| it.path));
        assert_eq!(underway, surveyed);
    }
}
