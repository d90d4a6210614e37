//! FQ-CoDel: flows, turns and lists, and the requirements of RFC 8290.

use atl_core::time::{Span, Time};
use atl_link::random::Stream;
use atl_link::{
    BuildDiscipline as _, CoDel, Ecn, FqCoDel, Limit, Packet as _, QueueDiscipline, Queued,
};

use crate::support::ms;

type Queue = Box<dyn QueueDiscipline + Send>;

fn with(config: FqCoDel, packets: u32) -> Queue {
    config.build(Limit::Packets(packets), Stream::new(1, "fq"))
}

fn fq() -> Queue {
    with(FqCoDel::default(), 10_240)
}

/// Offers packets of a flow at `at`; returns the flows of those dropped.
fn offer(queue: &mut Queue, at: Time, flow: u64, packets: usize, bytes: u32) -> Vec<u64> {
    let mut dropped = Vec::new();
    for _ in 0..packets {
        queue.enqueue(at, Queued::new(at, bytes).with_flow(flow), &mut dropped);
    }
    dropped.iter().map(Queued::flow).collect()
}

/// The flows of the next packets to leave at `at`.
fn next(queue: &mut Queue, at: Time, packets: usize) -> Vec<u64> {
    let mut dropped = Vec::new();
    let flows = (0..packets).map_while(|_| queue.dequeue(at, &mut dropped)).map(|p| p.flow());
    let flows = flows.collect();
    assert_eq!(dropped, []);
    flows
}

/// rfc8290 5.2.1: The interval is 100 ms.
/// rfc8290 5.2.2: The target is 5 ms.
/// rfc8290 5.2.3: The queues hold 10 240 packets together.
/// rfc8290 5.2.4: The quantum is 1514 bytes.
/// rfc8290 5.2.5: There are 1024 queues.
#[test]
fn the_defaults_are_those_of_the_rfc() {
    let FqCoDel { codel, quantum, flows, drop_batch, memory_limit } = FqCoDel::default();
    assert_eq!(codel, CoDel::default());
    assert_eq!((codel.target, codel.interval), (Span::from_millis(5), Span::from_millis(100)));
    assert_eq!((quantum, flows, drop_batch, memory_limit), (1514, 1024, 64, None));
    assert_eq!(FqCoDel::default().usual_limit(), Some(Limit::Packets(10_240)));
    for wrong in [
        FqCoDel { quantum: 0, ..FqCoDel::default() },
        FqCoDel { flows: 0, ..FqCoDel::default() },
        FqCoDel { flows: 65_537, ..FqCoDel::default() },
        FqCoDel { drop_batch: 0, ..FqCoDel::default() },
        FqCoDel { codel: CoDel { target: Span::ZERO, ..CoDel::default() }, ..FqCoDel::default() },
    ] {
        assert!(wrong.check().is_err(), "{wrong:?}");
    }
}

/// rfc8290 4.2: Flows with packets waiting are served in turns, a quantum of bytes each.
#[test]
fn flows_take_turns_by_bytes() {
    let mut queue = fq();
    offer(&mut queue, ms(0), 1, 30, 1000);
    offer(&mut queue, ms(0), 2, 30, 500);
    // 1514 bytes: two packets of 1000, the second overdraws; four of 500.
    let flows = next(&mut queue, ms(0), 24);
    assert_eq!(flows[..6], [1, 1, 2, 2, 2, 2]);
    let bytes =
        |flow| flows.iter().filter(|one| **one == flow).count() * [0, 1000, 500][flow as usize];
    assert!(bytes(1).abs_diff(bytes(2)) <= 1514, "{flows:?}");
}

/// rfc8290 4.1: A flow that had no packets is new, and new flows are served before old ones.
#[test]
fn a_new_flow_goes_first() {
    let mut queue = fq();
    offer(&mut queue, ms(0), 1, 20, 1500);
    assert_eq!(next(&mut queue, ms(0), 3), [1, 1, 1]);
    offer(&mut queue, ms(1), 2, 1, 100);
    assert_eq!(next(&mut queue, ms(1), 3), [2, 1, 1]);
}

/// rfc8290 4.2: A new flow whose queue is empty moves behind the old ones, so that it cannot be new
/// again before they had a turn.
#[test]
fn a_new_flow_that_is_empty_waits_behind_the_old_ones() {
    let mut queue = fq();
    for flow in [1, 3, 4, 5] {
        offer(&mut queue, ms(0), flow, 20, 1500);
    }
    assert_eq!(next(&mut queue, ms(0), 8), [1, 1, 3, 3, 4, 4, 5, 5]);
    offer(&mut queue, ms(1), 2, 1, 100);
    // Flow 2 is found empty in the second call.
    assert_eq!(next(&mut queue, ms(1), 2), [2, 1]);
    offer(&mut queue, ms(1), 2, 1, 100);
    assert_eq!(next(&mut queue, ms(1), 4), [3, 4, 5, 2]);
}

/// rfc8290 4.1: Where all queues together are full, packets are dropped from the head of the queue
/// with the most bytes: half of its packets, 64 at most.
/// Deviation: half of its bytes.
/// Reason: Linux does so; where packets are equally long it is the same.
#[test]
fn a_full_queue_drops_from_the_longest_flow() {
    let mut queue = with(FqCoDel { drop_batch: 1, ..FqCoDel::default() }, 10);
    assert_eq!(offer(&mut queue, ms(0), 1, 8, 100), [0; 0]);
    assert_eq!(offer(&mut queue, ms(0), 2, 2, 1500), [0; 0]);
    assert_eq!(offer(&mut queue, ms(0), 1, 1, 100), [2], "3000 bytes of flow 2 to 900");
    assert_eq!((queue.len(), queue.bytes()), (10, 9 * 100 + 1500));
    // The batch: half of the 201 packets, at most 64.
    let mut queue = with(FqCoDel::default(), 200);
    assert_eq!(offer(&mut queue, ms(0), 1, 201, 1000), [1; 64]);
    let mut queue = with(FqCoDel::default(), 20);
    assert_eq!(offer(&mut queue, ms(0), 1, 21, 1000), [1; 11]);
}

#[test]
fn the_memory_limit_counts_bytes() {
    let config = FqCoDel { memory_limit: Some(5000), drop_batch: 1, ..FqCoDel::default() };
    let mut queue = with(config, 1000);
    assert_eq!(offer(&mut queue, ms(0), 1, 7, 1000), [1, 1]);
    assert_eq!(queue.bytes(), 5000);
}

/// rfc8290 4.1: Flows are told apart by a salted hash; flows that collide share a queue.
#[test]
fn flows_share_queues_by_their_hash() {
    // Flows that take turns with flow 0 of packets of more than a quantum do not share its queue.
    let shares = |salt: u64, flows: u32, flow: u64| {
        let config = FqCoDel { flows, ..FqCoDel::default() };
        let mut queue = config.build(Limit::Packets(100), Stream::new(salt, "fq"));
        offer(&mut queue, ms(0), 0, 2, 2000);
        offer(&mut queue, ms(0), flow, 2, 2000);
        next(&mut queue, ms(0), 2) == [0, 0]
    };
    let collisions = |salt, flows| (1..=2000).filter(|flow| shares(salt, flows, *flow)).count();
    assert_eq!(collisions(1, 1), 2000);
    // A quarter: 500, with a standard deviation of 19; five of those.
    assert!(collisions(1, 4).abs_diff(500) < 97, "{}", collisions(1, 4));
    assert_ne!(
        (1..=2000).filter(|flow| shares(1, 4, *flow)).collect::<Vec<_>>(),
        (1..=2000).filter(|flow| shares(2, 4, *flow)).collect::<Vec<_>>()
    );
}

/// rfc8290 4.2: Each queue has a CoDel of its own: a flow with a standing queue is signalled, and
/// one that leaves no queue is not.
/// rfc8290 5.2.6: Unless it is turned off, ECN-capable packets are marked instead of dropped.
#[test]
fn only_the_flow_with_a_standing_queue_is_signalled() {
    let mut queue = fq();
    let (mut dropped, mut marked) = (Vec::new(), Vec::new());
    for n in 0..20_000_u64 {
        let now = ms(n);
        while queue.len() < 40 {
            let ecn = if n > 10_000 { Ecn::Ect0 } else { Ecn::NotEct };
            queue.enqueue(now, Queued::new(now, 1000).with_flow(1).with_ecn(ecn), &mut dropped);
        }
        if n % 20 == 0 {
            queue.enqueue(now, Queued::new(now, 200).with_flow(2), &mut dropped);
        }
        let head = queue.dequeue(now, &mut dropped).expect("packets wait");
        if head.flow() == 2 {
            assert!(head.sojourn(now) <= Span::from_millis(3), "{n}: {:?}", head.sojourn(now));
        }
        marked.extend((head.ecn() == Ecn::Ce).then_some(head.flow()));
    }
    assert!(dropped.len() > 50 && marked.len() > 50, "{} {}", dropped.len(), marked.len());
    let lost = dropped.iter().filter(|packet| packet.ecn().is_capable()).count();
    assert_eq!(lost, 0, "of those that can be marked");
    assert!(dropped.iter().map(Queued::flow).chain(marked).all(|flow| flow == 1));
}

/// A link that was idle has ended all turns: the next packet of a flow makes it new.
#[test]
fn idleness_ends_all_turns() {
    for idle in [false, true] {
        let mut queue = fq();
        offer(&mut queue, ms(0), 1, 1, 1500);
        assert_eq!(next(&mut queue, ms(0), 1), [1]);
        if idle {
            queue.on_bypass(ms(5), Span::from_millis(3));
        }
        offer(&mut queue, ms(6), 2, 1, 100);
        offer(&mut queue, ms(6), 1, 2, 100);
        // In its old turn flow 1, still the first of the list, has 14 bytes left.
        let expected = if idle { [2, 1, 1] } else { [1, 2, 1] };
        assert_eq!(next(&mut queue, ms(6), 3), expected, "{idle}");
    }
}
