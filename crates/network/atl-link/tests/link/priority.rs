//! The priority queue: examples worked by hand, and a comparison with a simple model.

use crate::support::{
    EIGHT, LOW, Numbered, arrivals, config, drain, drain_until, link, ms, network, us,
};
use atl_core::time::{Span, Time};
use atl_link::{Config, Counters, Link, QueueConfig};
use proptest::prelude::*;

fn with_queue(queue: QueueConfig) -> Link<Numbered> {
    link(Config { queue, ..config(network(EIGHT, 0)) })
}

fn low(n: u64) -> u64 {
    LOW + n
}

/// Offers packets of 1000 bytes at one time; panics if any packet is dropped.
fn offer_all(link: &mut Link<Numbered>, at: Time, numbers: &[u64]) {
    for &n in numbers {
        assert_eq!(link.offer(at, Numbered(n, 1000)), Ok(()));
    }
}

#[test]
fn the_high_band_goes_first_but_does_not_preempt_a_transmission() {
    let mut link = with_queue(QueueConfig::Priority { packets: 10 });
    offer_all(&mut link, ms(0), &[low(1), low(2), 1]);
    offer_all(&mut link, us(1500), &[2, low(3), 3]);
    // low 1 is in transmission from the start, 1 from 1 ms on, 2 and 3 from 2 and 3 ms on.
    assert_eq!(
        arrivals(&drain(&mut link)),
        [(ms(1), low(1)), (ms(2), 1), (ms(3), 2), (ms(4), 3), (ms(5), low(2)), (ms(6), low(3))]
    );
}

#[test]
fn a_low_packet_already_in_transmission_is_not_overtaken() {
    let mut link = with_queue(QueueConfig::Priority { packets: 10 });
    offer_all(&mut link, ms(0), &[1, low(1), low(2)]);
    // low 1 has started by the time of the offer, although nothing was polled.
    offer_all(&mut link, ms(1), &[2]);
    assert_eq!(
        arrivals(&drain(&mut link)),
        [(ms(1), 1), (ms(2), low(1)), (ms(3), 2), (ms(4), low(2))]
    );
}

#[test]
fn a_full_queue_drops_arriving_low_packets_and_pushes_out_the_last_low_one_for_a_high_one() {
    let mut link = with_queue(QueueConfig::Priority { packets: 3 });
    offer_all(&mut link, ms(0), &[1, low(1), 2, low(2)]);
    let packet = |n| Numbered(n, 1000);
    assert_eq!(link.offer(ms(0), packet(low(3))), Err(packet(low(3))));
    assert_eq!(link.offer(ms(0), packet(3)), Err(packet(low(2))));
    assert_eq!((link.queue_len(), link.next_dropped()), (3, None));
    assert_eq!(link.offer(ms(0), packet(4)), Err(packet(low(1))));
    assert_eq!(link.offer(ms(0), packet(5)), Err(packet(5)));
    assert_eq!(arrivals(&drain(&mut link)), [(ms(1), 1), (ms(2), 2), (ms(3), 3), (ms(4), 4)]);
    let expected = Counters { offered: 8, delivered: 4, dropped: 4, lost: 0, ..link.counters() };
    assert_eq!(link.counters(), expected);
}

#[test]
fn a_capacity_in_bytes_pushes_out_as_many_low_packets_as_necessary() {
    let mut link = with_queue(QueueConfig::PriorityBytes { bytes: 1000 });
    for (n, bytes) in [(0, 1000), (low(1), 300), (1, 200), (low(2), 200), (low(3), 300)] {
        assert_eq!(link.offer(ms(0), Numbered(n, bytes)), Ok(()));
    }
    // 1000 bytes wait; 400 more push out low 3 and low 2, 500 bytes, which leaves 100.
    assert_eq!(link.offer(ms(0), Numbered(2, 400)), Err(Numbered(low(3), 300)));
    assert_eq!(link.next_dropped(), Some(Numbered(low(2), 200)));
    assert_eq!(link.next_dropped(), None);
    assert_eq!(link.offer(ms(0), Numbered(low(4), 101)), Err(Numbered(low(4), 101)));
    assert_eq!(link.offer(ms(0), Numbered(low(5), 100)), Ok(()));
    // 600 bytes of the high band wait: 401 more would not fit even without the low ones, which
    // stay.
    assert_eq!(link.offer(ms(0), Numbered(3, 401)), Err(Numbered(3, 401)));
    assert_eq!((link.queue_len(), link.counters().dropped), (4, 4));
    assert_eq!(
        arrivals(&drain(&mut link)),
        [(ms(1), 0), (us(1200), 1), (us(1600), 2), (us(1900), low(1)), (ms(2), low(5))]
    );
}

#[test]
fn dropped_packets_that_are_not_taken_do_not_accumulate() {
    let mut link = with_queue(QueueConfig::PriorityBytes { bytes: 1000 });
    for (n, bytes) in [(0, 1000), (low(1), 500), (low(2), 500)] {
        assert_eq!(link.offer(ms(0), Numbered(n, bytes)), Ok(()));
    }
    assert_eq!(link.offer(ms(0), Numbered(1, 1000)), Err(Numbered(low(2), 500)));
    assert_eq!(link.offer(ms(0), Numbered(2, 1000)), Err(Numbered(2, 1000)));
    assert_eq!(link.next_dropped(), None);
    assert_eq!(link.counters().dropped, 3);
    assert_eq!(link.counters().held(), link.held() as u64);
}

#[test]
fn without_low_packets_a_priority_queue_is_a_drop_tail_queue() {
    let mut one = with_queue(QueueConfig::Priority { packets: 4 });
    let mut other = with_queue(QueueConfig::DropTail { packets: 4 });
    for n in 0..40 {
        let (at, packet) = (us(n * 700), Numbered(n, 1000));
        assert_eq!(one.offer(at, packet), other.offer(at, packet));
    }
    assert!(one.counters().dropped > 5);
    assert_eq!(drain(&mut one), drain(&mut other));
}

/// The same rules on a single list: no bands, no byte counts, everything searched anew.
struct Model {
    waiting: Vec<Numbered>,
    free_at: Time,
    packets: usize,
    bytes: u64,
    begun: Vec<(Time, u64)>,
}

impl Model {
    fn new(queue: QueueConfig) -> Self {
        let (packets, bytes) = match queue {
            QueueConfig::Priority { packets } => (packets as usize, u64::MAX),
            QueueConfig::PriorityBytes { bytes } => (usize::MAX, bytes),
            other => panic!("{other:?} has no bands"),
        };
        Model { waiting: Vec::new(), free_at: Time::ZERO, packets, bytes, begun: Vec::new() }
    }

    fn begin(&mut self, at: Time, packet: Numbered) {
        self.begun.push((at, packet.0));
        // A byte a microsecond at 8 Mb/s.
        self.free_at = at + Span::from_micros(u64::from(packet.1));
    }

    fn serve(&mut self, until: Time) {
        while self.free_at <= until && !self.waiting.is_empty() {
            let first_high = self.waiting.iter().position(|packet| packet.0 < LOW);
            let next = self.waiting.remove(first_high.unwrap_or(0));
            self.begin(self.free_at, next);
        }
    }

    fn overfull<'a>(&self, waiting: impl Iterator<Item = &'a Numbered> + Clone) -> bool {
        let bytes: u64 = waiting.clone().map(|packet| u64::from(packet.1)).sum();
        waiting.count() > self.packets || bytes > self.bytes
    }

    fn offer(&mut self, now: Time, packet: Numbered) -> Vec<Numbered> {
        self.serve(now);
        if self.free_at <= now {
            self.begin(now, packet);
            return Vec::new();
        }
        self.waiting.push(packet);
        let mut dropped = Vec::new();
        if self.overfull(self.waiting.iter().filter(|other| other.0 < LOW)) && packet.0 < LOW {
            dropped.extend(self.waiting.pop());
        }
        while self.overfull(self.waiting.iter()) {
            let last_low = self.waiting.iter().rposition(|other| other.0 >= LOW);
            dropped.push(self.waiting.remove(last_low.expect("only low packets can be in excess")));
        }
        dropped
    }
}

fn queue() -> impl Strategy<Value = QueueConfig> {
    prop_oneof![
        (1..8_u32).prop_map(|packets| QueueConfig::Priority { packets }),
        (0..4000_u64).prop_map(|bytes| QueueConfig::PriorityBytes { bytes }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn the_queue_behaves_like_the_model(
        queue in queue(),
        // Lengths and times are multiples of 100, so that ends of transmissions and offers often
        // coincide.
        packets in prop::collection::vec((0..12_u64, 0..15_u32, any::<bool>()), 1..150),
    ) {
        let mut link = with_queue(queue.clone());
        let mut model = Model::new(queue);
        let mut now = Time::ZERO;
        let mut exits = Vec::new();
        for (n, &(ticks, hundreds, is_low)) in packets.iter().enumerate() {
            now += Span::from_micros(ticks * 100);
            if n % 3 == 0 {
                exits.extend(drain_until(&mut link, now));
            }
            let number = if is_low { low(n as u64) } else { n as u64 };
            let packet = Numbered(number, hundreds * 100);
            let first = link.offer(now, packet).err();
            let dropped: Vec<_> =
                core::iter::successors(first, |_| link.next_dropped()).collect();
            prop_assert_eq!(dropped, model.offer(now, packet));
            prop_assert_eq!(link.queue_len(), model.waiting.len());
            let c = link.counters();
            prop_assert_eq!(c.offered, c.delivered + c.dropped + link.held() as u64);
        }
        exits.extend(drain(&mut link));
        model.serve(Time::from_nanos(u64::MAX - 1));
        // Without delay a packet comes out at the end of its transmission.
        let ends: Vec<_> = model
            .begun
            .iter()
            .map(|&(at, n)| {
                let bytes = packets[(n % LOW) as usize].1 * 100;
                (at + Span::from_micros(u64::from(bytes)), n)
            })
            .collect();
        prop_assert_eq!(arrivals(&exits), ends);
    }

    /// Probes cost data at most one transmission: it cannot be stopped once it has begun.
    #[test]
    fn low_packets_never_delay_a_high_one_by_more_than_one_packet_time(
        packets in prop::collection::vec((0..12_u64, 1..16_u32, any::<bool>()), 1..150),
    ) {
        let arrivals_of = |with_low: bool| {
            let mut link = with_queue(QueueConfig::Priority { packets: 1000 });
            let mut now = Time::ZERO;
            for (n, &(ticks, hundreds, is_low)) in packets.iter().enumerate() {
                now += Span::from_micros(ticks * 100);
                let number = if is_low { low(n as u64) } else { n as u64 };
                if with_low || !is_low {
                    prop_assert_eq!(link.offer(now, Numbered(number, hundreds * 100)), Ok(()));
                }
            }
            let mut all = arrivals(&drain(&mut link));
            all.retain(|&(_, n)| n < LOW);
            Ok(all)
        };
        let (with, without) = (arrivals_of(true)?, arrivals_of(false)?);
        // A byte a microsecond at 8 Mb/s.
        let lengths = packets.iter().filter(|packet| packet.2).map(|packet| packet.1 * 100);
        let longest = Span::from_micros(u64::from(lengths.max().unwrap_or(0)));
        prop_assert_eq!(with.len(), without.len());
        for (&(at, n), &(alone, m)) in with.iter().zip(&without) {
            prop_assert_eq!(n, m);
            prop_assert!(alone <= at && at <= alone + longest, "{n}: {alone:?}, {at:?}");
        }
    }
}
