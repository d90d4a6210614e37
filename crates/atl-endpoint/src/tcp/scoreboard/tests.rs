use super::*;
use crate::options::SackBlock;

fn sent(n: u64) -> Scoreboard {
    let mut board = Scoreboard::default();
    for tx in 0..n {
        board.push(Time::from_millis(tx), tx);
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
