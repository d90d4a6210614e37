//! The link's own disciplines keep the contract, and the harness finds what breaks it.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};

use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_link::random::Stream;
use atl_link::{
    AckFilter, BuildDiscipline, Cake, CoDel, DropCurve, DualPi2, FqCoDel, Limit, Packet, Pie,
    Policer, QueueAverage, QueueConfig, QueueDiscipline, Queued, Red, Wred, conformance,
};

#[test]
fn the_disciplines_of_this_crate_conform() {
    conformance::queue(|limit, stream| drop_tail(limit).build(stream));
    conformance::queue(|limit, stream| {
        let config = match limit {
            Limit::Packets(packets) => QueueConfig::Priority { packets },
            Limit::Bytes(bytes) => QueueConfig::PriorityBytes { bytes },
        };
        config.build(stream)
    });
    let average = QueueAverage { weight: Probability::clamped(0.1), ..QueueAverage::default() };
    for adaptive in [false, true] {
        conformance::queue(|limit, stream| {
            let red = Red { average, adaptive, ..Red::after_floyd(limit) };
            QueueConfig::Red(red).build(stream)
        });
    }
    conformance::queue(|limit, stream| {
        let wred = Wred { average, ..Wred::after_cisco(limit) };
        QueueConfig::Wred(wred).build(stream)
    });
    conformance::queue(|limit, stream| CoDel::default().build(limit, stream));
    // With a batch of 1, and with few queues, flows drop and collide in all ways.
    for (flows, drop_batch, memory_limit) in [(1024, 64, None), (2, 1, Some(40_000)), (1, 3, None)]
    {
        let fq = FqCoDel { flows, drop_batch, memory_limit, ..FqCoDel::default() };
        conformance::queue(|limit, stream| fq.build(limit, stream));
    }
    // Few queues, so that flows share them and the law acts on all.
    for (flows, rate) in [(1024, None), (2, Some(Rate::from_mbps(50.0))), (1, None)] {
        let (target, interval) = (Span::from_micros(100), Span::from_millis(2));
        let cake = Cake { target, interval, rate, flows };
        conformance::queue(|limit, stream| cake.build(limit, stream));
    }
    // A short target and no burst, so that it drops and marks a lot.
    let (target, max_burst) = (Span::from_millis(1), Span::ZERO);
    let pie = Pie { target, max_burst, alpha: 10.0, beta: 10.0, ..Pie::default() };
    conformance::queue(|limit, stream| pie.build(limit, stream));
    for drop_on_overload in [true, false] {
        let dual = DualPi2 { target, alpha: 10.0, mtu: 40, drop_on_overload, ..DualPi2::default() };
        conformance::queue(|limit, stream| dual.build(limit, stream));
    }
    let policer = Policer { rate: Rate::from_mbps(3.0), burst: 9000 };
    conformance::queue(|limit, stream| policer.build(limit, stream));
    for (keep, one_in) in [(1, 1), (2, 1), (1, 3)] {
        let filter = AckFilter { longest: 600, keep, one_in };
        conformance::queue(|limit, stream| filter.build(limit, stream));
    }
    // Thresholds at which nearly every arrival is dropped early.
    let curve = DropCurve { min: 0.0, max: 1.0, drop: Probability::clamped(0.5) };
    conformance::queue(|limit, stream| {
        QueueConfig::Red(Red { average, curve, ..Red::after_floyd(limit) }).build(stream)
    });
}

fn drop_tail(limit: Limit) -> QueueConfig {
    match limit {
        Limit::Packets(packets) => QueueConfig::DropTail { packets },
        Limit::Bytes(bytes) => QueueConfig::DropTailBytes { bytes },
    }
}

/// A promise of the contract that [`Broken`] breaks, at every 50th packet where it can.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Promise {
    None,
    Conservation,
    Order,
    WorkConservation,
    Lengths,
    Limit,
    Marks,
    Determinism,
}

/// First in, first out, but for one promise.
struct Broken {
    fifo: VecDeque<Queued>,
    limit: Limit,
    broken: Promise,
    count: u64,
    /// Differs from queue to queue.
    nonce: u64,
}

impl QueueDiscipline for Broken {
    fn enqueue(&mut self, _now: Time, mut packet: Queued, dropped: &mut Vec<Queued>) {
        self.count += 1;
        let now_and_then = self.count.is_multiple_of(50);
        let bytes = self.bytes() + u64::from(packet.wire_bytes());
        let full = !self.limit.fits(self.fifo.len() + 1, bytes);
        match self.broken {
            Promise::Conservation if now_and_then => return,
            Promise::Limit if now_and_then => {}
            Promise::Determinism if (self.count + self.nonce).is_multiple_of(50) => {
                return dropped.push(packet);
            }
            _ if full => return dropped.push(packet),
            Promise::Marks => packet = Queued::new(packet.arrived(), packet.wire_bytes()),
            _ => {}
        }
        if self.broken == Promise::Order && now_and_then {
            self.fifo.push_front(packet);
        } else {
            self.fifo.push_back(packet);
        }
    }

    fn dequeue(&mut self, _now: Time, dropped: &mut Vec<Queued>) -> Option<Queued> {
        self.count += 1;
        let now_and_then = self.count.is_multiple_of(50);
        if now_and_then && self.broken == Promise::WorkConservation {
            return None;
        }
        if now_and_then && self.fifo.len() > 1 {
            dropped.extend(self.fifo.pop_front());
        }
        self.fifo.pop_front()
    }

    fn len(&self) -> usize {
        self.fifo.len() + usize::from(self.broken == Promise::Lengths && self.count == 200)
    }

    fn bytes(&self) -> u64 {
        self.fifo.iter().map(|packet| u64::from(packet.wire_bytes())).sum()
    }
}

fn check(broken: Promise) -> Result<(), String> {
    let queues = std::cell::Cell::new(0);
    let make = |limit, _: Stream| -> Box<dyn QueueDiscipline + Send> {
        queues.set(queues.get() + 1);
        Box::new(Broken { fifo: VecDeque::new(), limit, broken, count: 0, nonce: queues.get() })
    };
    catch_unwind(AssertUnwindSafe(|| conformance::queue(make)))
        .map_err(|panic| *panic.downcast::<String>().expect("a message"))
}

#[test]
fn each_broken_promise_is_found() {
    assert_eq!(check(Promise::None), Ok(()));
    for (broken, message) in [
        (Promise::Conservation, "its lengths"),
        (Promise::Order, "which came later"),
        (Promise::WorkConservation, "nothing to transmit"),
        (Promise::Lengths, "its lengths"),
        (Promise::Limit, "packets of"),
        (Promise::Marks, "comes out"),
        (Promise::Determinism, "other answers"),
    ] {
        let found = check(broken).expect_err("a broken promise");
        assert!(found.contains(message), "{broken:?}: {found}");
    }
}
