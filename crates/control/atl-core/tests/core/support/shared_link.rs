//! Flows of a protocol with two halves that share one link: DropTail, a delay, random loss behind
//! the queue. Every packet is acknowledged, and each ACK carries the rate that the receiver asks
//! for.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;

use atl_core::time::{Span, Time};
use atl_core::units::{Probability, Rate};
use atl_core::window::{
    Ack, Arrived, Controller, ControllerConfig, ReceiverHalf, Sent, Start, Timeout,
    WindowController,
};
use atl_link::random::Stream;
use atl_link::{Blackout, Change, Config, Exit, Link, Packet, Service};

/// Length of a packet on the wire, in bytes.
pub(crate) const PACKET: u32 = 1040;

/// A path with everything that happens to its packets.
#[derive(Clone)]
pub(crate) struct SharedLink {
    /// Packets per second, each rate from a time in seconds on.
    pub rates: Vec<(f64, f64)>,
    /// Round-trip time of an empty path.
    pub rtt: Span,
    /// Limit on the packets that wait.
    pub queue: u32,
    /// Share of packets lost at random behind the queue.
    pub loss: f64,
    /// Beginning and end, in seconds, of the time in which every packet is lost.
    pub blackout: (f64, f64),
    /// Upper bound of a random extra delay at the sender; the order is kept.
    pub jitter: Span,
    /// Packets of the first burst.
    pub initial_window: f64,
    /// Seed of losses and jitter.
    pub seed: u64,
}

/// The results of a flow.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Outcome {
    /// Packets that arrived in each second.
    pub delivered: Vec<u64>,
    /// Packets that the queue dropped in each second.
    pub dropped: Vec<u64>,
    /// The rate that the receiver asked for at the end of each second, packets/s.
    pub rates: Vec<f64>,
    /// Number of retransmission timeouts.
    pub timeouts: u32,
}

impl Outcome {
    /// Packets per second that arrived from second `from` up to second `to`.
    pub(crate) fn goodput(&self, from: usize, to: usize) -> f64 {
        self.delivered[from..to].iter().sum::<u64>() as f64 / (to - from) as f64
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Second,
    Begin(usize),
    Release(usize),
    Timer(usize),
    Offer(Data),
    Link,
    Acknowledge { flow: usize, tx: u64, sent: Time, rate: Option<u64> },
}

/// A data packet, by the number of its transmission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Data {
    flow: usize,
    tx: u64,
    sent: Time,
}

impl Packet for Data {
    fn wire_bytes(&self) -> u32 {
        PACKET
    }
}

struct Flow {
    sender: Controller,
    receiver: Box<dyn ReceiverHalf>,
    outstanding: BTreeMap<u64, Time>,
    next_tx: u64,
    srtt: Span,
    rtt_min: Span,
    timer: Time,
    backed_off: u32,
    release: Time,
    left_host: Time,
    begun: bool,
    outcome: Outcome,
}

struct World {
    setup: SharedLink,
    link: Link<Data>,
    flows: Vec<Flow>,
    events: BinaryHeap<Reverse<(Time, u64, Event)>>,
    scheduled: u64,
    /// Time of the link's next event.
    link_due: Time,
    hosts: Stream,
    second: usize,
}

impl SharedLink {
    fn link(&self) -> Link<Data> {
        let bits = |packets: f64| Rate::from_bps(packets * 8.0 * f64::from(PACKET));
        let mut config = Config::constant(bits(self.rates[0].1), self.rtt / 2, self.queue)
            .with_loss(Probability::clamped(self.loss));
        for &(at, rate) in &self.rates[1..] {
            let service = Service::Constant(bits(rate));
            let to = atl_link::Conditions { service, ..config.initial.clone() };
            config.schedule.push(Change { at: Time::from_secs_f64(at), to });
        }
        let (from, to) = self.blackout;
        if from < to {
            let (at, lasts) = (Time::from_secs_f64(from), Span::from_secs_f64(to - from));
            config.blackouts.push(Blackout { at, lasts, hold: false });
        }
        Link::new(Arc::new(config), Stream::new(self.seed, "shared"))
    }

    /// Runs a greedy flow for each start (in seconds), all under `config`, for `secs` seconds.
    pub(crate) fn run(
        &self,
        config: &ControllerConfig,
        starts: &[f64],
        secs: usize,
    ) -> Vec<Outcome> {
        let start = Start::default()
            .initial_window(self.initial_window)
            .packet_bytes(PACKET)
            .receive_window(10_000);
        let flow = |_: &f64| Flow {
            sender: config.build(&start),
            receiver: config.build_receiver(&start).expect("a protocol with two halves"),
            outstanding: BTreeMap::new(),
            next_tx: 0,
            srtt: Span::ZERO,
            rtt_min: Span::MAX,
            timer: Time::MAX,
            backed_off: 0,
            release: Time::MAX,
            left_host: Time::ZERO,
            begun: false,
            outcome: Outcome { delivered: vec![0], dropped: vec![0], ..Outcome::default() },
        };
        let mut world = World {
            setup: self.clone(),
            link: self.link(),
            flows: starts.iter().map(flow).collect(),
            events: BinaryHeap::new(),
            scheduled: 0,
            link_due: Time::MAX,
            hosts: Stream::new(self.seed, "hosts"),
            second: 0,
        };
        for (i, &start) in starts.iter().enumerate() {
            world.at(Time::from_secs_f64(start), Event::Begin(i));
        }
        world.at(Time::from_millis(1000), Event::Second);
        while world.second < secs {
            let Reverse((now, _, event)) = world.events.pop().expect("there is a next second");
            world.handle(now, event);
        }
        world.flows.into_iter().map(|f| f.outcome).collect()
    }
}

impl World {
    fn at(&mut self, at: Time, event: Event) {
        self.scheduled += 1;
        self.events.push(Reverse((at, self.scheduled, event)));
    }

    /// Schedules an event for the time at which the link has the next one.
    fn await_link(&mut self) {
        let next = self.link.next_event();
        if next != self.link_due {
            self.link_due = next;
            if next < Time::MAX {
                self.at(next, Event::Link);
            }
        }
    }

    fn arrive(&mut self, Data { flow, tx, sent }: Data, now: Time) {
        let f = &mut self.flows[flow];
        f.outcome.delivered[self.second] += 1;
        f.receiver.on_data(&Arrived::new(now, tx, sent, PACKET));
        let rate = f.receiver.rate().map(f64::to_bits);
        self.at(now + self.setup.rtt / 2, Event::Acknowledge { flow, tx, sent, rate });
    }

    fn handle(&mut self, now: Time, event: Event) {
        match event {
            Event::Second => {
                self.second += 1;
                for flow in &mut self.flows {
                    flow.outcome.rates.push(flow.receiver.rate().unwrap_or(0.0));
                    flow.outcome.delivered.push(0);
                    flow.outcome.dropped.push(0);
                }
                self.at(now + Span::from_secs(1), Event::Second);
            }
            Event::Begin(flow) => {
                self.flows[flow].begun = true;
                self.send(flow, now);
            }
            Event::Release(flow) => {
                if self.flows[flow].release == now {
                    self.flows[flow].release = Time::MAX;
                    self.send(flow, now);
                }
            }
            Event::Timer(flow) => self.expire(flow, now),
            Event::Offer(data) => {
                if let Err(dropped) = self.link.offer(now, data) {
                    self.flows[dropped.flow].outcome.dropped[self.second] += 1;
                }
                self.await_link();
            }
            Event::Link if self.link_due != now => {}
            Event::Link => {
                while let Some(exit) = self.link.poll(now) {
                    if let Exit::Delivered(data) = exit {
                        self.arrive(data, now);
                    }
                }
                self.await_link();
            }
            Event::Acknowledge { flow, tx, sent, rate } => {
                self.acknowledge(flow, tx, sent, rate, now);
            }
        }
    }

    fn send(&mut self, flow: usize, now: Time) {
        loop {
            let f = &mut self.flows[flow];
            if !f.begun || (f.outstanding.len() + 1) as f64 > f.sender.window() {
                return;
            }
            if let Some(at) = f.sender.release_at()
                && at > now
            {
                if f.release != at {
                    f.release = at;
                    self.at(at, Event::Release(flow));
                }
                return;
            }
            let tx = f.next_tx;
            f.next_tx += 1;
            f.outstanding.insert(tx, now);
            f.sender.on_sent(&Sent::new(now, tx, PACKET, f.outstanding.len() as u32));
            if f.timer == Time::MAX {
                self.arm(flow, now);
            }
            let held =
                Span::from_nanos((self.setup.jitter.nanos() as f64 * self.hosts.uniform()) as u64);
            let f = &mut self.flows[flow];
            f.left_host = f.left_host.max(now + held);
            let at = f.left_host;
            self.at(at, Event::Offer(Data { flow, tx, sent: now }));
        }
    }

    fn acknowledge(&mut self, flow: usize, tx: u64, sent: Time, rate: Option<u64>, now: Time) {
        let f = &mut self.flows[flow];
        if let Some(rate) = rate {
            f.sender.on_peer_rate(now, f64::from_bits(rate));
        }
        let rtt = now.since(sent);
        f.srtt = if f.srtt.is_zero() { rtt } else { f.srtt.mul_f64(0.875) + rtt.mul_f64(0.125) };
        f.rtt_min = f.rtt_min.min(rtt);
        let delivered = u32::from(f.outstanding.remove(&tx).is_some());
        // Packets sent three or more transmissions earlier count as lost.
        f.outstanding = f.outstanding.split_off(&tx.saturating_sub(2));
        f.backed_off = 0;
        f.sender.on_ack(
            &Ack::new(now)
                .delivered(delivered)
                .cumulative(delivered)
                .duplicate(delivered == 0)
                .newest(Some((tx, sent)))
                .rtt(Some(rtt))
                .srtt(f.srtt)
                .rtt_min(f.rtt_min)
                .in_flight(f.outstanding.len() as u32)
                .window_limited(false),
        );
        self.arm(flow, now);
        self.send(flow, now);
    }

    fn arm(&mut self, flow: usize, now: Time) {
        let f = &mut self.flows[flow];
        f.timer = now + Span::from_secs(1).max(f.srtt * 3) * (1 << f.backed_off.min(6));
        let at = f.timer;
        self.at(at, Event::Timer(flow));
    }

    fn expire(&mut self, flow: usize, now: Time) {
        let f = &mut self.flows[flow];
        if f.timer != now || f.outstanding.is_empty() {
            return;
        }
        f.outcome.timeouts += 1;
        f.backed_off += 1;
        let in_flight = f.outstanding.len() as u32;
        f.outstanding.clear();
        f.sender.on_timeout(&Timeout::new(now, in_flight).consecutive(f.backed_off));
        self.arm(flow, now);
        self.send(flow, now);
    }
}
