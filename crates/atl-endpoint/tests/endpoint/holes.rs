//! What a packet costs must not grow with the number of holes before it: a window of 1e5 packets that loses 5 % has five
//! thousand.

use std::time::Instant;

use atl_core::time::Time;
use atl_endpoint::tcp::{Arrival, Receiver};

/// Processor time of this thread in ns, where the system reports it; elsewhere, elapsed time.
#[expect(clippy::disallowed_methods, reason = "it measures what a call costs")]
fn clock(origin: Option<Instant>) -> (Instant, u64) {
    let origin = origin.unwrap_or_else(Instant::now);
    let used = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let used = used.and_then(|text| text.split_whitespace().next()?.parse().ok());
    (origin, used.unwrap_or_else(|| origin.elapsed().as_nanos() as u64))
}

/// The cost of a thousand packets behind this many holes, in ns: the least of five measurements.
fn cost(holes: u64) -> u64 {
    let mut receiver = Receiver::new(true, None);
    let mut take = |seq: u64| {
        let arrival = Arrival { seq, tx: seq as u32, sent_at: Time::ZERO };
        assert!(receiver.on_segment(Time::ZERO, arrival).is_some());
    };
    (0..holes).for_each(|hole| take(2 * hole + 1));
    let mut seq = 2 * holes;
    let rounds = (0..5).map(|_| {
        let (origin, before) = clock(None);
        for _ in 0..1_000 {
            take(seq);
            seq += 1;
        }
        clock(Some(origin)).1 - before
    });
    rounds.min().unwrap_or(u64::MAX)
}

#[test]
fn a_packet_behind_many_holes_costs_no_more_than_behind_a_few() {
    let (few, many) = (cost(30), cost(30_000));
    assert!(many < 10 * few.max(50_000), "{few} and {many} ns per thousand packets");
}
