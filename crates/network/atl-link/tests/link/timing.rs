//! Timing: examples worked by hand.

use std::sync::Arc;

use crate::support::{
    EIGHT, Numbered, arrivals, config, drain, link, ms, network, offer_at_start, us,
};
use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_link::trace::DelayTrace;
use atl_link::{Config, Delay, QueueConfig, Service};

#[test]
fn a_busy_link_spaces_packets_by_their_transmission_times() {
    // 1000 bytes at 8 Mb/s: 1 ms each; then 10 ms of delay.
    let mut link = link(Config::constant(Rate::from_mbps(8.0), Span::from_millis(10), 2));
    assert!(link.offer(ms(0), Numbered(1, 1000)).is_ok());
    assert!(link.may_lead());
    assert!(link.offer(ms(0), Numbered(2, 500)).is_ok());
    assert!(link.offer(us(500), Numbered(3, 1000)).is_ok());
    // Two wait; the one in transmission is not counted.
    assert_eq!(link.queue_len(), 2);
    assert_eq!(link.offer(us(900), Numbered(4, 1000)), Err(Numbered(4, 1000)));
    // At 1 ms the first has been transmitted, and there is room.
    assert!(link.offer(us(1000), Numbered(5, 1000)).is_ok());
    assert!(!link.may_lead());
    assert_eq!(link.next_event(), ms(11));
    assert_eq!(
        arrivals(&drain(&mut link)),
        [(ms(11), 1), (us(11_500), 2), (us(12_500), 3), (us(13_500), 5)]
    );
    assert_eq!(link.next_event(), Time::MAX);
}

#[test]
fn an_idle_link_starts_to_transmit_when_the_packet_arrives() {
    let mut link = link(config(network(EIGHT, 10)));
    assert!(link.offer(ms(0), Numbered(1, 1000)).is_ok());
    assert!(link.offer(us(3_300), Numbered(2, 1000)).is_ok());
    assert_eq!(arrivals(&drain(&mut link)), [(ms(11), 1), (us(14_300), 2)]);
}

#[test]
fn a_saturated_link_delivers_its_rate_without_rounding_drift() {
    // 1500 bytes at 7 Mb/s take 1714285.714... ns: rounded one by one, the last would end 2857 ns
    // early.
    let packets = 10_000;
    let mut link =
        link(Config::constant(Rate::from_mbps(7.0), Span::from_millis(1), packets as u32));
    for n in 0..packets {
        assert!(link.offer(ms(0), Numbered(n, 1500)).is_ok());
    }
    let exits = drain(&mut link);
    let exact = packets * 1500 * 8 * 1000 / 7;
    let last = exits.last().expect("all arrive").0.nanos() - 1_000_000;
    assert!(last.abs_diff(exact) <= 1, "{last} ns instead of {exact} ns");
    assert_eq!(link.counters().delivered_bytes, packets * 1500);
    assert_eq!(link.counters().transmitted_bytes, packets * 1500);
}

#[test]
fn a_capacity_in_bytes_counts_only_waiting_packets() {
    let mut config = config(network(EIGHT, 0));
    config.queue = QueueConfig::DropTailBytes { bytes: 1500 };
    let mut link = link(config);
    assert!(link.offer(ms(0), Numbered(1, 1000)).is_ok());
    assert!(link.offer(ms(0), Numbered(2, 1000)).is_ok());
    assert!(link.offer(ms(0), Numbered(3, 501)).is_err());
    assert!(link.offer(ms(0), Numbered(4, 500)).is_ok());
    assert_eq!(link.counters().dropped, 1);
    assert_eq!(arrivals(&drain(&mut link)), [(ms(1), 1), (ms(2), 2), (us(2500), 4)]);
}

#[test]
fn an_unlimited_link_adds_only_delay() {
    let mut initial = network(EIGHT, 7);
    initial.service = Service::Unlimited;
    let mut link = link(config(initial));
    offer_at_start(&mut link, 3);
    assert_eq!(link.queue_len(), 0);
    assert!(link.offer(ms(1), Numbered(4, 9000)).is_ok());
    assert_eq!(arrivals(&drain(&mut link)), [(ms(7), 1), (ms(7), 2), (ms(7), 3), (ms(8), 4)]);
}

#[test]
fn a_rate_of_zero_delivers_nothing() {
    let mut link = link(config(network(Rate::ZERO, 1)));
    offer_at_start(&mut link, 3);
    assert_eq!(link.next_event(), Time::MAX);
    assert_eq!(link.poll(Time::MAX), None);
    assert_eq!((link.held(), link.queue_len()), (3, 2));
}

#[test]
fn a_delay_trace_is_read_at_the_end_of_transmission_and_packets_stay_in_order() {
    let mut initial = network(EIGHT, 0);
    let trace = DelayTrace::parse("20\n5\n").expect("a good trace");
    initial.delay = Delay::Trace(Arc::new(trace));
    let mut link = link(config(initial));
    // Transmitted at 9, 10, 19, 20 and 39 ms; delays 20, 5, 5, 20 (the trace repeats), 5.
    for (n, at) in [(1, 8), (2, 9), (3, 18), (4, 19), (5, 38)] {
        assert!(link.offer(ms(at), Numbered(n, 1000)).is_ok());
    }
    assert_eq!(
        arrivals(&drain(&mut link)),
        [(ms(29), 1), (ms(29), 2), (ms(29), 3), (ms(40), 4), (ms(44), 5)]
    );
}

/// An engine in real time may give each link a thread of its own.
#[test]
fn a_link_can_move_to_another_thread() {
    let mut link = link(config(network(EIGHT, 10)));
    offer_at_start(&mut link, 2);
    let drained = std::thread::spawn(move || drain(&mut link)).join().expect("no panic");
    assert_eq!(arrivals(&drained), [(ms(11), 1), (ms(12), 2)]);
}
