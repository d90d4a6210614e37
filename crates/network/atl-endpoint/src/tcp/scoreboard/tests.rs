mod model;

use proptest::prelude::*;

use super::*;
use crate::options::SackBlock;

fn sent(n: u64) -> Scoreboard {
    let mut board = Scoreboard::default();
    for tx in 0..n {
        board.push(Time::from_millis(tx), tx, 1000);
    }
    board
}

fn block(offset: u32, len: u32) -> SackBlocks {
    [SackBlock { offset, len }, SackBlock::default(), SackBlock::default()]
}

fn lost(board: &mut Scoreboard) -> Vec<u64> {
    let mut txs = Vec::new();
    board.find_lost(|l| txs.push(l.tx));
    txs
}

#[test]
fn a_hole_is_lost_once_three_segments_above_it_arrived() {
    let mut board = sent(10);
    assert_eq!(board.select(0, &block(1, 2)), 2);
    assert_eq!(lost(&mut board), []);
    assert_eq!(board.select(0, &block(1, 3)), 1);
    assert_eq!(lost(&mut board), [0]);
    // 10 sent, 3 arrived, 1 lost.
    assert_eq!(board.pipe(), 6);
    assert_eq!(lost(&mut board), []);
    board.check();
}

#[test]
fn each_hole_is_lost_when_three_segments_above_it_arrived() {
    let mut board = sent(10);
    let blocks =
        [SackBlock { offset: 5, len: 2 }, SackBlock { offset: 1, len: 2 }, SackBlock::default()];
    assert_eq!(board.select(0, &blocks), 4);
    // Above segment 0, 1, 2, 5 and 6 arrived; above 3 and 4 only 5 and 6.
    assert_eq!(lost(&mut board), [0]);
    assert_eq!(board.select(0, &block(5, 3)), 1);
    assert_eq!(lost(&mut board), [3, 4]);
    board.check();
}

#[test]
fn a_retransmission_counts_in_the_pipe_until_it_arrives() {
    let mut board = sent(5);
    board.select(0, &block(1, 4));
    assert_eq!(lost(&mut board), [0]);
    assert_eq!(board.pipe(), 0);
    assert_eq!(board.next_lost(), Some(0));
    board.resend(0, Time::from_millis(50), 5);
    assert_eq!((board.pipe(), board.next_lost()), (1, None));
    assert_eq!(board.acknowledge(5), 1);
    assert_eq!((board.pipe(), board.is_empty()), (0, true));
    board.check();
}

#[test]
fn a_timeout_spares_recent_transmissions() {
    let mut board = sent(6);
    board.select(0, &block(1, 1));
    let mut txs = Vec::new();
    board.expire(Time::from_millis(3), |l| txs.push(l.tx));
    assert_eq!(txs, [0, 2, 3]);
    assert_eq!(board.pipe(), 2);
    assert_eq!(board.next_lost(), Some(0));
    board.check();
}

#[test]
fn a_link_failure_marks_only_the_failed_transmission() {
    let mut board = sent(5);
    board.link_failed(0, 0);
    board.link_failed(1, 77);
    board.select(0, &block(2, 3));
    let mut marks = Vec::new();
    board.find_lost(|l| marks.push(l.link_failed));
    assert_eq!(marks, [true, false]);
}

/// An action of the sender, or the contents of an ACK.
#[derive(Clone, Debug)]
enum Step {
    Send(u64),
    /// Blocks of these offsets and lengths.
    Select(Vec<(u32, u32)>),
    Acknowledge(u64),
    /// Looks for losses, and resends this many segments.
    Resend(u32),
    /// A retransmission counts as lost (RACK).
    Lose(u64),
    Expire,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => (1u64..20).prop_map(Step::Send),
        6 => prop::collection::vec((1u32..80, 1u32..12), 1..=3).prop_map(Step::Select),
        2 => (0u64..12).prop_map(Step::Acknowledge),
        4 => (0u32..6).prop_map(Step::Resend),
        2 => (0u64..80).prop_map(Step::Lose),
        1 => Just(Step::Expire),
    ];
    prop::collection::vec(step, 1..120)
}

proptest! {
    /// Skipping changes nothing: losses, retransmissions and unproven segments are those that a
    /// walk finds.
    #[test]
    fn shortcuts_find_what_a_walk_over_all_segments_finds(steps in steps()) {
        let mut board = Scoreboard::default();
        let (mut tx, mut now) = (0, 0);
        for step in steps {
            now += 1;
            let at = |board: &Scoreboard, seq: u64| board.segments[(seq - board.una) as usize].flags;
            let all = |board: &Scoreboard| board.una..board.next();
            match step {
                Step::Send(n) => {
                    for _ in 0..n {
                        board.push(Time::from_millis(now), tx, 1000);
                        tx += 1;
                    }
                }
                Step::Select(list) => {
                    let mut blocks = SackBlocks::default();
                    for (block, (offset, len)) in blocks.iter_mut().zip(list) {
                        *block = SackBlock { offset, len };
                    }
                    let marked: Vec<u64> = all(&board)
                        .filter(|&seq| at(&board, seq) & SACKED != 0
                            || blocks.iter().any(|b| {
                                let first = board.una + u64::from(b.offset);
                                first <= seq && seq < first + u64::from(b.len)
                            }))
                        .collect();
                    board.select(board.una, &blocks);
                    let now: Vec<u64> = all(&board).filter(|&s| at(&board, s) & SACKED != 0).collect();
                    prop_assert_eq!(now, marked);
                }
                Step::Acknowledge(n) => {
                    let to = (board.una + n).min(board.next());
                    board.acknowledge(to);
                }
                Step::Resend(n) => {
                    let lost = |seq: u64| {
                        let above = (seq + 1..board.next()).filter(|&s| at(&board, s) & SACKED != 0);
                        at(&board, seq) & (SACKED | LOST) == 0 && above.count() >= 3
                    };
                    let walk: Vec<u64> = all(&board).filter(|&seq| lost(seq)).collect();
                    let mut found = Vec::new();
                    board.find_lost(|l| found.push(l.seq));
                    prop_assert_eq!(found, walk);
                    for _ in 0..n {
                        let waits = |&seq: &u64| at(&board, seq) & (LOST | RESENT) == LOST;
                        let walk = all(&board).find(waits);
                        let next = board.next_lost();
                        prop_assert_eq!(next, walk);
                        let Some(seq) = next else { break };
                        board.resend(seq, Time::from_millis(now), tx);
                        tx += 1;
                    }
                    let walk = (board.resent_end.max(board.una)..board.sacked_end.min(board.next()))
                        .find(|&seq| at(&board, seq) & (SACKED | LOST) == 0);
                    prop_assert_eq!(board.next_unproven(), walk);
                }
                Step::Lose(ahead) => {
                    let seq = board.una + ahead;
                    if seq < board.next() && at(&board, seq) & RESENT != 0 {
                        board.lose(seq);
                    }
                }
                Step::Expire => board.expire(Time::from_millis(now), |_| {}),
            }
            board.check();
        }
    }
}

/// Around each place where a half wraps, every number that a low half can tell apart is found
/// again, and one that is above all that was sent is no reason to stop.
#[test]
fn a_low_half_is_that_of_something_sent_or_of_the_first() {
    for place in [0_u64, 1 << 32, 1 << 33, 1 << 62] {
        for newest in place.saturating_sub(40)..=place + 40 {
            let least = newest.saturating_sub(u64::from(u32::MAX));
            let near = |at: u64| at..=newest.min(at + 40);
            for tx in near(least).chain(near(newest.saturating_sub(40).max(least))) {
                assert_eq!(full(newest, tx as u32), tx, "{newest}");
            }
            let made_up = full(newest, (newest as u32).wrapping_add(1));
            assert_eq!(made_up, least, "{newest}: the oldest with this half, or none");
        }
    }
}
