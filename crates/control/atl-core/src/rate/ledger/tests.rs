use super::*;

fn ms(ms: u64) -> Time {
    Time::from_millis(ms)
}

fn ledger(packets: u64) -> Ledger {
    let mut ledger = Ledger::new();
    for seq in 0..packets {
        assert_eq!(ledger.on_sent(ms(seq), false), seq);
    }
    ledger
}

fn lost(ledger: &Ledger) -> Vec<(u64, bool)> {
    let feedback = ledger.feedback(ms(0), None, None, None);
    feedback.losses.iter().map(|l| (l.seq, l.link_failure)).collect()
}

fn marked(ledger: &Ledger) -> Vec<(u64, bool)> {
    let feedback = ledger.feedback(ms(0), None, None, None);
    feedback.losses.iter().map(|l| (l.seq, l.marked)).collect()
}

/// A report that also tells of marks.
fn marking(highest: u64, received: u64, marked: u64) -> Report {
    Report::default().highest(highest).received(received).marked(marked)
}

#[test]
fn a_round_trip_time_that_is_known_counts_as_the_first() {
    assert_eq!(Ledger::new().rtt().srtt(), None);
    let mut l = Ledger::new().with_rtt(Span::from_millis(100));
    assert_eq!(l.rtt().srtt(), Some(Span::from_millis(100)));
    l.on_sent(ms(0), false);
    l.on_ack(ms(180), 0, ms(0), 0);
    // An eighth of the way to 180 ms.
    assert_eq!(l.rtt().srtt(), Some(Span::from_millis(110)));
}

#[test]
fn a_gap_of_three_is_a_loss_but_a_lost_ack_is_not() {
    let mut l = ledger(10);
    l.on_link_failure(1);
    l.on_ack(ms(100), 0, ms(0), 0);
    // 2 arrived but its ACK was lost; 1 is missing.
    l.on_ack(ms(103), 3, ms(3), 0b101);
    assert_eq!(l.delivered, 3);
    assert_eq!(lost(&l), []);
    l.on_ack(ms(104), 4, ms(4), 0b1011);
    assert_eq!(lost(&l), [(1, true)]);
    l.clear_feedback();
    l.on_ack(ms(109), 9, ms(9), 0);
    assert_eq!(lost(&l), [(5, false), (6, false)]);
    assert_eq!((l.delivered, l.in_flight()), (1, 3));
    assert_eq!(l.rtt().srtt(), Some(Span::from_millis(100)));
}

/// rfc8888 3.1: Feedback tells of each packet whether it was marked, and a later one repeats
/// it: a mark is known although the ACK of its packet is lost.
#[test]
fn an_ack_tells_the_marks_of_the_packets_before_it() {
    let mut l = ledger(10);
    l.on_marks(0, 0b1);
    l.on_ack(ms(100), 0, ms(0), 0);
    assert_eq!((marked(&l), l.delivered), (vec![(0, true)], 0));
    l.clear_feedback();
    // 1 and 3 were marked, their ACKs are lost; 2 is missing.
    l.on_marks(4, 0b11010);
    l.on_ack(ms(104), 4, ms(4), 0b1101);
    assert_eq!((marked(&l), l.delivered), (vec![(1, true), (3, true)], 1));
    l.clear_feedback();
    // The marks again, with a new one, and the loss that comes to light is put before it.
    l.on_marks(5, 0b110101);
    l.on_ack(ms(105), 5, ms(5), 0b11011);
    assert_eq!((marked(&l), l.delivered), (vec![(2, false), (5, true)], 0));
    l.clear_feedback();
    for seq in [10, u64::MAX] {
        l.on_marks(seq, 1);
        l.on_ack(ms(106), seq, ms(0), 0);
    }
    assert_eq!((marked(&l), l.delivered, l.in_flight()), (vec![], 0, 4));
}

/// rfc6679 5.1: A report counts the packets that arrived marked since the start.
#[test]
fn a_report_spreads_the_marks_over_the_packets_that_arrived() {
    let mut l = ledger(20);
    // Of 10 packets 8 arrived, 2 of them marked.
    l.on_report(ms(117), &marking(9, 8, 2));
    assert_eq!(marked(&l), [(3, true), (4, false), (8, true), (9, false)]);
    l.clear_feedback();
    // The same again, then no new mark among the next five, then all five.
    l.on_report(ms(118), &marking(9, 8, 2));
    l.on_report(ms(119), &marking(14, 13, 2));
    assert_eq!((marked(&l), l.delivered), (vec![], 5));
    l.clear_feedback();
    l.on_report(ms(120), &marking(19, 18, 99));
    assert_eq!((marked(&l).iter().filter(|l| l.1).count(), l.delivered), (5, 0));
}

#[test]
fn numbers_that_were_never_sent_change_nothing() {
    let mut l = ledger(2);
    l.on_ack(ms(5), 7, ms(0), u32::MAX);
    l.on_report(ms(5), &Report { highest: 9, received: 4, ..Report::default() });
    l.on_link_failure(99);
    assert_eq!((l.in_flight(), l.rtt().srtt()), (2, None));
}

#[test]
fn a_report_spreads_the_losses_that_it_does_not_name() {
    let mut l = ledger(10);
    l.on_link_failure(4);
    let report = Report {
        highest: 7,
        received: 5,
        echo: ms(7),
        held: Span::from_millis(10),
        ..Report::default()
    };
    l.on_report(ms(117), &report);
    // 8 packets, 3 lost: the marked one and two of the seven others.
    assert_eq!(lost(&l), [(3, false), (4, true), (7, false)]);
    assert_eq!((l.delivered, l.in_flight()), (5, 2));
    assert_eq!(l.rtt().srtt(), Some(Span::from_millis(100)));
    l.clear_feedback();
    // The same report again: nothing new.
    l.on_report(ms(118), &report);
    assert_eq!((lost(&l).len(), l.delivered, l.in_flight()), (0, 0, 2));
    l.on_report(ms(119), &Report { highest: 9, received: 7, ..report });
    assert_eq!((lost(&l).len(), l.delivered, l.in_flight()), (0, 2, 0));
}

/// The MAC gave up two, and one of these arrived after all.
#[test]
fn no_more_packets_are_lost_than_a_report_says() {
    let mut l = ledger(4);
    l.on_link_failure(1);
    l.on_link_failure(2);
    l.on_report(ms(100), &Report { highest: 3, received: 3, ..Report::default() });
    assert_eq!((lost(&l), l.delivered), (vec![(1, true)], 3));
}

#[test]
fn memory_is_bounded_without_any_feedback() {
    let one_more = ledger(MOST_IN_FLIGHT as u64 + 1);
    assert_eq!((lost(&one_more).len(), one_more.in_flight() as usize), (1, MOST_IN_FLIGHT));
    let mut l = ledger(MOST_IN_FLIGHT as u64 + 10);
    assert_eq!(l.in_flight() as usize, MOST_IN_FLIGHT);
    assert_eq!(lost(&l).len(), 10);
    l.on_ack(ms(1), 12, ms(0), 0);
    assert_eq!(l.in_flight() as usize, MOST_IN_FLIGHT);
    for _ in 0..2 * MOST_IN_FLIGHT {
        l.on_sent(ms(2), false);
    }
    assert_eq!((lost(&l).len(), l.entries.len()), (MOST_IN_FLIGHT, MOST_IN_FLIGHT));
    l.on_marks(3 * MOST_IN_FLIGHT as u64 + 9, 1);
    assert_eq!(marked(&l).len(), MOST_IN_FLIGHT, "a mark has no room either");
}

#[test]
fn packets_before_the_first_that_arrives_are_lost() {
    let report = Report { highest: 4, received: 3, ..Report::default() };
    let mut l = ledger(6);
    l.on_report(ms(100), &report);
    assert_eq!((lost(&l).len(), l.delivered, l.in_flight()), (2, 3, 1));
    let mut l = ledger(6);
    l.on_ack(ms(100), 4, ms(4), 0b11);
    assert_eq!(lost(&l), [(0, false), (1, false)]);
}

#[test]
fn late_packets_and_duplicates_hide_no_later_loss() {
    let mut l = ledger(30);
    let report = |highest, received| Report { highest, received, ..Report::default() };
    l.on_report(ms(100), &report(9, 8));
    assert_eq!(lost(&l).len(), 2);
    // The two arrive late, and the receiver reports it.
    l.on_report(ms(110), &report(9, 10));
    l.on_report(ms(120), &report(19, 18));
    assert_eq!(lost(&l).len(), 4);
    // Five duplicates count for their own stretch only.
    l.on_report(ms(130), &report(24, 28));
    l.on_report(ms(140), &report(29, 31));
    assert_eq!((lost(&l).len(), l.in_flight()), (6, 0));
    // An old report has no effect.
    l.on_report(ms(150), &report(19, 18));
    assert_eq!((lost(&l).len(), l.received), (6, 31));
}

#[test]
fn a_receiver_that_restarts_its_count_is_believed() {
    let mut l = ledger(30);
    let report = |highest, received| Report { highest, received, ..Report::default() };
    l.on_report(ms(100), &report(9, u64::MAX));
    l.on_report(ms(110), &report(19, 8));
    assert_eq!((l.delivered, lost(&l).len()), (18, 2));
    l.on_report(ms(120), &report(29, 18));
    assert_eq!((l.delivered, lost(&l).len()), (28, 2));
}

#[test]
fn a_packet_is_delivered_once_however_it_is_reported() {
    let mut l = ledger(10);
    // 8 may still arrive: it and 9 are left.
    l.on_ack(ms(100), 9, ms(9), 0b10);
    assert_eq!((l.delivered, lost(&l).len(), l.in_flight()), (2, 7, 2));
    l.on_ack(ms(101), 9, ms(9), 0b10);
    assert_eq!((l.delivered, lost(&l).len(), l.in_flight()), (2, 7, 2));
    l.on_report(ms(102), &Report { highest: 9, received: 10, ..Report::default() });
    assert_eq!((l.delivered, lost(&l).len(), l.in_flight()), (3, 7, 0));
    l.on_ack(ms(103), 2, ms(2), u32::MAX);
    assert_eq!((l.delivered, lost(&l).len(), l.in_flight()), (3, 7, 0));
}

#[test]
fn a_send_time_in_the_future_gives_no_sample() {
    let mut l = ledger(2);
    assert_eq!(l.on_ack(ms(5), 1, ms(6), 0), Some(Span::ZERO));
    assert_eq!((l.rtt().srtt(), l.delivered), (None, 1));
}

/// Fewer packets than an earlier report of as many numbers told of: the later one came first.
#[test]
fn a_report_that_was_overtaken_takes_nothing_back() {
    let mut l = ledger(20);
    l.on_report(ms(100), &marking(9, 10, 3));
    l.clear_feedback();
    l.on_report(ms(101), &marking(9, 8, 1));
    // Nine more of ten, and two more marks.
    l.on_report(ms(120), &marking(19, 19, 5));
    let lost: Vec<bool> = marked(&l).iter().map(|l| l.1).collect();
    assert_eq!((lost.iter().filter(|l| **l).count(), lost.len(), l.delivered), (2, 3, 7));
}

#[test]
fn a_mask_tells_of_thirty_two_packets() {
    let mut l = ledger(40);
    l.on_ack(ms(100), 33, ms(33), u32::MAX);
    assert_eq!((lost(&l), l.delivered), (vec![(0, false)], 33));
    let mut l = ledger(40);
    l.on_ack(ms(100), 33, ms(33), u32::MAX >> 1);
    assert_eq!((lost(&l), l.delivered), (vec![(0, false), (1, false)], 32));
    // No packet comes before packet 0.
    let mut l = ledger(40);
    l.on_ack(ms(100), 2, ms(2), u32::MAX);
    assert_eq!((lost(&l), l.delivered, l.in_flight()), (vec![], 3, 37));
}

#[test]
fn a_single_packet_without_more_to_send_limits_the_sender() {
    let limited = |l: &Ledger| l.feedback(ms(0), None, None, None).rate_limited;
    let mut l = ledger(3);
    assert!(limited(&l));
    l.on_sent(ms(3), true);
    l.on_sent(ms(4), false);
    assert!(!limited(&l));
    l.clear_feedback();
    assert!(limited(&l));
}

/// The MAC gave one of them up, and it arrived marked all the same: it was not lost there.
#[test]
fn a_marked_packet_is_no_link_failure() {
    let mut l = ledger(2);
    l.on_link_failure(1);
    l.on_report(ms(100), &Report::default().highest(1).received(2).marked(2));
    assert_eq!(marked(&l), [(0, true), (1, true)]);
    assert_eq!(lost(&l), [(0, false), (1, false)]);
}
