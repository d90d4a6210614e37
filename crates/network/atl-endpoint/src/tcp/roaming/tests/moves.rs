//! The first state on another path.

use atl_core::measure::{RttConfig, RttEstimator};
use atl_core::time::Span;
use atl_core::window::{ControllerConfig, bbr3, cubic};

use super::*;
use crate::options::SackBlock;
use crate::tcp::connection::Phase;
use crate::tcp::path::Path;
use crate::tcp::sender::Choice;
use atl_core::roaming::Knowledge;

#[test]
fn a_move_does_not_open_a_connection_that_has_yet_to_be_answered() {
    let mut sender = sender(NewPath::Reset);
    sender.conn.phase = Phase::Connecting;
    assert!(matches!(drain(&mut sender, ms(0))[..], [Outgoing::Syn { .. }]));
    sender.on_path_signal(ms(10), PathSignal::Done(B));
    assert_eq!((sender.path(), drain(&mut sender, ms(10))), (B, Vec::new()));
    assert_eq!(sender.next_timer(ms(10)), ms(1000), "the request's timer goes on");
    sender.on_syn_ack(ms(100), ms(0), 0);
    let sent = drain(&mut sender, ms(100));
    assert!(sent.iter().all(|out| matches!(out, Outgoing::Data { path: B, .. })) && sent.len() > 1);
}

#[test]
fn a_path_is_not_surveyed_before_the_connection_is_answered() {
    let mut sender = sender(probe(Meanwhile::Old));
    sender.conn.phase = Phase::Connecting;
    drain(&mut sender, ms(0));
    sender.on_path_signal(ms(10), PathSignal::Imminent(B));
    sender.on_syn_ack(ms(100), ms(0), 0);
    assert_eq!(challenge(&drain(&mut sender, ms(100))), None);
    sender.on_path_signal(ms(200), PathSignal::Imminent(B));
    let asked = challenge(&drain(&mut sender, ms(200))).expect("now it is");
    // Nobody answers a packet that was never sent. The survey's first one has the next number.
    answer(&mut sender, ms(250), asked + 1, ms(200));
    assert_eq!(look(&mut sender, |paths| paths.known_rtt(B, ms(250))), None);
    answer(&mut sender, ms(300), asked, ms(200));
    let mut probed = Vec::new();
    for at in 300..320 {
        sender.on_timer(ms(at));
        probed.extend(drain(&mut sender, ms(at)));
    }
    assert!(
        probed
            .iter()
            .any(|out| matches!(out, Outgoing::Probe { number, .. } if *number == asked + 1)),
        "{probed:?}"
    );
}

/// A path that answers nothing is full, unless an earlier survey has found what it carries.
#[test]
fn a_survey_without_an_answer_outweighs_no_earlier_one() {
    for (known, full) in [(false, Some(B)), (true, None)] {
        let rules = Probe { validate: false, dummies: Some(1), ..Probe::default() };
        let mut sender = sender(NewPath::Probe(rules));
        sender.with_paths(|sender, paths| {
            if known {
                paths.keep_survey(B, Knowledge::of_rtt(Span::from_millis(20)), ms(0));
            }
            sender.survey(paths, ms(0), B, rules);
        });
        for at in 0..5000 {
            sender.on_timer(ms(at));
            drain(&mut sender, ms(at));
            if look(&mut sender, |paths| paths.underway.is_none()) {
                break;
            }
        }
        let found = look(&mut sender, |paths| (paths.underway.is_some(), paths.unanswered));
        assert_eq!(found, (false, full));
    }
}

/// Controllers that draw numbers must not draw the same on each path.
#[test]
fn each_path_has_a_seed_of_its_own() {
    let config = ControllerConfig::from(bbr3::Config::default());
    let built =
        |seed| format!("{:?}", config.build(&Start::default().initial_window(10.0).seed(seed)));
    assert_ne!(built(5), built(6));
    let mut sender = testing::sender(&config, Recovery::Sack, 10.0, &Source::Greedy).with_new_path(
        NewPath::Reset,
        config.clone(),
        Start::default().initial_window(10.0).seed(5),
    );
    for (path, seed) in [(B, 6), (C, 7), (A, 8)] {
        sender.on_path_signal(ms(0), PathSignal::Done(path));
        assert_eq!(format!("{:?}", sender.controller()), built(seed), "{path:?}");
    }
}

/// Data that dummy ACKs released ahead of the move is in the new controller's books.
#[test]
fn a_controller_is_told_of_what_is_on_its_path_already() {
    let config = ControllerConfig::from(cubic::Config::default());
    let start = Start::default().initial_window(10.0);
    let mut sender = testing::sender(&config, Recovery::Sack, 10.0, &Source::Greedy).with_new_path(
        NewPath::Reset,
        config.clone(),
        start.seed(0),
    );
    drain(&mut sender, ms(0));
    let mut told = config.build(&start.seed(1));
    sender.with_paths(|sender, paths| {
        for seq in [10, 11] {
            let choice = Choice { seq, bytes: 1040, again: false };
            sender.send_ahead(paths, ms(5), B, choice, 0);
            let begun = sender.begin_on(paths, ms(9), B, Knowledge::default(), None);
            paths.moves = 0;
            told.on_sent(&Sent::new(ms(9), seq - 10, 1040, seq as u32 - 9));
            assert_eq!(format!("{:?}", begun.controller), format!("{told:?}"), "{seq}");
        }
        sender.move_to(paths, ms(9), B, Knowledge::default());
    });
    assert_eq!((sender.in_flight(), sender.in_flight_elsewhere()), (2, 10));
}

/// The instant at which what was left has drained is too late.
#[test]
fn a_sender_goes_on_where_it_was_up_to_the_end_of_the_drain() {
    let mut sender = sender(NewPath::Reset);
    let mut begun = |until: Time| {
        let mut rtt = RttEstimator::new(RttConfig::default());
        rtt.on_sample(Span::from_millis(70));
        let start = Start::default().initial_window(33.0);
        let left = Path::new(B, testing::reno().build(&start), rtt);
        let path = sender.with_paths(|sender, paths| {
            sender.begin_on(paths, ms(50), B, Knowledge::default(), Some((left, until)))
        });
        let path = path.expect("a path");
        (path.controller.window().to_bits() == 33f64.to_bits(), path.rtt.srtt())
    };
    assert_eq!(begun(ms(50)), (false, None));
    assert_eq!(begun(ms(50) + Span::from_nanos(1)), (true, Some(Span::from_millis(70))));
}

#[test]
fn an_answered_challenge_is_a_sample_only_where_there_is_none() {
    for (known, expected) in [(None, 500), (Some(Span::from_millis(100)), 100)] {
        let mut sender = sender(probe(Meanwhile::Both));
        drain(&mut sender, ms(0));
        notice(&mut sender, ms(0), 1, PathSignal::Done(B));
        let asked = challenge(&drain(&mut sender, ms(0))).expect("B is asked");
        if let Some(rtt) = known {
            sender.conn.path.rtt.on_sample(rtt);
        }
        answer(&mut sender, ms(500), asked, ms(0));
        assert_eq!(sender.srtt(), Some(Span::from_millis(expected)));
    }
}

#[test]
fn an_answer_to_data_ends_the_wait_for_the_answer_to_a_challenge() {
    let mut sender = sender(probe(Meanwhile::Both));
    drain(&mut sender, ms(0));
    notice(&mut sender, ms(0), 1, PathSignal::Done(B));
    let sent = drain(&mut sender, ms(0));
    assert!(matches!(sent[0], Outgoing::Data { seq: 10, tx: 10, path: B, .. }), "{sent:?}");
    assert!(look(&mut sender, |paths| paths.back.is_some()));
    let mut sack = SackBlocks::default();
    sack[0] = SackBlock { offset: 10, len: 1 };
    sender
        .on_ack(ms(100), &AckInfo { ack: 0, echo_tx: 10, echo_sent_at: ms(0), ecn_flags: 0, sack });
    assert!(look(&mut sender, |paths| paths.back.is_none() && paths.guard.is_validated(B)));
}

/// Nothing is known of a better one: it begins nowhere anew.
#[test]
fn a_path_that_goes_while_it_is_asked_is_not_moved_to() {
    let mut sender = sender(probe(Meanwhile::Both));
    drain(&mut sender, ms(0));
    notice(&mut sender, ms(0), 1, PathSignal::Done(B));
    drain(&mut sender, ms(0));
    let before = (sender.in_flight(), sender.in_flight_elsewhere());
    assert!(before.0 > 0);
    notice(&mut sender, ms(100), 2, PathSignal::Gone(B));
    assert_eq!((sender.in_flight(), sender.in_flight_elsewhere()), before);
    assert_eq!(look(&mut sender, |paths| (paths.moves, paths.stranded)), (1, Some(B)));
}

/// The first of four dummies over 100 ms leaves at 25, and its ACK is due at 125.
#[test]
fn an_ack_of_a_dummy_that_is_just_due_says_nothing_by_its_absence() {
    let initial = Start::default().initial_window;
    for (late, window) in [(Span::ZERO, initial), (Span::from_nanos(1), 2.0)] {
        let rules = Probe { validate: false, dummies: Some(4), ..Probe::default() };
        let mut sender = sender(NewPath::Probe(rules));
        sender.conn.path.rtt.on_sample(Span::from_millis(100));
        sender.on_path_signal(ms(0), PathSignal::Imminent(B));
        sender.on_timer(ms(25));
        let sent = drain(&mut sender, ms(25));
        assert!(sent.iter().any(|out| matches!(out, Outgoing::Probe { .. })), "{sent:?}");
        sender.on_path_signal(ms(125) + late, PathSignal::Done(B));
        assert_eq!((sender.path(), sender.controller().window()), (B, window), "{late:?}");
    }
}

/// Until B answers it goes on being asked. A host that moves itself knows that its peer is there.
#[test]
fn a_move_ends_a_survey_unless_its_challenge_is_open() {
    for (own, answered, goes_on) in
        [(false, false, true), (false, true, false), (true, false, false)]
    {
        let mut sender = sender(probe(Meanwhile::Both));
        drain(&mut sender, ms(0));
        let signals = [PathSignal::Imminent(B), PathSignal::Done(B)];
        for (at, signal) in [0, 200].into_iter().zip(signals) {
            if own {
                sender.on_path_signal(ms(at), signal);
            } else {
                notice(&mut sender, ms(at), at as u32, signal);
            }
            let asked = challenge(&drain(&mut sender, ms(at)));
            if answered && at == 0 {
                answer(&mut sender, ms(100), asked.expect("B is asked"), ms(0));
            }
        }
        assert_eq!(sender.path(), B);
        assert_eq!(
            look(&mut sender, |paths| paths.underway.is_some()),
            goes_on,
            "{own} {answered}"
        );
    }
}

#[test]
fn a_path_is_not_challenged_before_the_connection_is_answered() {
    let mut sender = sender(probe(Meanwhile::Both));
    sender.conn.phase = Phase::Connecting;
    assert!(matches!(drain(&mut sender, ms(0))[..], [Outgoing::Syn { .. }]));
    notice(&mut sender, ms(10), 1, PathSignal::Done(B));
    assert_eq!((sender.path(), drain(&mut sender, ms(10))), (B, Vec::new()));
    sender.on_syn_ack(ms(100), ms(0), 0);
    assert_eq!(challenge(&drain(&mut sender, ms(100))), None, "it is tried again after a second");
    sender.on_timer(ms(1010));
    assert!(challenge(&drain(&mut sender, ms(1010))).is_some());
}

/// Four dummies over 100 ms. The first ACK comes at 125, so that counting ends at 225; nobody has
/// called the sender since.
#[test]
fn a_survey_that_an_ack_finds_over_is_concluded_with_it() {
    let rules = Probe { validate: false, dummies: Some(4), ..Probe::default() };
    let mut sender = sender(NewPath::Probe(rules));
    sender.conn.path.rtt.on_sample(Span::from_millis(100));
    sender.on_path_signal(ms(0), PathSignal::Imminent(B));
    let mut numbers = Vec::new();
    for at in [25, 50, 75, 100] {
        sender.on_timer(ms(at));
        numbers.extend(drain(&mut sender, ms(at)).into_iter().filter_map(|out| match out {
            Outgoing::Probe { number, .. } => Some(number),
            _ => None,
        }));
    }
    assert_eq!(numbers.len(), 4);
    answer(&mut sender, ms(125), numbers[0], ms(25));
    assert_eq!(sender.beside(), None);
    answer(&mut sender, ms(226), numbers[1], ms(50));
    assert_eq!(sender.beside(), Some((B, 2.0)));
}
