//! Snoop from a wireless source, packet by packet: the access point that asks, and the mobile that
//! repairs.

use crate::support::agent::{ack, blocks, data};
use atl_core::time::Time;
use atl_engine::setup::Snoop;
use atl_sim::agent::snoop::{Mobile, Request, Verdict, Watcher};

use Verdict::{Pass, Suppress};

fn at(ms: u64) -> Time {
    Time::from_millis(ms)
}

fn come(watcher: &mut Watcher, ms: u64, seq: u64, tx: u64) -> Option<Request> {
    let number = watcher.on_data(at(ms), &data(seq, tx, at(0)))?;
    watcher.take_request(number)
}

fn request(newest_tx: u32, missing: &[u64], urgent: bool) -> Request {
    Request { newest_tx, missing: missing.to_vec(), urgent }
}

#[test]
fn a_gap_is_a_loss_at_once_and_requested_until_it_is_filled() {
    let mut watcher = Watcher::new(&Snoop::default());
    assert_eq!(come(&mut watcher, 0, 0, 0), None);
    assert_eq!(come(&mut watcher, 1, 2, 2), Some(request(2, &[1], false)));
    assert_eq!(come(&mut watcher, 2, 5, 5), Some(request(5, &[1, 3, 4], false)));
    // 3 comes, so that the copy of 1 that was sent before it is lost: the mobile is told what came.
    assert_eq!(come(&mut watcher, 22, 3, 3), Some(request(3, &[1, 4], false)));
    assert_eq!(come(&mut watcher, 23, 4, 4), Some(request(4, &[1], false)));
    assert_eq!(come(&mut watcher, 43, 1, 1), None);
    assert_eq!((watcher.missing(), watcher.next_timer()), (0, Time::MAX));
}

#[test]
fn an_ack_that_passes_ends_the_wait() {
    let mut watcher = Watcher::new(&Snoop::default());
    come(&mut watcher, 0, 4, 4);
    assert_eq!(watcher.missing(), 4);
    watcher.on_ack(at(1), &ack(3, 0));
    assert_eq!(watcher.missing(), 1);
    watcher.on_ack(at(2), &ack(5, 0));
    assert_eq!((watcher.missing(), watcher.next_timer()), (0, Time::MAX));
}

#[test]
fn after_silence_it_requests_urgently_backs_off_and_gives_up() {
    let mut watcher = Watcher::new(&Snoop::default());
    // A sample of 30 ms: the least timeout, 100 ms, holds.
    come(&mut watcher, 0, 1, 1);
    come(&mut watcher, 30, 0, 0);
    come(&mut watcher, 40, 3, 3);
    let mut waits = Vec::new();
    let mut last = at(40);
    while watcher.next_timer() < Time::MAX {
        let due = watcher.next_timer();
        assert_eq!(watcher.on_timer(Time::from_nanos(due.nanos() - 1)), None);
        waits.push(due.since(last).nanos() / 1_000_000);
        if let Some(number) = watcher.on_timer(due) {
            assert_eq!(watcher.take_request(number), Some(request(3, &[2], true)));
        }
        last = due;
        assert!(waits.len() < 20, "it goes on for ever: {waits:?}");
    }
    assert_eq!(waits, [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 51_200, 60_000]);
    assert_eq!(watcher.missing(), 0);
}

#[test]
fn a_lost_request_is_passed_over() {
    let mut watcher = Watcher::new(&Snoop::default());
    let lost = watcher.on_data(at(0), &data(1, 1, at(0))).expect("a request");
    let comes = watcher.on_data(at(1), &data(2, 2, at(0))).expect("a request");
    assert_eq!(watcher.take_request(comes), Some(request(2, &[0], false)));
    assert_eq!(watcher.take_request(lost), None);
    let next = watcher.on_data(at(2), &data(3, 3, at(0))).expect("a request");
    assert_eq!(watcher.take_request(lost), None);
    assert_eq!(watcher.take_request(next), Some(request(3, &[0], false)));
}

#[test]
fn it_tracks_no_more_than_its_window() {
    let mut watcher = Watcher::new(&Snoop { window: 8, ..Snoop::default() });
    let asked = come(&mut watcher, 0, 1_000_000, 0).expect("a request");
    assert_eq!(asked.missing, (0..8).collect::<Vec<u64>>());
    assert_eq!(watcher.missing(), 8);
    // Nobody takes the requests: it remembers as many at most, the newest ones.
    let numbers: Vec<u32> =
        (1..50).filter_map(|n| watcher.on_data(at(n), &data(1_000_000 + n, n, at(0)))).collect();
    assert_eq!(watcher.take_request(numbers[numbers.len() - 9]), None);
    assert!(watcher.take_request(numbers[numbers.len() - 8]).is_some());
}

#[test]
fn the_low_half_wraps() {
    let mut watcher = Watcher::new(&Snoop::default());
    let wrap = 1u64 << 32;
    for seq in [1u64 << 30, 1 << 31, 3 << 30, wrap - 2] {
        come(&mut watcher, 0, seq, seq);
        watcher.on_ack(at(0), &ack(seq + 1, seq));
    }
    let asked = come(&mut watcher, 1, wrap + 1, wrap + 1).expect("a request");
    assert_eq!(asked.missing, [wrap - 1, wrap]);
    assert_eq!(come(&mut watcher, 2, wrap - 1, wrap - 1).expect("one is left").missing, [wrap]);
    watcher.on_ack(at(3), &ack(wrap + 1, 0));
    assert_eq!(watcher.missing(), 0);
}

/// A mobile that has sent segments `0..n`, each in the transmission of its own number.
fn sent(n: u64) -> Mobile {
    let mut mobile = Mobile::new(&Snoop::default());
    for seq in 0..n {
        mobile.on_data(at(seq), &data(seq, seq, at(seq)));
    }
    mobile
}

fn copies(mobile: &mut Mobile) -> Vec<u32> {
    std::iter::from_fn(|| mobile.poll_copy()).map(|p| p.seq).collect()
}

fn hear(mobile: &mut Mobile, number: u64, echo: u64, list: &[(u32, u32)]) -> (Verdict, usize) {
    let mut sack = blocks(list);
    let verdict = mobile.on_ack(&ack(number, echo), &mut sack);
    (verdict, sack.iter().filter(|b| b.len > 0).count())
}

#[test]
fn the_mobile_repairs_what_is_missing_once() {
    let mut mobile = sent(6);
    mobile.on_request(at(20), &request(2, &[1], false));
    assert_eq!(copies(&mut mobile), [1]);
    // Asked again before the copy could come.
    mobile.on_request(at(21), &request(3, &[1], false));
    mobile.on_request(at(22), &request(5, &[1, 4], false));
    assert_eq!(copies(&mut mobile), [4]);
    // A packet sent after the copy of 1 has come, and 1 is still missing: the copy is lost. That of
    // 4 may still be under way.
    mobile.on_request(at(40), &request(4, &[1], false));
    assert_eq!(copies(&mut mobile), [1]);
}

#[test]
fn packets_sent_after_the_newest_arrival_are_under_way() {
    let mut mobile = sent(6);
    mobile.on_request(at(20), &request(2, &[1, 4], false));
    assert_eq!(copies(&mut mobile), [1]);
    mobile.on_request(at(500), &request(2, &[1, 4], true));
    assert_eq!(copies(&mut mobile), [1, 4]);
}

#[test]
fn drops_of_its_own_queue_are_left_to_tcp() {
    let mut mobile = Mobile::new(&Snoop::default());
    for seq in [0, 2, 3, 4] {
        mobile.on_data(at(seq), &data(seq, seq, at(seq)));
    }
    mobile.on_request(at(20), &request(2, &[1], false));
    assert_eq!(copies(&mut mobile), [0_u32; 0]);
    assert_eq!(hear(&mut mobile, 1, 2, &[(1, 1)]), (Pass, 1));
    assert_eq!(hear(&mut mobile, 1, 4, &[(1, 3)]), (Pass, 1));
}

#[test]
fn duplicates_of_a_repaired_packet_do_not_reach_tcp() {
    let mut mobile = sent(6);
    mobile.on_request(at(20), &request(2, &[1], false));
    assert_eq!(hear(&mut mobile, 1, 0, &[]), (Pass, 0));
    for echo in 2..6 {
        assert_eq!(hear(&mut mobile, 1, echo, &[(1, echo as u32 - 1)]), (Suppress, 0));
    }
    assert_eq!(hear(&mut mobile, 6, 1, &[]), (Pass, 0));
    assert_eq!(mobile.kept(), 0);
}

#[test]
fn a_copy_lost_beyond_the_access_point_is_left_to_the_sender() {
    let mut mobile = sent(3);
    mobile.on_request(at(20), &request(2, &[1], false));
    mobile.on_data(at(21), &data(3, 3, at(21)));
    assert_eq!(hear(&mut mobile, 1, 0, &[]), (Pass, 0));
    assert_eq!(hear(&mut mobile, 1, 2, &[(1, 1)]), (Suppress, 0));
    // 3 was sent after the copy of 1. It is with the receiver, and the access point misses nothing.
    assert_eq!(hear(&mut mobile, 1, 3, &[(1, 2)]), (Pass, 1));
}

#[test]
fn a_loss_that_was_not_requested_is_left_to_the_sender() {
    let mut mobile = sent(5);
    for echo in 1..5 {
        assert_eq!(hear(&mut mobile, 0, echo, &[(1, echo as u32)]), (Pass, 1));
    }
    assert_eq!(copies(&mut mobile), [0_u32; 0]);
}

#[test]
fn the_mobile_keeps_no_more_than_its_window() {
    let mut mobile = Mobile::new(&Snoop { window: 10, ..Snoop::default() });
    for seq in 0..50 {
        mobile.on_data(at(seq), &data(seq, seq, at(seq)));
        assert!(mobile.kept() <= 10);
    }
    mobile.on_request(at(60), &request(49, &(0..50).collect::<Vec<_>>(), true));
    assert_eq!(copies(&mut mobile), (0..10).collect::<Vec<u32>>());
}
