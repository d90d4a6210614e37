//! The event loop: virtual time goes from event to event, packets from link to link.

mod agents;
mod cells;
mod held;
mod links;
mod mobiles;
mod paced;
mod placement;
mod proxies;
mod receivers;
mod senders;
mod talks;
mod tcp;
#[cfg(test)]
mod tests;
mod watching;

use atl_core::time::Time;
use atl_endpoint::handoff::{HandoffReport, Notice};
use atl_endpoint::paced::ReportPacket;
use atl_engine::flow::record::{NetworkRtts, Recorder};
use atl_engine::flow::{Access, Hearing, Wireless, Written};
use atl_engine::result::{FlowResult, LinkResult, RunResult};
use atl_engine::setup::Setup;

use crate::agent::Station;
use crate::atm::Atm;
use crate::events::{Event, EventQueue, INDEX, KIND_SHIFT};
use crate::flow::{Ends, Flow, Options, Paths, Proxied, Reader, Roaming, Talking};
use crate::network::{END, Network};
use crate::on_wire::OnWire;
use crate::packet::{OptionStore, PacketKind};
use crate::slab::Slab;
use placement::place_agents;
pub use watching::{Happening, What};

const LINK: u32 = 0;
const SENDER: u32 = 1 << KIND_SHIFT;
const RECEIVER: u32 = 2 << KIND_SHIFT;
const EMIT: u32 = 3 << KIND_SHIFT;
const REPORT: u32 = 4 << KIND_SHIFT;
const SAMPLE: u32 = 5 << KIND_SHIFT;
/// A mobile changes its path before anything that its hosts do at that moment.
const MOBILE: u32 = 6 << KIND_SHIFT;
const STEP: u32 = 7 << KIND_SHIFT;
const AGENT: u32 = 8 << KIND_SHIFT;
const CHANNEL: u32 = 9 << KIND_SHIFT;
const HELD: u32 = 10 << KIND_SHIFT;
/// After all arrivals of its instant.
const TALK: u32 = 11 << KIND_SHIFT;
/// After all arrivals of its instant, too.
const RELAY: u32 = 12 << KIND_SHIFT;

/// Events for each link and flow between two looks for memory that is no longer needed. A look at
/// one costs a cache miss or two, as an event does.
const TRIM_EVERY: usize = 128;

/// One run of a setup.
#[derive(Debug)]
pub struct Simulation {
    now: Time,
    end: Time,
    /// When measurement begins, before anything else that happens then; `None` once it has begun.
    measured_from: Option<Time>,
    queue: EventQueue,
    network: Network,
    /// Losses, rates and handoffs that the MACs of wireless links tell the hosts at their ends.
    access: Access,
    /// Flows in the setup's order; a flow's id is its index.
    flows: Vec<Flow>,
    /// Reports of paced flows under way.
    reports: Slab<ReportPacket>,
    /// Notices of mobile receivers under way.
    notices: Slab<Notice>,
    /// Handoff Reports under way.
    handoff_reports: Slab<HandoffReport>,
    /// Some flow is that of a mobile.
    roams: bool,
    /// Agents at access points.
    stations: Vec<Station>,
    /// Applications that talk over pairs of flows.
    talks: Vec<Talking>,
    /// Room for what these write at an instant.
    written: Vec<Written>,
    /// Virtual channels and their cells.
    atm: Atm,
    options: OptionStore,
    on_wire: OnWire,
    recorder: Recorder,
    events: u64,
    /// The number of events after which memory is given back.
    trim_at: u64,
    /// Happenings since the last call; `None` unless the run is watched.
    seen: Option<Vec<Happening>>,
}

impl Simulation {
    /// A run of this setup, at time zero.
    ///
    /// # Panics
    /// Panics if a flow's packets are longer than 65535 bytes or its paths name links that do not
    /// exist: the reader of scenario files refuses such setups. Panics too if a flow's controller
    /// runs only over QUIC, which is a gap of [`Sim`](crate::Sim).
    pub fn new(setup: &Setup, seed: u64) -> Self {
        Self::with_options(setup, seed, Options::default())
    }

    /// As [`new`](Self::new), with a choice of what is measured.
    pub fn with_options(setup: &Setup, seed: u64, options: Options) -> Self {
        let mut network = Network::new(&setup.links, seed);
        let mut atm = Atm::new(setup, &mut network, seed);
        let mut stations = Vec::new();
        let mut access = Access::new(setup.links.len());
        let mut flows: Vec<Flow> = Vec::with_capacity(setup.flows.len());
        for (id, plan) in (0..).zip(&setup.flows) {
            let mut enter = |path| atm.enter(&mut network, plan, path, (id, seed));
            let all: Vec<Paths> = plan.paths.iter().map(&mut enter).collect();
            let roaming = Roaming::new(plan, &setup.mobiles, &setup.links, &all, seed);
            let mut flow = Flow::new(plan, &setup.links, (all[0], roaming), seed, options);
            flow.rtts = NetworkRtts::of(setup, id as usize, options.rtt);
            // Agents repair TCP; packets of other flows pass through.
            if matches!(flow.ends, Ends::Tcp(_)) {
                for (path, paths) in plan.paths.iter().zip(&all) {
                    let stations = &mut stations;
                    let place = (*paths, id);
                    place_agents(&mut network, stations, &setup.links, path, place, flow.ack_bytes);
                }
            }
            let wireless = Wireless::of(plan.first_path(), &setup.links);
            let (listens, reports) = (flow.ends.listens(), flow.feedback.is_some());
            let mobile = flow.roaming.as_ref().map(|roaming| roaming.mobile());
            access.add(Hearing { wireless, listens, reports }, mobile);
            flows.push(flow);
        }
        let talks = Talking::all(setup, seed, &mut flows);
        for (index, proxied) in Proxied::all(setup) {
            if let (Proxied::Ends(_), Ends::Tcp(tcp)) = (&proxied, &mut flows[index].ends) {
                tcp.reader = Some(Box::new(Reader::Proxy(index as u32)));
            }
            flows[index].proxied = Some(proxied);
        }
        let on_wire = OnWire::new(flows.len().max(atm.ends.len() as usize));
        let end = Time::ZERO + setup.duration;
        // A kind has a leaf for each flow or none at all: the more elements, the deeper the tree.
        let of_flows = |has: fn(&Flow) -> bool| if flows.iter().any(has) { flows.len() } else { 0 };
        let busiest = [
            (LINK, network.links.len()),
            (SENDER, flows.len()),
            (RECEIVER, of_flows(|flow| flow.ends.receiver_waits())),
            (EMIT, of_flows(|flow| flow.overhead.is_some())),
            (AGENT, stations.len()),
            (CHANNEL, atm.ends.len() as usize),
        ];
        let mut sim = Simulation {
            now: Time::ZERO,
            end,
            measured_from: Some(Time::ZERO + setup.warmup),
            queue: EventQueue::of(&busiest),
            network,
            access,
            flows,
            reports: Slab::default(),
            notices: Slab::default(),
            handoff_reports: Slab::default(),
            roams: setup.flows.iter().any(|flow| flow.mobile.is_some()),
            stations,
            talks,
            written: Vec::new(),
            atm,
            options: OptionStore::default(),
            on_wire,
            recorder: Recorder::new(setup.sample_every, setup.flows.len()),
            events: 0,
            trim_at: 0,
            seen: None,
        };
        sim.schedule_start();
        sim
    }

    fn schedule_start(&mut self) {
        for link in 0..self.network.links.len() as u32 {
            self.watch(link);
        }
        for link in self.access.reporting() {
            self.queue.push(Time::ZERO, REPORT | link as u32);
        }
        for (id, flow) in (0..).zip(&mut self.flows) {
            flow.due = flow.start;
            self.queue.push(flow.start, SENDER | id);
            if let Ends::Tcp(tcp) = &flow.ends
                && let Some(step) = tcp.steps.last()
            {
                self.queue.push(step.at, STEP | id);
            }
            let mobile = flow.roaming.as_ref().map(|roaming| roaming.mobile());
            if let Some(step) = mobile.and_then(|mobile| mobile.next_step()) {
                self.queue.push(step, MOBILE | id);
            }
        }
        self.start_talks();
        for end in 0..self.atm.ends.len() {
            self.watch_end(end);
        }
        if let Some(every) = self.recorder.every() {
            self.queue.push(Time::ZERO + every, SAMPLE);
        }
    }

    /// Runs to the end of the setup's duration.
    pub fn run(mut self) -> RunResult {
        self.advance_to(self.end);
        let under_way = self.under_way();
        let mut flows: Vec<FlowResult> = (0..)
            .zip(&mut self.flows)
            .zip(under_way)
            .map(|((id, flow), under_way)| {
                let adaptation = flow.paths.channel.map(|end| self.atm.ends.result(end));
                FlowResult { adaptation, ..flow.result(self.end, self.on_wire.of(id), under_way) }
            })
            .collect();
        self.add_exchanges(&mut flows);
        let links = self.network.links.iter().map(|hop| &hop.link);
        let mut links = LinkResult::all(links, &self.network.trace_offsets);
        for station in &self.stations {
            links[station.air as usize].local_retransmissions += station.copies;
        }
        RunResult {
            flows,
            links,
            samples: self.recorder.into_samples(),
            events: Some(self.events),
            ..RunResult::default()
        }
    }

    /// Handles all events up to and including `until`.
    pub fn advance_to(&mut self, until: Time) {
        if let Some(at) = self.measured_from.filter(|at| *at <= until) {
            if let Some(before) = at.nanos().checked_sub(1) {
                self.handle_until(Time::from_nanos(before));
            }
            self.now = at;
            self.begin_measurement();
        }
        self.handle_until(until);
    }

    fn handle_until(&mut self, until: Time) {
        while let Some(event) = self.queue.pop_until(until) {
            self.touch_ahead();
            self.handle(event);
        }
        self.now = self.now.max(until);
    }

    /// An event of anything but a link: these are few.
    fn on_other(&mut self, id: u32) {
        let index = id & INDEX;
        match id & !INDEX {
            SENDER => self.on_sender_timer(index),
            RECEIVER => self.on_receiver_timer(index),
            EMIT => self.on_emit(index),
            REPORT => self.on_report(index),
            STEP => self.on_step(index),
            AGENT => self.on_agent(index),
            CHANNEL => self.on_end(index),
            MOBILE => self.on_mobile(index),
            HELD => self.release(index),
            TALK => self.on_talk(index),
            RELAY => self.on_relay(index),
            _ => self.on_sample(),
        }
    }

    /// In a large simulation nearly everything that an event needs is far away in memory. When the
    /// wheel turns, the next few dozen events are known: reading what they need in rounds (links,
    /// their first packets, where those go, what that triggers) lets all cache misses of a round
    /// overlap.
    #[inline]
    fn touch_ahead(&mut self) {
        let Some(events) = self.queue.fresh() else { return };
        let links = &self.network.links;
        let due =
            || events.iter().filter(|e| e.id() & !INDEX == LINK).map(|e| &links[e.id() as usize]);
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
                // A cell names an end of a channel rather than a flow: what is read for it is not
                // needed.
                None => self.flows.get(packet.flow as usize).map_or(0, |f| f.touch(packet.kind)),
            };
        }
        // An ACK lets its sender send.
        for packet in due().filter_map(|hop| hop.link.front()) {
            if packet.kind == PacketKind::Ack && self.network.link_at(packet.hop + 1) == END {
                let flow = &self.flows[packet.flow as usize];
                let first = self.network.link_at(flow.paths.forward);
                if let Ends::Tcp(tcp) = &flow.ends {
                    mixed ^= tcp.sender.touch_segments();
                }
                mixed ^= links.get(first as usize).map_or(0, |hop| hop.link.touch());
            }
        }
        std::hint::black_box(mixed);
        if self.events >= self.trim_at {
            self.trim();
        }
    }

    /// Gives back memory that links and senders no longer need: after slow start that is most of
    /// what they have.
    #[cold]
    fn trim(&mut self) {
        let elements = self.network.links.len() + self.flows.len();
        self.trim_at = self.events + (TRIM_EVERY * elements) as u64;
        self.network.links.iter_mut().for_each(|hop| hop.link.trim());
        for flow in &mut self.flows {
            if let Ends::Tcp(tcp) = &mut flow.ends {
                tcp.sender.trim();
            }
        }
    }

    /// The current time of the run.
    pub fn now(&self) -> Time {
        self.now
    }

    /// Number of flows.
    pub fn flows(&self) -> usize {
        self.flows.len()
    }

    /// Segments that a TCP flow has delivered in order so far; packets of a paced flow that have
    /// arrived.
    pub fn delivered(&self, flow: usize) -> u64 {
        self.flows[flow].ends.delivered()
    }

    /// Payload bytes that a flow has delivered so far, each once; those of a TCP flow in order.
    pub fn delivered_bytes(&self, flow: usize) -> u64 {
        self.flows[flow].ends.delivered_bytes()
    }

    /// Cells sent so far by all ends of virtual channels.
    pub fn cells(&self) -> u64 {
        (0..self.atm.ends.len()).map(|end| self.atm.ends.cells_sent(end)).sum()
    }

    /// Events handled so far.
    pub fn events(&self) -> u64 {
        self.events
    }

    fn begin_measurement(&mut self) {
        self.measured_from = None;
        self.events += 1;
        self.atm.ends.begin_measurement();
        self.begin_measuring_exchanges();
        let under_way = self.under_way();
        for ((id, flow), under_way) in (0..).zip(&mut self.flows).zip(under_way) {
            flow.begin_measurement(self.now, self.on_wire.of(id), under_way);
        }
    }

    /// For each flow, the data packets that are somewhere between its ends: looked up one by one,
    /// so that what is counted on the way can be held against it.
    fn under_way(&self) -> Vec<u64> {
        let mut found = vec![0; self.flows.len()];
        let links = self.network.links.iter().flat_map(|hop| hop.link.packets());
        let hosts = self.flows.iter().filter_map(|flow| flow.overhead.as_ref());
        let agents = self.stations.iter().flat_map(|station| &station.waiting);
        let channels = self.atm.ends.iter().flat_map(|end| end.packets());
        let all = links
            .chain(hosts.flat_map(|overhead| overhead.packets()))
            .chain(agents.map(|(_, packet, _)| packet))
            .chain(channels);
        for packet in all.filter(|packet| packet.kind.is_data()) {
            found[packet.flow as usize] += 1;
        }
        found
    }

    fn on_sample(&mut self) {
        let Some(every) = self.recorder.every() else { return };
        for (id, flow) in (0..).zip(&mut self.flows) {
            let changes = |link: usize| self.network.links[link].link.changes();
            let mobile = flow.roaming.as_ref().map(|roaming| roaming.mobile());
            let network = self.access.network(id as usize, mobile, changes);
            self.recorder.add(self.now, id, &flow.moment(network, self.on_wire.of(id)));
        }
        self.queue.push(self.now + every, SAMPLE);
    }
}
