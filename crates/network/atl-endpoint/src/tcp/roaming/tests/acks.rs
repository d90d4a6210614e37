//! ACKs while packets are in flight over two paths.

use atl_core::window::MarkResponse;

use super::*;
use crate::options::SackBlock;
use crate::tcp::ecn::{EcnMode, EcnSender};
use crate::tcp::sender::Choice;

/// A sender of ten packets at 0, which has a controller of its own for each path.
fn ten(recovery: Recovery, source: &Source) -> Sender {
    let controller = testing::reno();
    let mut sender = testing::sender(&controller, recovery, 10.0, source).with_new_path(
        NewPath::Reset,
        controller,
        Start::default(),
    );
    drain(&mut sender, ms(0));
    assert_eq!(sender.in_flight(), 10);
    sender
}

/// An ACK of all below `ack` which answers this transmission, sent at 0.
fn ack(sender: &mut Sender, ack: u64, echo_tx: u32) {
    let sack = SackBlocks::default();
    let info = AckInfo { ack, echo_tx, echo_sent_at: ms(0), ecn_flags: 0, sack };
    sender.on_ack(ms(100), &info);
}

/// The network has doubled two ACKs, which count as arrivals above the hole. The last two packets
/// are lost.
#[test]
fn copies_of_acks_do_not_stop_the_timer_of_what_is_out() {
    let mut sender = ten(Recovery::NewReno, &Source::Fixed { bytes: 10_000 });
    (0..3).for_each(|_| ack(&mut sender, 1, 0));
    sender.with_paths(Sender::begin_split);
    (1..8).for_each(|echo| ack(&mut sender, u64::from(echo) + 1, echo));
    assert_eq!((sender.una(), sender.in_flight()), (8, 0));
    let due = sender.next_timer(ms(100));
    assert!(due < Time::MAX);
    sender.on_timer(due);
    assert_eq!(testing::send(&mut sender, due).first(), Some(&8));
}

/// Copies of ACKs counted as arrivals here, and then an ACK shows two over the other path.
#[test]
fn arrivals_over_another_path_do_not_settle_what_was_counted_here() {
    let mut sender = ten(Recovery::NewReno, &Source::Greedy);
    (0..3).for_each(|_| ack(&mut sender, 1, 0));
    sender.with_paths(|sender, paths| {
        for seq in [10, 11] {
            let choice = Choice { seq, bytes: 1040, again: false };
            sender.send_ahead(paths, ms(0), B, choice, 0);
        }
        sender.begin_split(paths);
    });
    (1..10).for_each(|echo| ack(&mut sender, u64::from(echo) + 1, echo));
    assert_eq!((sender.una(), sender.in_flight_elsewhere()), (10, 2));
    ack(&mut sender, 12, 11);
    assert_eq!((sender.una(), sender.in_flight_elsewhere()), (12, 0));
}

/// 0 was only late: no packet that was sent after the loss has arrived.
#[test]
fn the_end_of_a_split_ends_an_episode() {
    let mut sender = ten(Recovery::Sack, &Source::Greedy);
    let told = Told::new(10.0);
    sender.conn.path.controller = told.boxed();
    sender.with_paths(Sender::begin_split);
    for echo_tx in 1..4 {
        let mut sack = SackBlocks::default();
        sack[0] = SackBlock { offset: 1, len: echo_tx };
        let info = AckInfo { ack: 0, echo_tx, echo_sent_at: ms(0), ecn_flags: 0, sack };
        sender.on_ack(ms(100), &info);
    }
    assert_eq!((sender.counts().recoveries, told.log().recovered), (1, 0));
    ack(&mut sender, 10, 0);
    assert!(look(&mut sender, |paths| !paths.is_split()));
    assert_eq!(told.log().recovered, 1);
}

/// 0 and 5 were lost, and the others arrived, of which duplicates told no number.
#[test]
fn a_recovery_that_a_split_interrupts_repairs_one_hole_at_a_time() {
    let mut sender = ten(Recovery::NewReno, &Source::Greedy);
    [1, 2, 3, 4, 6, 7, 8, 9].into_iter().for_each(|echo| ack(&mut sender, 0, echo));
    let sends = |sender: &mut Sender, expected: u64| {
        let out = sender.poll_send(ms(100));
        assert!(matches!(out, Some(Outgoing::Data { seq, .. }) if seq == expected), "{out:?}");
    };
    sends(&mut sender, 0);
    ack(&mut sender, 5, 10);
    sends(&mut sender, 5);
    sender.with_paths(Sender::begin_split);
    sender.conn.path.controller = Told::new(30.0).boxed();
    (10..13).for_each(|seq| sends(&mut sender, seq));
    // The third packet after 5 has overtaken it.
    ack(&mut sender, 5, 14);
    assert_eq!(sender.conn.board.waiting(), 1);
    sends(&mut sender, 5);
}

/// ACKs of probes do not say in which order they came.
#[test]
fn marks_are_read_from_acks_of_data_only() {
    let mut sender = ten(Recovery::Sack, &Source::Greedy);
    sender.ecn = EcnSender::new(EcnMode::Accurate, MarkResponse::Classic);
    let told = Told::new(10.0);
    sender.conn.path.controller = told.boxed();
    sender.with_paths(Sender::begin_split);
    // ACE counts from 5.
    let (sack, ecn_flags) = (SackBlocks::default(), 6);
    let info = |ack| AckInfo { ack, echo_tx: 0, echo_sent_at: ms(0), ecn_flags, sack };
    sender.on_probe_ack(ms(100), &info(1));
    assert_eq!((sender.una(), told.log().marked), (1, 0));
    sender.on_ack(ms(100), &info(2));
    assert_eq!((sender.una(), told.log().marked), (2, 1));
}

/// Two of ten have arrived, as duplicates tell.
#[test]
fn a_timeout_of_the_only_path_counts_what_has_not_arrived() {
    let mut sender = ten(Recovery::NewReno, &Source::Greedy);
    let told = Told::new(10.0);
    sender.conn.path.controller = told.boxed();
    [1, 2].into_iter().for_each(|echo| ack(&mut sender, 0, echo));
    let due = sender.next_timer(ms(100));
    sender.on_timer(due);
    assert_eq!(told.log().timeouts, [8]);
}
