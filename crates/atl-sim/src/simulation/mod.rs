//! The event loop: virtual time goes from event to event, packets from link to link.

mod agents;
mod cells;
mod links;
mod paced;
mod receivers;
mod senders;
mod settle;
#[cfg(test)]
mod tests;

use atl_core::time::{Span, Time};
use atl_core::window::WindowController;
use atl_scenario::protocol::Transport;
use atl_scenario::result::{FlowResult, RunResult, Sample};
use atl_scenario::setup::Setup;

use crate::agent::Station;
use crate::aside::Aside;
use crate::events::EventQueue;
use crate::flow::{Flow, Wireless};
use crate::network::{END, Network};
use crate::paced::PacedFlow;
use crate::packet::{Kind, OptionStore};
use crate::record::{OnWire, Recorder};
use atl_endpoint::paced::Told;
use cells::{Atm, Entrance};
use settle::{Ways, settle};

/// Time between two reports of a wireless link to a host that listens. A report is also given at once when
/// the link changes.
const REPORT_EVERY: Span = Span::from_millis(100);

/// ACKs that tell of an open window after an interruption (Freeze-TCP).
const THAW_ACKS: u32 = 3;

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
const STEP: u32 = 7 << KIND_SHIFT;
const AGENT: u32 = 8 << KIND_SHIFT;
const CHANNEL: u32 = 9 << KIND_SHIFT;

/// What a run measures beyond what costs nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Keep a histogram of each flow's RTT samples.
    pub rtt: bool,
    /// Measure the jitter of each flow's data packets.
    pub jitter: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { rtt: true, jitter: true }
    }
}

/// One run of a setup.
#[derive(Debug)]
pub struct Simulation {
    now: Time,
    end: Time,
    queue: EventQueue,
    network: Network,
    /// TCP flows. A flow's id is its index here, and a paced flow's its index there behind all of these.
    flows: Vec<Flow>,
    paced: Vec<PacedFlow>,
    /// The ids of the flows in the setup's order.
    ids: Vec<u32>,
    /// Reports of paced flows that are on their way.
    reports: Aside<Told>,
    /// Agents at access points.
    stations: Vec<Station>,
    /// Virtual channels and their cells.
    atm: Atm,
    /// The first virtual channel's end on the way of each flow, by id.
    channels: Vec<Option<u32>>,
    options: OptionStore,
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
        let mut atm = Atm::new(setup, &mut network, seed);
        let (mut flows, mut paced) = (Vec::new(), Vec::new());
        let tcps = setup.flows.iter().filter(|plan| plan.protocol.tcp().is_some()).count() as u32;
        let mut ids = Vec::with_capacity(setup.flows.len());
        let mut channels = vec![None; setup.flows.len()];
        for plan in &setup.flows {
            let id = match plan.protocol.transport {
                Transport::Tcp(_) => flows.len() as u32,
                Transport::Paced(_) => tcps + paced.len() as u32,
            };
            let Entrance { forward, back, first_end } = atm.enter(&mut network, plan, id, seed);
            channels[id as usize] = first_end;
            let (listens, hears) = match &plan.protocol.transport {
                Transport::Tcp(protocol) => {
                    let mut flow = Flow::new(plan, protocol, &setup.links, seed, options);
                    (flow.forward, flow.back) = (forward, back);
                    let ends = (flow.access, flow.peer_access.filter(|_| flow.voice.is_some()));
                    flows.push(flow);
                    ends
                }
                Transport::Paced(config) => {
                    let mut flow = PacedFlow::new(plan, config, &setup.links, seed, options);
                    (flow.forward, flow.back) = (forward, back);
                    let Wireless { access, peer_access, .. } = flow.wireless;
                    let ends = (access, peer_access.filter(|_| flow.voice.is_some()));
                    paced.push(flow);
                    ends
                }
            };
            if let Some(link) = listens {
                network.listeners[link as usize].push(id);
            }
            if let Some(link) = hears {
                network.receivers[link as usize].push(id);
            }
            ids.push(id);
        }
        let mut stations = Vec::new();
        // Agents repair TCP: they know nothing of other flows, which pass.
        for (&id, plan) in ids.iter().zip(&setup.flows) {
            let Some(flow) = flows.get(id as usize) else { continue };
            let (forward, back) = (flow.forward, flow.back);
            let ways = Ways { flow: id, forward, back, ack_bytes: flow.ack_bytes };
            settle(&mut network, &mut stations, &setup.links, plan, ways);
        }
        let end = Time::ZERO + setup.duration;
        let mut sim = Simulation {
            now: Time::ZERO,
            end,
            queue: EventQueue::default(),
            network,
            flows,
            paced,
            ids,
            reports: Aside::default(),
            stations,
            atm,
            channels,
            options: OptionStore::default(),
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
            let listened = self.network.listeners[link as usize].iter().any(|&id| self.listens(id));
            if listened {
                self.queue.push(Time::ZERO, REPORT | link);
            }
        }
        for flow in 0..self.flows.len() {
            let start = self.flows[flow].start;
            self.flows[flow].due = start;
            self.queue.push(start, SENDER | flow as u32);
            if let Some(step) = self.flows[flow].steps.last() {
                self.queue.push(step.at, STEP | flow as u32);
            }
        }
        for end in 0..self.atm.ends.len() {
            self.watch_end(end);
        }
        for (flow, id) in self.paced.iter_mut().zip(self.flows.len() as u32..) {
            flow.due = flow.start;
            self.queue.push(flow.start, SENDER | id);
        }
        self.queue.push(Time::ZERO + setup.warmup, MEASURE);
        if let Some(every) = self.recorder.every() {
            self.queue.push(Time::ZERO + every, SAMPLE);
        }
    }

    /// True if the controller of this flow wants to hear of its wireless links.
    fn listens(&self, id: u32) -> bool {
        match self.flows.get(id as usize) {
            Some(flow) => flow.sender.controller().listens(),
            None => self.paced[id as usize - self.flows.len()].sender.controller().listens(),
        }
    }

    /// Runs to the end.
    pub fn run(mut self) -> RunResult {
        self.advance_to(self.end);
        let flows = (0..self.ids.len()).map(|index| self.flow_result(index)).collect();
        let mut result = self.recorder.finish(flows, &self.network, self.events);
        for station in &self.stations {
            result.links[station.air as usize].local_retransmissions += station.copies;
        }
        result
    }

    /// Handles all events up to and including `until`.
    pub fn advance_to(&mut self, until: Time) {
        while let Some(event) = self.queue.pop_until(until) {
            self.touch_ahead();
            debug_assert!(event.at >= self.now, "time goes back: {event:?} at {:?}", self.now);
            self.now = event.at;
            self.events += 1;
            if event.id <= LINK | INDEX {
                self.on_link(event.id);
            } else {
                self.on_other(event.id);
            }
        }
        self.now = self.now.max(until);
    }

    /// An event that is not a link's: few are.
    fn on_other(&mut self, id: u32) {
        let index = id & INDEX;
        match id & !INDEX {
            SENDER => self.on_sender_timer(index),
            RECEIVER => self.on_receiver_timer(index),
            EMIT => self.on_emit(index),
            REPORT => self.on_report(index),
            MEASURE => self.begin_measurement(),
            STEP => self.on_step(index),
            AGENT => self.on_agent(index),
            CHANNEL => self.on_end(index),
            _ => self.on_sample(),
        }
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
                // A cell is of no flow.
                None if packet.kind == Kind::Cell => 0,
                None => match self.flows.get(packet.flow as usize) {
                    Some(flow) => flow.touch(packet.kind),
                    None => self.paced[packet.flow as usize - self.flows.len()].touch(),
                },
            };
        }
        // An ACK lets its sender send.
        for packet in due().filter_map(|hop| hop.link.front()) {
            if packet.kind == Kind::Ack && self.network.link_at(packet.hop + 1) == END {
                let flow = &self.flows[packet.flow as usize];
                let first = self.network.link_at(flow.forward);
                mixed ^= flow.sender.touch_segments();
                mixed ^= links.get(first as usize).map_or(0, |hop| hop.link.touch());
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
        self.ids.len()
    }

    /// Segments of a TCP flow that its receiver has handed over in order so far; packets of a paced flow that have
    /// arrived.
    pub fn delivered(&self, flow: usize) -> u64 {
        let id = self.ids[flow] as usize;
        match self.flows.get(id) {
            Some(flow) => flow.receiver.next(),
            None => self.paced[id - self.flows.len()].receiver.arrived(),
        }
    }

    /// Cells sent so far, by all ends of virtual channels.
    pub fn cells(&self) -> u64 {
        (0..self.atm.ends.len()).map(|end| self.atm.ends.cells_sent(end)).sum()
    }

    /// Events handled so far.
    pub fn events(&self) -> u64 {
        self.events
    }

    fn begin_measurement(&mut self) {
        self.atm.ends.begin_measurement();
        for &id in &self.ids {
            let on_wire = self.on_wire.of(id);
            let tcps = self.flows.len();
            match self.flows.get_mut(id as usize) {
                Some(flow) => flow.begin_measurement(self.now, on_wire),
                None => self.paced[id as usize - tcps].begin_measurement(self.now, on_wire),
            }
        }
    }

    fn on_sample(&mut self) {
        let Some(every) = self.recorder.every() else { return };
        let (now, tcps) = (self.now, self.flows.len());
        for (index, &id) in self.ids.iter().enumerate() {
            let on_wire = self.on_wire.of(id);
            let network = |air: Option<u32>| {
                air.map_or(0, |l| self.network.links[l as usize].link.changes() as u32)
            };
            let sample = match self.flows.get_mut(id as usize) {
                Some(flow) => flow.sample(now, every, network(flow.air), on_wire),
                None => {
                    let flow = &mut self.paced[id as usize - tcps];
                    flow.sample(now, every, network(flow.wireless.first), on_wire)
                }
            };
            self.recorder.push(Sample { flow: index as u32, ..sample });
        }
        self.queue.push(now + every, SAMPLE);
    }

    fn flow_result(&mut self, index: usize) -> FlowResult {
        let id = self.ids[index];
        let on_wire = self.on_wire.of(id);
        let tcps = self.flows.len();
        let result = match self.flows.get_mut(id as usize) {
            Some(flow) => flow.result(self.end, on_wire),
            None => self.paced[id as usize - tcps].result(self.end, on_wire),
        };
        let adaptation = self.channels[id as usize].map(|end| self.atm.ends.result(end));
        FlowResult { adaptation, ..result }
    }
}
