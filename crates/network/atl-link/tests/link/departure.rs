//! Drops and marks at the beginning of a transmission, by a discipline of the tests' own.

use std::collections::VecDeque;
use std::sync::Arc;

use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_link::random::Stream;
use atl_link::{
    BuildDiscipline, Change, Config, DisciplineConfig, Ecn, Exit, Limit, Link, Packet, QueueConfig,
    QueueDiscipline, Queued,
};

use crate::support::{EIGHT, Numbered, arrivals, config, drain, link, ms, network, us};

/// First in, first out. Packets that have waited longer than `most` are dropped from the head. A
/// full queue drops its head for an arrival. What can be marked is marked from half of `most` on.
#[derive(Clone, Debug, PartialEq)]
struct Stale {
    /// At 8 Mb/s; in inverse proportion at other rates.
    most: Span,
}

#[derive(Debug)]
struct StaleQueue {
    fifo: VecDeque<Queued>,
    limit: Limit,
    most_at_eight: Span,
    most: Span,
}

impl BuildDiscipline for Stale {
    fn build(&self, limit: Limit, _stream: Stream) -> Box<dyn QueueDiscipline + Send> {
        let fifo = VecDeque::new();
        Box::new(StaleQueue { fifo, limit, most_at_eight: self.most, most: Span::ZERO })
    }
}

impl QueueDiscipline for StaleQueue {
    fn enqueue(&mut self, _now: Time, packet: Queued, dropped: &mut Vec<Queued>) {
        let bytes = u64::from(packet.wire_bytes());
        loop {
            if self.limit.fits(self.fifo.len() + 1, self.bytes() + bytes) {
                return self.fifo.push_back(packet);
            }
            match self.fifo.pop_front() {
                Some(head) => dropped.push(head),
                None => return dropped.push(packet),
            }
        }
    }

    fn dequeue(&mut self, now: Time, dropped: &mut Vec<Queued>) -> Option<Queued> {
        while let Some(mut packet) = self.fifo.pop_front() {
            let sojourn = packet.sojourn(now);
            if sojourn <= self.most {
                if sojourn > self.most / 2 {
                    packet.mark();
                }
                return Some(packet);
            }
            dropped.push(packet);
        }
        None
    }

    fn len(&self) -> usize {
        self.fifo.len()
    }

    fn bytes(&self) -> u64 {
        self.fifo.iter().map(|packet| u64::from(packet.wire_bytes())).sum()
    }

    fn on_rate(&mut self, _now: Time, rate: Option<Rate>) {
        let scale = rate.map_or(0.0, |rate| EIGHT.bps() / rate.bps());
        self.most = self.most_at_eight.mul_f64(scale);
    }
}

pub(crate) fn stale(limit: Limit, most: Span) -> QueueConfig {
    QueueConfig::Custom { limit, discipline: Stale { most }.into() }
}

fn with_stale(packets: u32, most_ms: u64, delay_ms: u64) -> Link<Numbered> {
    let queue = stale(Limit::Packets(packets), Span::from_millis(most_ms));
    link(Config { queue, ..config(network(EIGHT, delay_ms)) })
}

fn offer(link: &mut Link<Numbered>, at: Time, number: u64, bytes: u32) {
    assert_eq!(link.offer(at, Numbered(number, bytes)), Ok(()));
}

/// Number and time of each packet dropped as a transmission was to begin.
fn drops(exits: &[(Time, Exit<Numbered>)]) -> Vec<(u64, Time)> {
    exits
        .iter()
        .filter_map(|(_, exit)| match exit {
            Exit::Dropped(packet, at) => Some((packet.0, *at)),
            _ => None,
        })
        .collect()
}

#[test]
fn a_discipline_of_others_conforms() {
    atl_link::conformance::queue(|limit, stream| {
        Stale { most: Span::from_millis(5) }.build(limit, stream)
    });
}

/// Packet 1 takes 10 ms. Packets 2 and 3 came at 0 and 1 ms and have waited for more than 8 ms by
/// then, packet 4 for 5 ms.
#[test]
fn a_drop_has_the_time_at_which_the_transmission_would_have_begun() {
    let mut link = with_stale(10, 8, 30);
    offer(&mut link, ms(0), 1, 10_000);
    offer(&mut link, ms(0), 2, 1000);
    offer(&mut link, ms(1), 3, 1000);
    offer(&mut link, ms(5), 4, 1000);
    assert_eq!((link.queue_len(), link.held(), link.next_event()), (3, 4, ms(40)));
    // Nobody calls at 10 ms. An offer at 12 ms finds the queue as it is by then.
    offer(&mut link, ms(12), 5, 1000);
    assert_eq!((link.queue_len(), link.held(), link.next_event()), (0, 5, ms(40)));
    assert_eq!(link.packets().count(), 5);
    assert_eq!((link.counters().dropped, link.counters().held()), (0, 5));
    let exits = drain(&mut link);
    assert_eq!(drops(&exits), [(2, ms(10)), (3, ms(10))]);
    assert_eq!(arrivals(&exits), [(ms(40), 1), (ms(41), 4), (ms(43), 5)]);
    assert!(exits.iter().take(2).all(|(at, _)| *at == ms(40)), "with the next exit: {exits:?}");
    assert_eq!((link.counters().dropped, link.held()), (2, 0));
}

#[test]
fn a_queue_that_drops_all_that_waits_leaves_the_link_idle() {
    let mut link = with_stale(10, 1, 0);
    offer(&mut link, ms(0), 1, 10_000);
    offer(&mut link, ms(0), 2, 1000);
    offer(&mut link, ms(0), 3, 1000);
    assert!(!link.delivers_front(ms(10)), "the drops come first");
    let exits = drain(&mut link);
    assert_eq!(drops(&exits), [(2, ms(10)), (3, ms(10))]);
    assert_eq!(arrivals(&exits), [(ms(10), 1)]);
    offer(&mut link, ms(20), 4, 1000);
    assert_eq!(arrivals(&drain(&mut link)), [(ms(21), 4)]);
}

/// As above, but from 5 ms on in a network of half the rate: packet 1 has another 5000 bytes to go,
/// which takes until 15 ms, and twice the sojourn is allowed.
#[test]
fn the_discipline_learns_the_rate_at_each_change() {
    let queue = stale(Limit::Packets(10), Span::from_millis(7));
    let to = network(Rate::from_mbps(4.0), 30);
    let schedule = vec![Change { at: ms(5), to }];
    let mut link = link(Config { queue, schedule, ..config(network(EIGHT, 30)) });
    offer(&mut link, ms(0), 1, 10_000);
    offer(&mut link, ms(0), 2, 1000);
    offer(&mut link, ms(1), 3, 1000);
    let exits = drain(&mut link);
    assert_eq!(drops(&exits), [(2, ms(15))]);
    assert_eq!(arrivals(&exits), [(ms(45), 1), (ms(47), 3)]);
}

#[test]
fn a_packet_that_displaces_another_is_taken() {
    let mut link = with_stale(2, 1000, 0);
    for number in 1..=3 {
        offer(&mut link, ms(0), number, 1000);
    }
    assert_eq!(link.offer(ms(0), Numbered(4, 1000)), Err(Numbered(2, 1000)));
    assert_eq!((link.next_dropped(), link.counters().dropped), (None, 1));
    assert_eq!(arrivals(&drain(&mut link)), [(ms(1), 1), (ms(2), 3), (ms(3), 4)]);
}

/// A packet with an ECN field.
#[derive(Debug)]
struct Internet(Ecn);

impl Packet for Internet {
    fn wire_bytes(&self) -> u32 {
        1000
    }

    fn ecn(&self) -> Ecn {
        self.0
    }

    fn mark(&mut self) {
        if self.0.is_capable() {
            self.0 = Ecn::Ce;
        }
    }
}

/// A long queue signals to all, and a packet without ECN hears nothing of it.
#[test]
fn a_mark_counts_where_the_packet_takes_it() {
    for (ecn, marked) in [(Ecn::NotEct, 0), (Ecn::Ect0, 2), (Ecn::Ect1, 2)] {
        let config = Config { mark_at: Some(2), ..config(network(EIGHT, 0)) };
        let mut link = Link::new(Arc::new(config), Stream::new(1, "long"));
        for _ in 0..5 {
            link.offer(ms(0), Internet(ecn)).expect("room");
        }
        assert_eq!(link.counters().marked, marked, "{ecn:?}");
    }
}

/// They wait for 0 to 6 ms; more than 3 ms is marked where the packet can be.
#[test]
fn marks_reach_the_packets_and_are_counted() {
    let queue = stale(Limit::Packets(10), Span::from_millis(6));
    let config = Config { queue, ..config(network(EIGHT, 0)) };
    let mut link = Link::new(Arc::new(config), Stream::new(1, "marks"));
    let [not, ect0, ect1, ce] = [Ecn::NotEct, Ecn::Ect0, Ecn::Ect1, Ecn::Ce];
    for ecn in [ect0, ect0, ect1, ect0, not, ect1, ce] {
        assert!(link.offer(us(0), Internet(ecn)).is_ok());
    }
    let fields = std::iter::from_fn(|| match link.poll(ms(10)) {
        Some(Exit::Delivered(packet)) => Some(packet.0),
        _ => None,
    });
    let fields: Vec<Ecn> = fields.collect();
    assert_eq!(fields, [ect0, ect0, ect1, ect0, not, ce, ce]);
    assert_eq!(link.counters().marked, 1);
}

#[test]
fn parameters_are_compared_whatever_their_type() {
    #[derive(Debug, PartialEq)]
    struct Another;
    impl BuildDiscipline for Another {
        fn build(&self, limit: Limit, stream: Stream) -> Box<dyn QueueDiscipline + Send> {
            Stale { most: Span::ZERO }.build(limit, stream)
        }
    }
    let one = |ms| DisciplineConfig::from(Stale { most: Span::from_millis(ms) });
    assert_eq!(one(1), one(1));
    assert_ne!(one(1), one(2));
    assert_ne!(one(0), DisciplineConfig::from(Another));
}
