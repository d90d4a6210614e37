//! The filter of acknowledgments.

use atl_core::time::{Span, Time};
use atl_link::random::Stream;
use atl_link::{AckFilter, BuildDiscipline as _, Limit, Packet as _, QueueDiscipline, Queued};

const DATA: u32 = 1500;
const ACK: u32 = 52;

fn queue(filter: AckFilter) -> Box<dyn QueueDiscipline + Send> {
    assert_eq!(filter.check(), Ok(()));
    filter.build(Limit::Packets(10), Stream::new(1, "test"))
}

/// A packet that is told from others of its flow by when it came.
fn packet(ms: u64, flow: u64, bytes: u32) -> Queued {
    Queued::new(Time::from_millis(ms), bytes).with_flow(flow)
}

/// Offers packets, each with its time in ms, and gives the times of those that are dropped.
fn offer(queue: &mut dyn QueueDiscipline, packets: &[(u64, u64, u32)]) -> Vec<u64> {
    let mut dropped = Vec::new();
    for (ms, flow, bytes) in packets {
        queue.enqueue(Time::from_millis(*ms), packet(*ms, *flow, *bytes), &mut dropped);
    }
    dropped.iter().map(ms).collect()
}

fn ms(packet: &Queued) -> u64 {
    packet.arrived().since(Time::ZERO).nanos() / Span::from_millis(1).nanos()
}

fn left(queue: &mut dyn QueueDiscipline) -> Vec<u64> {
    let mut dropped = Vec::new();
    let out = std::iter::from_fn(|| queue.dequeue(Time::from_millis(99), &mut dropped));
    let out = out.map(|packet| ms(&packet)).collect();
    assert_eq!(dropped, []);
    out
}

#[test]
fn only_the_newest_acknowledgments_of_a_flow_go_on() {
    let mut filter = queue(AckFilter { keep: 1, ..AckFilter::default() });
    let packets = [(1, 7, ACK), (2, 8, ACK), (3, 7, DATA), (4, 7, ACK), (5, 8, DATA), (6, 7, ACK)];
    assert_eq!(offer(&mut *filter, &packets), [1, 4], "those of flow 7 ahead of the newest");
    assert_eq!((filter.len(), filter.bytes()), (4, u64::from(2 * DATA + 2 * ACK)));
    assert_eq!(left(&mut *filter), [2, 3, 5, 6]);
    assert!(filter.is_empty() && filter.bytes() == 0);

    // CAKE keeps two, so that one that is lost further on does no harm.
    let mut filter = queue(AckFilter::default());
    assert_eq!(offer(&mut *filter, &packets), [1]);
    assert_eq!(left(&mut *filter), [2, 3, 4, 5, 6]);
}

/// 20 of IPv4, 20 of TCP, 12 of time stamps, and 28 of three SACK blocks.
#[test]
fn the_longest_acknowledgment_has_three_blocks_over_ipv4() {
    for (bytes, dropped) in [(20 + 20 + 12 + 28, vec![1]), (20 + 20 + 12 + 28 + 1, vec![])] {
        let mut filter = queue(AckFilter::default());
        assert_eq!(offer(&mut *filter, &[(1, 7, bytes), (2, 7, bytes), (3, 7, bytes)]), dropped);
    }
}

/// A slow uplink: with the filter its queue of ten is never full of acknowledgments.
#[test]
fn data_finds_room_that_acknowledgments_would_take() {
    let acks: Vec<(u64, u64, u32)> = (0..20).map(|n| (n, 1, ACK)).collect();
    let mut filter = queue(AckFilter { keep: 1, ..AckFilter::default() });
    assert_eq!(offer(&mut *filter, &acks).len(), 19);
    assert_eq!(offer(&mut *filter, &[(21, 2, DATA)]), []);
    // Full of data it refuses like any other.
    let data: Vec<(u64, u64, u32)> = (30..40).map(|n| (n, 2, DATA)).collect();
    assert_eq!(offer(&mut *filter, &data), [38, 39]);
}

#[test]
fn of_a_row_the_first_is_taken_and_data_begins_another() {
    let mut filter = queue(AckFilter { keep: 9, one_in: 3, ..AckFilter::default() });
    assert!(!filter.bypasses(), "a row is counted on an idle link too");
    let packets = [1, 2, 3, 4, 5].map(|n| (n, 7, ACK));
    assert_eq!(offer(&mut *filter, &packets), [2, 3, 5]);
    assert_eq!(offer(&mut *filter, &[(6, 7, DATA), (7, 7, ACK), (8, 8, ACK)]), []);
    assert_eq!(left(&mut *filter), [1, 4, 6, 7, 8]);
    assert!(queue(AckFilter::default()).bypasses());
}

#[test]
fn its_numbers_are_at_least_one() {
    let usual = AckFilter::default();
    for wrong in [
        AckFilter { keep: 0, ..usual },
        AckFilter { one_in: 0, ..usual },
        AckFilter { longest: 0, ..usual },
    ] {
        assert!(wrong.check().is_err(), "{wrong:?}");
    }
    assert_eq!(packet(1, 2, ACK).wire_bytes(), ACK);
}

#[test]
fn an_acknowledgment_is_told_by_its_length() {
    let mut filter = queue(AckFilter { keep: 1, longest: 80, ..AckFilter::default() });
    assert_eq!(offer(&mut *filter, &[(1, 7, 80), (2, 7, 80), (3, 7, 81), (4, 7, 81)]), [1]);
    assert_eq!(left(&mut *filter), [2, 3, 4]);
    assert_eq!(AckFilter::default().usual_limit(), Some(Limit::Packets(50)));
}

#[test]
fn a_limit_in_bytes_counts_what_waits() {
    let filter = AckFilter { keep: 1, ..AckFilter::default() };
    let mut filter = filter.build(Limit::Bytes(2 * u64::from(ACK)), Stream::new(1, "test"));
    // Two fit exactly; of a third flow there is no room, but one's own newest takes its place.
    assert_eq!(offer(&mut *filter, &[(1, 1, ACK), (2, 2, ACK), (3, 3, ACK), (4, 1, ACK)]), [3, 1]);
    assert_eq!(filter.bytes(), 2 * u64::from(ACK));
    assert_eq!(left(&mut *filter), [2, 4]);
    assert_eq!(offer(&mut *filter, &[(5, 1, 2 * ACK)]), [], "all is free again");
    assert_eq!(offer(&mut *filter, &[(6, 1, 1)]), [6]);
}

#[test]
fn flows_share_a_row_after_a_thousand_and_twenty_four() {
    let mut filter = queue(AckFilter { keep: 9, one_in: 2, ..AckFilter::default() });
    let far = 7 + 1024;
    assert_eq!(offer(&mut *filter, &[(1, 7, ACK), (2, far, ACK), (3, 8, ACK), (4, 7, ACK)]), [2]);
    // Data of either begins a new row for both.
    assert_eq!(offer(&mut *filter, &[(5, far, DATA), (6, 7, ACK)]), []);
}
