//! Checks that anybody's implementation can be put through in a test of its own.

use std::collections::BTreeMap;

use atl_core::time::{Span, Time};
use atl_core::units::Rate;

use crate::discipline::QueueDiscipline;
use crate::ecn::Ecn;
use crate::limit::Limit;
use crate::packet::Packet as _;
use crate::queued::Queued;
use crate::random::Stream;

const LIMITS: [Limit; 5] = [
    Limit::Packets(1),
    Limit::Packets(7),
    Limit::Packets(100),
    Limit::Bytes(3000),
    Limit::Bytes(100_000),
];
const RATE: Rate = Rate::from_mbps(10.0);
/// Arrivals in each run; every tenth of them has another load than the one before.
const ARRIVALS: u32 = 4000;

/// Puts queues through random arrivals at links of 10 Mb/s, overloaded and idle in turns, and
/// panics where one breaks the contract of [`QueueDiscipline`]. `make` builds an empty queue of the
/// given capacity that draws from the given stream. The same queues always meet the same arrivals.
///
/// # Panics
/// Says which promise is broken, and under which capacity.
pub fn queue(make: impl Fn(Limit, Stream) -> Box<dyn QueueDiscipline + Send>) {
    for (seed, limit) in (0..).zip(LIMITS) {
        let run = || Bench::new(make(limit, Stream::new(seed, "queue")), limit).run(seed);
        assert!(run() == run(), "{limit:?}: the same calls give other answers");
    }
}

/// A packet as it was handed to the queue.
#[derive(Clone, Copy, Debug)]
struct Given {
    bytes: u32,
    arrived: Time,
    low: bool,
    flow: u64,
    ecn: Ecn,
}

impl Given {
    /// Packets that are equal in this leave in the order in which they came.
    fn line(&self) -> (u64, bool, bool) {
        (self.flow, self.low, self.ecn == Ecn::Ect1)
    }
}

/// Flows in each run.
const FLOWS: u64 = 4;

/// A queue, and the packets that it should hold.
struct Bench {
    queue: Box<dyn QueueDiscipline + Send>,
    limit: Limit,
    held: BTreeMap<u32, Given>,
    /// The last packet handed over of those that keep their order.
    last: BTreeMap<(u64, bool, bool), u32>,
    now: Time,
    /// Numbers of the packets dropped and handed over, in order.
    fates: Vec<(u32, bool)>,
}

impl Bench {
    fn new(queue: Box<dyn QueueDiscipline + Send>, limit: Limit) -> Self {
        let (held, fates) = (BTreeMap::new(), Vec::new());
        Bench { queue, limit, held, last: BTreeMap::new(), now: Time::ZERO, fates }
    }

    /// The fate of every packet, in order.
    fn run(mut self, seed: u64) -> Vec<(u32, bool)> {
        let mut stream = Stream::new(seed, "arrivals");
        self.queue.on_rate(self.now, Some(RATE));
        self.agree();
        let (mut free_at, mut load) = (Time::ZERO, 1.0);
        for number in 0..ARRIVALS {
            if number % (ARRIVALS / 10) == 0 {
                load = [0.5, 0.9, 1.1, 3.0][stream.below(4) as usize];
            }
            // A third of the packets come in bursts, at the very time of their predecessors.
            let mean = if stream.chance(1.0 / 3.0) { 0.0 } else { 1.5 / load };
            let bytes = [40, 576, 1000, 1500][stream.below(4) as usize];
            let arrival = self.now + Span::from_secs_f64(stream.exponential(mean * 0.000_62));
            free_at = self.serve(free_at, arrival);
            self.now = arrival;
            if free_at <= arrival && self.queue.bypasses() {
                let idle = arrival.since(free_at);
                self.queue.on_bypass(arrival, idle);
                self.agree();
                free_at = arrival + RATE.time_for(u64::from(bytes));
            } else {
                let low = stream.chance(0.25);
                let ecn = [Ecn::NotEct, Ecn::Ect0, Ecn::Ect1][stream.below(3) as usize];
                let flow = stream.below(FLOWS);
                self.enqueue(number, Given { bytes, arrived: arrival, low, flow, ecn });
                if free_at <= arrival && self.held.contains_key(&number) {
                    free_at = self.serve(arrival, arrival);
                    assert!(
                        self.fates.last() == Some(&(number, false)),
                        "{:?}: an idle link does not get packet {number} at once",
                        self.limit
                    );
                }
            }
        }
        self.serve(free_at, Time::MAX);
        assert!(self.held.is_empty(), "{:?}: never handed over: {:?}", self.limit, self.held);
        self.fates
    }

    fn enqueue(&mut self, number: u32, given: Given) {
        let mut packet = Queued::new(given.arrived, given.bytes);
        packet = packet.with_ecn(given.ecn).with_flow(given.flow);
        packet.key = number;
        if given.low {
            packet = packet.with_low_priority();
        }
        self.held.insert(number, given);
        let mut dropped = Vec::new();
        self.queue.enqueue(self.now, packet, &mut dropped);
        self.take_dropped(dropped);
        self.agree();
    }

    /// Transmits what waits until `until`. Returns the end of the last transmission.
    fn serve(&mut self, mut free_at: Time, until: Time) -> Time {
        while free_at <= until && !self.held.is_empty() {
            self.now = free_at;
            let mut dropped = Vec::new();
            let next = self.queue.dequeue(self.now, &mut dropped);
            self.take_dropped(dropped);
            match next {
                Some(packet) => {
                    free_at = self.now + RATE.time_for(u64::from(packet.wire_bytes()));
                    self.hand_over(&packet);
                }
                None => assert!(
                    self.held.is_empty(),
                    "{:?}: nothing to transmit, with {} packets waiting",
                    self.limit,
                    self.held.len()
                ),
            }
            self.agree();
        }
        free_at
    }

    fn take_dropped(&mut self, dropped: Vec<Queued>) {
        for packet in dropped {
            self.take(&packet);
            self.fates.push((packet.key, true));
        }
    }

    fn hand_over(&mut self, packet: &Queued) {
        let given = self.take(packet);
        let last = self.last.insert(given.line(), packet.key);
        assert!(
            last.is_none_or(|last| last < packet.key),
            "{:?}: packet {} leaves after {last:?}, which came later",
            self.limit,
            packet.key
        );
        self.fates.push((packet.key, false));
    }

    /// Strikes a packet off, and compares it with what it was.
    fn take(&mut self, packet: &Queued) -> Given {
        let (limit, key) = (self.limit, packet.key);
        let Some(given) = self.held.remove(&key) else {
            panic!("{limit:?}: packet {key} comes out a second time, or never went in");
        };
        assert!(packet.arrived() <= self.now, "{limit:?}: packet {key} has a negative sojourn");
        let same = packet.arrived() == given.arrived
            && packet.wire_bytes() == given.bytes
            && packet.low_priority() == given.low
            && packet.flow() == given.flow;
        assert!(same, "{limit:?}: packet {key} was {given:?} and comes out as {packet:?}");
        let marked = packet.ecn() == Ecn::Ce && given.ecn.is_capable();
        assert!(
            marked || packet.ecn() == given.ecn,
            "{limit:?}: packet {key} had {:?} and comes out with {:?}",
            given.ecn,
            packet.ecn()
        );
        given
    }

    /// The lengths are right and within the limit.
    fn agree(&self) {
        let (limit, len) = (self.limit, self.held.len());
        let bytes: u64 = self.held.values().map(|given| u64::from(given.bytes)).sum();
        assert_eq!((self.queue.len(), self.queue.bytes()), (len, bytes), "{limit:?}: its lengths");
        assert_eq!(self.queue.is_empty(), len == 0, "{limit:?}: is_empty");
        assert!(limit.fits(len, bytes), "{limit:?}: {len} packets of {bytes} bytes wait");
    }
}
