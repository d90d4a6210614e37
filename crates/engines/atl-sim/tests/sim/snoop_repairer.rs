//! Snoop to a wireless receiver, packet by packet, against sequences worked out by hand.

use crate::support::agent::{ack, blocks, data};
use atl_core::time::{Span, Time};
use atl_engine::setup::Snoop;
use atl_sim::Packet;
use atl_sim::agent::snoop::{Repairer, Verdict};

use Verdict::{Pass, Suppress};

fn at(ms: u64) -> Time {
    Time::from_millis(ms)
}

/// An agent that has seen segments `from..to` pass, each in the transmission of its own number, one
/// each ms.
fn seen(from: u64, to: u64) -> Repairer {
    let mut agent = Repairer::new(&Snoop::default());
    for seq in from..to {
        agent.on_data(at(seq), &data(seq, seq, at(seq)));
    }
    agent
}

/// The copies that it wants to send.
fn copies(agent: &mut Repairer) -> Vec<u32> {
    std::iter::from_fn(|| agent.poll_copy()).map(|p| p.seq).collect()
}

/// Hands it an ACK with the blocks; what becomes of it, the copies, and the blocks that are left.
fn hear(
    agent: &mut Repairer,
    ms: u64,
    number: u64,
    echo: u64,
    list: &[(u32, u32)],
) -> (Verdict, Vec<u32>, Vec<(u32, u32)>) {
    let mut sack = blocks(list);
    let verdict = agent.on_ack(at(ms), &ack(number, echo), &mut sack);
    let left = sack.iter().filter(|b| b.len > 0).map(|b| (b.offset, b.len)).collect();
    (verdict, copies(agent), left)
}

#[test]
fn a_duplicate_ack_sets_off_one_copy_and_goes_no_further() {
    for sack in [true, false] {
        let mut agent = seen(0, 6);
        let above = |n: u32| if sack { vec![(1, n)] } else { vec![] };
        assert_eq!(hear(&mut agent, 20, 1, 0, &[]), (Pass, vec![], vec![]));
        // Segment 1 is lost; 2 to 5 arrive.
        assert_eq!(hear(&mut agent, 22, 1, 2, &above(1)), (Suppress, vec![1], vec![]));
        for echo in 3..6 {
            let n = echo as u32 - 1;
            assert_eq!(hear(&mut agent, 20 + echo, 1, echo, &above(n)), (Suppress, vec![], vec![]));
        }
        assert_eq!(hear(&mut agent, 45, 6, 1, &[]), (Pass, vec![], vec![]));
        assert_eq!((agent.kept(), agent.next_timer()), (0, Time::MAX));
    }
}

#[test]
fn a_lost_copy_is_found_by_what_was_sent_after_it() {
    let mut agent = seen(0, 4);
    assert_eq!(hear(&mut agent, 20, 0, 1, &[(1, 1)]).1, [0]);
    agent.on_data(at(21), &data(4, 4, at(21)));
    // 2 and 3 went onto the link before the copy, 4 after it.
    assert_eq!(hear(&mut agent, 22, 0, 2, &[(1, 2)]), (Suppress, vec![], vec![]));
    assert_eq!(hear(&mut agent, 23, 0, 3, &[(1, 3)]), (Suppress, vec![], vec![]));
    assert_eq!(hear(&mut agent, 41, 0, 4, &[(1, 4)]), (Suppress, vec![0], vec![]));
    assert_eq!(hear(&mut agent, 61, 5, 0, &[]), (Pass, vec![], vec![]));
}

#[test]
fn two_holes_are_repaired_and_the_sender_hears_of_neither() {
    let mut agent = seen(0, 6);
    // 0 and 3 are lost.
    assert_eq!(hear(&mut agent, 21, 0, 1, &[(1, 1)]), (Suppress, vec![0], vec![]));
    assert_eq!(hear(&mut agent, 22, 0, 2, &[(1, 2)]), (Suppress, vec![], vec![]));
    assert_eq!(hear(&mut agent, 24, 0, 4, &[(4, 1), (1, 2)]), (Suppress, vec![3], vec![]));
    assert_eq!(hear(&mut agent, 25, 0, 5, &[(4, 2), (1, 2)]), (Suppress, vec![], vec![]));
    // The copy of 0 arrives: news for the sender, but not that 4 and 5 are there and 3 is not.
    assert_eq!(hear(&mut agent, 41, 3, 0, &[(1, 2)]), (Pass, vec![], vec![]));
    assert_eq!(hear(&mut agent, 44, 6, 3, &[]), (Pass, vec![], vec![]));
}

#[test]
fn without_sack_a_partial_ack_shows_the_next_hole() {
    let mut agent = seen(0, 6);
    assert_eq!(hear(&mut agent, 21, 0, 1, &[]).1, [0]);
    agent.on_data(at(22), &data(6, 6, at(22)));
    assert_eq!(hear(&mut agent, 22, 0, 2, &[]), (Suppress, vec![], vec![]));
    // The echo shows that 4 is there, and so that 3 is not.
    assert_eq!(hear(&mut agent, 24, 0, 4, &[]), (Suppress, vec![3], vec![]));
    assert_eq!(hear(&mut agent, 25, 0, 5, &[]), (Suppress, vec![], vec![]));
    assert_eq!(hear(&mut agent, 41, 3, 0, &[]), (Pass, vec![], vec![]));
    // A duplicate of the next hole, which is answered already.
    assert_eq!(hear(&mut agent, 42, 3, 6, &[]), (Suppress, vec![], vec![]));
    assert_eq!(hear(&mut agent, 44, 7, 3, &[]), (Pass, vec![], vec![]));
}

#[test]
fn a_loss_ahead_of_the_access_point_is_the_senders() {
    let mut agent = Repairer::new(&Snoop::default());
    for seq in [0, 2, 3] {
        agent.on_data(at(seq), &data(seq, seq, at(seq)));
    }
    hear(&mut agent, 20, 1, 0, &[]);
    assert_eq!(hear(&mut agent, 22, 1, 2, &[(1, 1)]), (Pass, vec![], vec![(1, 1)]));
    assert_eq!(hear(&mut agent, 23, 1, 3, &[(1, 2)]), (Pass, vec![], vec![(1, 2)]));
    // The sender's own retransmission is lost on the air: repaired, but the sender may hear of it.
    agent.on_data(at(60), &data(1, 4, at(60)));
    agent.on_data(at(61), &data(4, 5, at(61)));
    assert_eq!(hear(&mut agent, 81, 1, 5, &[(1, 3)]), (Pass, vec![1], vec![(1, 3)]));
}

#[test]
fn blocks_below_the_hole_under_repair_stay() {
    let mut agent = Repairer::new(&Snoop::default());
    // 0 is lost ahead of the access point, 4 behind it.
    for seq in [1, 2, 3, 4, 5, 6] {
        agent.on_data(at(seq), &data(seq, seq, at(seq)));
    }
    for echo in 1..4 {
        let n = echo as u32;
        let heard = hear(&mut agent, 20 + echo, 0, echo, &[(1, n)]);
        assert_eq!(heard, (Pass, vec![], vec![(1, n)]));
    }
    assert_eq!(hear(&mut agent, 25, 0, 5, &[(5, 1), (1, 3)]), (Pass, vec![4], vec![(1, 3)]));
    assert_eq!(hear(&mut agent, 26, 0, 6, &[(5, 2), (1, 3)]), (Pass, vec![], vec![(1, 3)]));
    // Repaired: the whole truth.
    assert_eq!(hear(&mut agent, 45, 0, 4, &[(1, 6)]), (Pass, vec![], vec![(1, 6)]));
}

#[test]
fn the_timer_repairs_a_tail_backs_off_and_gives_up() {
    let mut agent = seen(0, 1);
    // No sample yet: a second, then doubled, a minute at most.
    let mut waits = Vec::new();
    let mut last = at(0);
    while agent.next_timer() < Time::MAX {
        let due = agent.next_timer();
        waits.push(due.since(last).nanos() / 1_000_000_000);
        agent.on_timer(due);
        last = due;
        assert!(waits.len() < 20, "it goes on for ever: {waits:?}");
    }
    assert_eq!(waits, [1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60]);
    assert_eq!(copies(&mut agent), [0; 10]);
    // Left to the sender, whose duplicates pass.
    agent.on_data(last, &data(1, 1, last));
    assert_eq!(hear(&mut agent, 500_000, 0, 1, &[(1, 1)]), (Pass, vec![], vec![(1, 1)]));
}

#[test]
fn the_timer_has_a_minimum_and_follows_the_wireless_rtt() {
    let mut agent = seen(0, 2);
    assert_eq!(hear(&mut agent, 20, 1, 0, &[]).0, Pass);
    // SRTT 20 ms, RTTVAR 10 ms: 60 ms, below the least.
    assert_eq!(agent.next_timer(), at(120));
    let slow = Snoop { min_timeout: Span::from_millis(1), ..Snoop::default() };
    let mut agent = Repairer::new(&slow);
    agent.on_data(at(0), &data(0, 0, at(0)));
    agent.on_data(at(1), &data(1, 1, at(1)));
    hear(&mut agent, 20, 1, 0, &[]);
    assert_eq!(agent.next_timer(), at(80));
    // Karn: a packet with copies measures nothing.
    agent.on_timer(at(80));
    assert_eq!(copies(&mut agent), [1]);
    hear(&mut agent, 500, 2, 1, &[]);
    agent.on_data(at(600), &data(2, 2, at(600)));
    assert_eq!(agent.next_timer(), at(660));
}

#[test]
fn a_copy_by_the_timer_proves_nothing_by_its_arrival() {
    let mut agent = seen(0, 2);
    agent.on_timer(agent.next_timer());
    assert_eq!(copies(&mut agent), [0]);
    // The ACK of 0 may be its original's: 1, sent between the two, is not lost by that.
    assert_eq!(hear(&mut agent, 1_010, 1, 0, &[]), (Pass, vec![], vec![]));
}

#[test]
fn it_keeps_no_more_than_its_window() {
    let mut agent = Repairer::new(&Snoop { window: 10, ..Snoop::default() });
    for seq in 0..50 {
        agent.on_data(at(seq), &data(seq, seq, at(seq)));
        assert!(agent.kept() <= 10);
    }
    assert_eq!(agent.kept(), 10);
    hear(&mut agent, 60, 4, 3, &[]);
    assert_eq!(agent.kept(), 6);
    // 20 passed without being kept.
    hear(&mut agent, 70, 20, 19, &[]);
    assert_eq!(hear(&mut agent, 71, 20, 21, &[(1, 1)]), (Pass, vec![], vec![(1, 1)]));
    // A place is free again: what comes now is kept.
    agent.on_data(at(80), &data(25, 99, at(80)));
    assert_eq!(agent.kept(), 1);
}

#[test]
fn a_copy_that_the_queue_drops_is_left_to_the_sender() {
    let mut agent = seen(0, 4);
    let mut sack = blocks(&[(1, 1)]);
    assert_eq!(agent.on_ack(at(20), &ack(0, 1), &mut sack), Suppress);
    let copy = agent.poll_copy().expect("a copy");
    agent.on_refused(&copy);
    assert_eq!(hear(&mut agent, 21, 0, 2, &[(1, 2)]), (Pass, vec![], vec![(1, 2)]));
}

#[test]
fn numbers_wrap_at_the_low_half() {
    let mut agent = Repairer::new(&Snoop::default());
    // To the last numbers of a low half, in steps that stay unambiguous.
    for number in [1u64 << 30, 1 << 31, 3 << 30, (1 << 32) - 3] {
        assert_eq!(hear(&mut agent, 0, number, 0, &[]).0, Pass);
    }
    let first = (1u64 << 32) - 3;
    for seq in first..first + 8 {
        agent.on_data(at(1), &data(seq, seq, at(1)));
    }
    // The one just before the wrap is lost, and the one just after.
    let echo = first + 1;
    assert_eq!(hear(&mut agent, 20, first, echo, &[(1, 1)]).1, [first as u32]);
    assert_eq!(hear(&mut agent, 21, first, first + 2, &[(1, 2)]).1, [0_u32; 0]);
    assert_eq!(hear(&mut agent, 22, first, first + 4, &[(4, 1), (1, 2)]).1, [0]);
    let after = hear(&mut agent, 40, first + 3, first, &[(1, 4)]);
    assert_eq!(after, (Pass, vec![], vec![]));
    assert_eq!(hear(&mut agent, 41, first + 8, first + 3, &[]).0, Pass);
    assert_eq!(agent.kept(), 0);
}

#[test]
fn an_ack_that_answers_no_packet_proves_nothing() {
    let mut agent = seen(0, 4);
    let mut sack = blocks(&[]);
    // A host that says something repeats its last ACK: it echoes nothing, least of all transmission
    // 0.
    let repeated = Packet { sent_at: Time::MAX, ..ack(0, 0) };
    assert_eq!(agent.on_ack(at(20), &repeated, &mut sack), Pass);
    assert_eq!((copies(&mut agent), agent.kept()), (vec![], 4));
    // 0 has not arrived.
    assert_eq!(hear(&mut agent, 21, 0, 1, &[]), (Suppress, vec![0], vec![]));
}

#[test]
fn an_old_ack_passes_as_it_is() {
    let mut agent = seen(0, 4);
    hear(&mut agent, 20, 3, 2, &[]);
    assert_eq!(hear(&mut agent, 21, 1, 0, &[(1, 1)]), (Pass, vec![], vec![(1, 1)]));
}
