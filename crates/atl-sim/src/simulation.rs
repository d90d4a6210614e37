//! The event loop: virtual time goes from event to event, packets from link to link.

use atl_core::time::{Span, Time};
use atl_core::window::{End, Handoff, WindowController};
use atl_link::{ChangeEvent, Exit};
use atl_scenario::result::RunResult;
use atl_scenario::setup::Setup;

use crate::events::EventQueue;
use crate::flow::Flow;
use crate::network::{END, Network};
use crate::packet::{Kind, Packet, SackId, SackStore, expand};
use crate::record::{OnWire, Recorder};
use crate::tcp::{AckInfo, Arrival, Outgoing};

/// Time between two reports of a wireless link to a host that listens. A report is also given at once when
/// the link changes.
const REPORT_EVERY: Span = Span::from_millis(100);

/// Events carry an element's kind in the upper bits of their id and its index in the lower ones.
const KIND_SHIFT: u32 = 28;
const INDEX: u32 = (1 << KIND_SHIFT) - 1;
const LINK: u32 = 0;
const SENDER: u32 = 1 << KIND_SHIFT;
const RECEIVER: u32 = 2 << KIND_SHIFT;
const EMIT: u32 = 3 << KIND_SHIFT;
const REPORT: u32 = 4 << KIND_SHIFT;
const MEASURE: u32 = 5 << KIND_SHIFT;
const SAMPLE: u32 = 6 << KIND_SHIFT;

/// What a run measures beyond what costs nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Keep a histogram of each flow's RTT samples.
    pub rtt: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { rtt: true }
    }
}

/// One run of a setup.
#[derive(Debug)]
pub struct Simulation {
    now: Time,
    end: Time,
    queue: EventQueue,
    network: Network,
    flows: Vec<Flow>,
    sacks: SackStore,
    on_wire: OnWire,
    recorder: Recorder,
    events: u64,
}

impl Simulation {
    /// The setup at time zero.
    ///
    /// # Panics
    /// If a flow's packets are longer than 65535 bytes or its paths name links that are not there; the
    /// reader of scenario files lets no such setup through.
    pub fn new(setup: &Setup, seed: u64) -> Self {
        Self::with_options(setup, seed, Options::default())
    }

    /// The same with a choice of what is measured.
    pub fn with_options(setup: &Setup, seed: u64, options: Options) -> Self {
        let mut network = Network::new(&setup.links, seed);
        let mut flows: Vec<Flow> =
            setup.flows.iter().map(|f| Flow::new(f, seed, options.rtt)).collect();
        for (index, (flow, plan)) in flows.iter_mut().zip(&setup.flows).enumerate() {
            (flow.forward, flow.back) = network.add_routes(plan);
            let first = plan.forward.first().copied();
            flow.access = first.filter(|&l| setup.links[l].wireless).map(|l| l as u32);
            flow.air = plan.forward.iter().find(|&&l| setup.links[l].wireless).map(|&l| l as u32);
            if let Some(link) = flow.access {
                network.listeners[link as usize].push(index as u32);
            }
        }
        let end = Time::ZERO + setup.duration;
        let mut sim = Simulation {
            now: Time::ZERO,
            end,
            queue: EventQueue::default(),
            network,
            flows,
            sacks: SackStore::default(),
            on_wire: OnWire::new(setup.flows.len()),
            recorder: Recorder::new(setup.sample_every),
            events: 0,
        };
        sim.schedule_start(setup);
        sim
    }

    fn schedule_start(&mut self, setup: &Setup) {
        for link in 0..self.network.links.len() as u32 {
            self.watch(link);
            let listened = self.network.listeners[link as usize]
                .iter()
                .any(|&f| self.flows[f as usize].sender.controller().listens());
            if listened {
                self.queue.push(Time::ZERO, REPORT | link);
            }
        }
        for flow in 0..self.flows.len() {
            let start = self.flows[flow].start;
            self.flows[flow].due = start;
            self.queue.push(start, SENDER | flow as u32);
        }
        self.queue.push(Time::ZERO + setup.warmup, MEASURE);
        if let Some(every) = self.recorder.every() {
            self.queue.push(Time::ZERO + every, SAMPLE);
        }
    }

    /// Runs to the end.
    pub fn run(mut self) -> RunResult {
        self.advance_to(self.end);
        self.recorder.finish(&self.flows, &self.network, &self.on_wire, self.end, self.events)
    }

    /// Handles all events up to and including `until`.
    pub fn advance_to(&mut self, until: Time) {
        while let Some(event) = self.queue.pop_until(until) {
            self.touch_ahead();
            self.now = event.at;
            self.events += 1;
            let index = event.id & INDEX;
            match event.id & !INDEX {
                LINK => self.on_link(index),
                SENDER => self.on_sender_timer(index),
                RECEIVER => self.on_receiver_timer(index),
                EMIT => self.on_emit(index),
                REPORT => self.on_report(index),
                MEASURE => self.begin_measurement(),
                _ => self.on_sample(),
            }
        }
        self.now = self.now.max(until);
    }

    /// In a large simulation nearly everything that an event needs is far away in memory. The wheel's turn
    /// tells of the next few dozen events: reading what they need in rounds - links, their first
    /// packets, where those go, what that sets off - lets all of a round's waits pass at the same time.
    #[inline]
    fn touch_ahead(&mut self) {
        let Some(events) = self.queue.fresh() else { return };
        let links = &self.network.links;
        let due = || events.iter().filter(|e| e.id & !INDEX == LINK).map(|e| &links[e.id as usize]);
        let mut mixed = 0;
        for hop in due() {
            mixed ^= hop.link.touch() ^ hop.due.nanos();
        }
        for packet in due().filter_map(|hop| hop.link.front()) {
            mixed ^= u64::from(packet.flow);
        }
        for packet in due().filter_map(|hop| hop.link.front()) {
            let next = self.network.link_at(packet.hop + 1);
            mixed ^= match links.get(next as usize) {
                Some(hop) => hop.link.touch(),
                None => self.flows[packet.flow as usize].touch(packet.kind),
            };
        }
        // An ACK lets its sender send.
        for packet in due().filter_map(|hop| hop.link.front()) {
            if packet.kind == Kind::Ack && self.network.link_at(packet.hop + 1) == END {
                let flow = &self.flows[packet.flow as usize];
                let first = self.network.link_at(flow.forward);
                mixed ^= flow.sender.touch_segments() ^ links[first as usize].link.touch();
            }
        }
        std::hint::black_box(mixed);
    }

    /// The time that it is in the run.
    pub fn now(&self) -> Time {
        self.now
    }

    /// Number of flows.
    pub fn flows(&self) -> usize {
        self.flows.len()
    }

    /// Segments of a flow that its receiver has handed over in order so far.
    pub fn delivered(&self, flow: usize) -> u64 {
        self.flows[flow].receiver.next()
    }

    /// Events handled so far.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Puts a link's next event into the queue, unless an earlier one of it is there.
    #[inline]
    fn watch(&mut self, link: u32) {
        let hop = &mut self.network.links[link as usize];
        let next = hop.link.next_event();
        if next < hop.due {
            hop.due = next;
            self.queue.push(next, LINK | link);
        }
    }

    #[inline]
    fn on_link(&mut self, link: u32) {
        let hop = &mut self.network.links[link as usize];
        if hop.due != self.now {
            return;
        }
        hop.due = Time::MAX;
        // Most of what comes out are packets that arrive: those take the short way out.
        loop {
            let source = &mut self.network.links[link as usize].link;
            if let Some(packet) = source.poll_delivered(self.now) {
                self.on_delivered(packet);
                continue;
            }
            match source.poll(self.now) {
                None => break,
                Some(Exit::Delivered(packet)) => self.on_delivered(packet),
                Some(Exit::Lost(packet, _)) => self.on_lost(&packet),
                Some(Exit::Changed(change)) => self.on_change(link, change),
            }
        }
        self.watch(link);
    }

    /// A packet came out of a link: on to the next one, or to the endpoint.
    #[inline]
    fn on_delivered(&mut self, mut packet: Packet) {
        self.on_wire.count(&packet);
        packet.first_hop = false;
        packet.hop += 1;
        if self.network.link_at(packet.hop) != END {
            self.offer(packet);
            return;
        }
        match packet.kind {
            Kind::Data => self.on_data(&packet),
            Kind::Ack => self.on_ack(&packet),
            Kind::Syn => {
                let flow = &self.flows[packet.flow as usize];
                let (hop, bytes) = (flow.back, flow.ack_bytes);
                self.offer(Packet { hop, bytes, kind: Kind::SynAck, ..packet });
            }
            Kind::SynAck => {
                self.flows[packet.flow as usize].sender.on_syn_ack(self.now, packet.sent_at);
                self.send(packet.flow);
            }
        }
    }

    /// Hands a packet to the link at its place on its path.
    #[inline]
    fn offer(&mut self, packet: Packet) {
        let link = self.network.link_at(packet.hop);
        let offered = self.network.links[link as usize].link.offer(self.now, packet);
        if let Err(packet) = offered {
            self.on_dropped(link, &packet);
        }
        self.watch(link);
    }

    /// A queue dropped this packet, and maybe others with it.
    fn on_dropped(&mut self, link: u32, first: &Packet) {
        let mut dropped = Some(*first);
        while let Some(packet) = dropped {
            self.sacks.take(packet.sack);
            let counts = u64::from(packet.kind == Kind::Data);
            self.flows[packet.flow as usize].tally.dropped += counts;
            dropped = self.network.links[link as usize].link.next_dropped();
        }
    }

    fn on_lost(&mut self, packet: &Packet) {
        self.sacks.take(packet.sack);
        if packet.kind != Kind::Data {
            return;
        }
        let flow = &mut self.flows[packet.flow as usize];
        flow.tally.lost += 1;
        if packet.first_hop {
            self.on_wire.count(packet);
            if flow.access.is_some() {
                let seq = expand(flow.sender.una(), packet.seq);
                flow.sender.on_link_failure(seq, packet.tx);
            }
        }
    }

    #[inline]
    fn on_data(&mut self, packet: &Packet) {
        let flow = &mut self.flows[packet.flow as usize];
        let arrival = Arrival {
            seq: expand(flow.receiver.next(), packet.seq),
            tx: packet.tx,
            sent_at: packet.sent_at,
        };
        match flow.receiver.on_segment(self.now, arrival) {
            Some(ack) => self.send_ack(packet.flow, &ack),
            None => {
                if let Some(due) = flow.receiver.ack_due() {
                    self.queue.push(due, RECEIVER | packet.flow);
                }
            }
        }
    }

    #[inline]
    fn send_ack(&mut self, index: u32, ack: &AckInfo) {
        let sack = self.sacks.put(&ack.sack);
        let flow = &self.flows[index as usize];
        self.offer(Packet {
            sent_at: ack.echo_sent_at,
            tx: ack.echo_tx,
            seq: ack.ack as u32,
            flow: index,
            hop: flow.back,
            bytes: flow.ack_bytes,
            kind: Kind::Ack,
            first_hop: false,
            sack,
        });
    }

    #[inline]
    fn on_ack(&mut self, packet: &Packet) {
        let info = AckInfo {
            ack: expand(self.flows[packet.flow as usize].sender.una(), packet.seq),
            echo_tx: packet.tx,
            echo_sent_at: packet.sent_at,
            sack: self.sacks.take(packet.sack),
        };
        let flow = &mut self.flows[packet.flow as usize];
        if let Some(rtt) = flow.sender.on_ack(self.now, &info) {
            flow.note_rtt(rtt);
        }
        self.send(packet.flow);
    }

    /// Sends what a sender may send, and sees to its timers.
    #[inline]
    fn send(&mut self, index: u32) {
        loop {
            let flow = &mut self.flows[index as usize];
            let Some(out) = flow.sender.poll_send(self.now) else {
                break;
            };
            let (kind, seq, tx, bytes) = match out {
                Outgoing::Data { seq, tx } => (Kind::Data, seq, tx, flow.data_bytes),
                Outgoing::Syn => (Kind::Syn, 0, 0, flow.ack_bytes),
            };
            let packet = Packet {
                sent_at: self.now,
                tx: tx as u32,
                seq: seq as u32,
                flow: index,
                hop: flow.forward,
                bytes,
                kind,
                first_hop: kind == Kind::Data,
                sack: SackId::NONE,
            };
            match &mut flow.overhead {
                None => self.offer(packet),
                Some(overhead) => {
                    if let Some(at) = overhead.hold(self.now, packet) {
                        self.queue.push(at, EMIT | index);
                    }
                }
            }
        }
        self.watch_timer(index);
    }

    #[inline]
    fn watch_timer(&mut self, index: u32) {
        let flow = &mut self.flows[index as usize];
        let next = flow.sender.next_timer(self.now);
        if next < flow.due {
            flow.due = next;
            self.queue.push(next, SENDER | index);
        }
    }

    fn on_sender_timer(&mut self, index: u32) {
        let flow = &mut self.flows[index as usize];
        if flow.due != self.now {
            return;
        }
        flow.due = Time::MAX;
        flow.sender.on_timer(self.now);
        self.send(index);
    }

    fn on_receiver_timer(&mut self, index: u32) {
        if let Some(ack) = self.flows[index as usize].receiver.on_timer(self.now) {
            self.send_ack(index, &ack);
        }
    }

    fn on_emit(&mut self, index: u32) {
        let Some(overhead) = &mut self.flows[index as usize].overhead else {
            return;
        };
        let first = overhead.waiting.pop_front();
        if let Some(&(at, _)) = overhead.waiting.front() {
            self.queue.push(at, EMIT | index);
        }
        if let Some((_, packet)) = first {
            self.offer(packet);
        }
    }

    fn on_report(&mut self, link: u32) {
        self.report(link);
        self.queue.push(self.now + REPORT_EVERY, REPORT | link);
    }

    /// Tells the hosts at a wireless link of it.
    fn report(&mut self, link: u32) {
        let report = self.network.links[link as usize].link.report(self.now);
        for &index in &self.network.listeners[link as usize] {
            self.flows[index as usize].sender.on_link_report(self.now, &report);
        }
    }

    fn on_change(&mut self, link: u32, change: ChangeEvent) {
        let (old_delay, new_delay) = (change.old_delay, change.new_delay);
        let handoff = Handoff { now: self.now, end: End::Own, old_delay, new_delay };
        for &index in &self.network.listeners[link as usize] {
            self.flows[index as usize].sender.on_handoff(&handoff);
        }
        if !self.network.listeners[link as usize].is_empty() {
            self.report(link);
        }
    }

    fn begin_measurement(&mut self) {
        for (index, flow) in self.flows.iter_mut().enumerate() {
            let on_wire = self.on_wire.of(index);
            flow.begin_measurement(self.now, on_wire);
        }
    }

    fn on_sample(&mut self) {
        self.recorder.sample(self.now, &mut self.flows, &self.network, &self.on_wire);
        if let Some(every) = self.recorder.every() {
            self.queue.push(self.now + every, SAMPLE);
        }
    }
}
