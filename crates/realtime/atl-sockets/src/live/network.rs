//! The network of a run: the ports of an emulator, and what it writes down.

use std::os::fd::{AsFd as _, BorrowedFd};
use std::sync::{Arc, mpsc};
use std::{fmt, io};

use atl_core::path::LinkReport;
use atl_core::time::{Span, Time};
use atl_engine::flow::record::{DataPacket, Mark, Marks, NetworkCounts};
use atl_engine::flow::{Access, Hearing};
use atl_engine::result::LinkResult;
use atl_engine::setup::Setup;
use atl_link::relay::{Frame, Relay, RouteId};
use atl_link::{Cause, ChangeEvent, Packet as _};
use atl_net::emulator::Stop;
use atl_net::ports::Ports;

use crate::live::crossing::{LONGEST, Plug};
use crate::live::ending::Ending;
use crate::live::mac::{Hosts, Readings};
use crate::live::record::{NetworkRecord, Trouble};

/// Interval at which the receivers' MACs read their links: so old may be what a receiver reports.
const READ_EVERY: Span = Span::from_millis(10);
/// Interval between looks at whether all nodes have ended, after the end.
const LOOK_EVERY: Span = Span::from_millis(1);
/// Datagrams taken from a port at a time, so that departures are not held up.
const BATCH: usize = 32;

/// Frames out of a host's datagrams.
pub trait Traffic: fmt::Debug {
    /// The frame that a datagram is, if it is one that may come in at this port. The envelope in
    /// front of it is opened already.
    fn enter(&self, port: usize, datagram: &[u8], now: Time) -> Option<Frame>;

    /// True if a frame from a flow's sender is a data packet.
    fn is_data(&self, frame: &Frame) -> bool;
}

/// A flow, as the network needs to know it.
#[derive(Debug)]
pub struct FlowPlan {
    /// The sender's side and the receiver's, of the network.
    pub plugs: (Plug, Plug),
    /// The wireless links that its ends hear of.
    pub hearing: Hearing,
    /// Its ends.
    pub hosts: Box<dyn Hosts>,
}

/// The network of a run, ready to start.
#[derive(Debug)]
pub struct Emulation<T> {
    pub(crate) relay: Relay,
    pub(crate) network: Network<T>,
    pub(crate) ending: Arc<Ending>,
    pub(crate) stop: Stop,
    /// Where the network puts what it has written down.
    pub(crate) record: mpsc::Receiver<(NetworkRecord, Trouble)>,
    pub(crate) end: Time,
}

impl<T: Traffic> Emulation<T> {
    /// The network of a setup, with the same random streams as in the simulator, for this many
    /// nodes. `flows` are those of the setup, in its order; receivers find what their links say in
    /// `readings`.
    pub fn new(
        setup: &Setup,
        seed: u64,
        traffic: T,
        flows: Vec<FlowPlan>,
        readings: Arc<Readings>,
        nodes: usize,
    ) -> Self {
        let end = Time::ZERO + setup.duration;
        let mut access = Access::new(setup.links.len());
        let (mut plugs, mut hosts, mut routes) = (Vec::new(), Vec::new(), Vec::new());
        for (plan, flow) in setup.flows.iter().zip(flows) {
            let path = plan.first_path();
            routes.extend([path.forward.clone(), path.back.clone()]);
            plugs.extend([flow.plugs.0, flow.plugs.1]);
            access.add(flow.hearing, None);
            hosts.push(flow.hosts);
        }
        let ending = Arc::new(Ending::new(nodes));
        let stop = Stop::default();
        let (done, record) = mpsc::channel();
        let measured_from = Time::ZERO + setup.warmup;
        let network = Network {
            traffic,
            plugs,
            hosts,
            reporting: access.reporting().collect(),
            read: access.read().collect(),
            access,
            readings,
            marks: Marks::new(setup),
            record: NetworkRecord::new(NetworkCounts::new(setup.flows.len(), measured_from, end)),
            end,
            trace_offsets: setup.links.iter().map(|link| link.trace_offset(seed)).collect(),
            next_report: Time::ZERO,
            next_reading: Time::ZERO,
            ended: false,
            ending: Arc::clone(&ending),
            stop: stop.clone(),
            done,
            buffer: vec![0; LONGEST],
        };
        let relay = atl_engine::setup::relay(&setup.links, routes, seed);
        Emulation { relay, network, ending, stop, record, end }
    }
}

/// The ports of an emulator: two for each flow, 2f at its sender and 2f + 1 at its receiver. Route
/// r leads from port r to the other port of its flow.
#[derive(Debug)]
pub(crate) struct Network<T> {
    traffic: T,
    plugs: Vec<Plug>,
    /// The ends of each flow, and what the MACs of wireless links tell them.
    hosts: Vec<Box<dyn Hosts>>,
    access: Access,
    /// Links that report to a sender at intervals.
    reporting: Vec<usize>,
    /// Links that a receiver reads.
    read: Vec<usize>,
    readings: Arc<Readings>,
    marks: Marks,
    record: NetworkRecord,
    end: Time,
    /// The place in its traces at which each link begins.
    trace_offsets: Vec<Option<Span>>,
    next_report: Time,
    next_reading: Time,
    ended: bool,
    ending: Arc<Ending>,
    stop: Stop,
    done: mpsc::Sender<(NetworkRecord, Trouble)>,
    buffer: Vec<u8>,
}

impl<T: Traffic> Network<T> {
    /// The data packet that a frame is; `None` of any other packet.
    fn data_of(&self, frame: &Frame) -> Option<DataPacket> {
        let RouteId(route) = frame.route;
        let packet = DataPacket { flow: route / 2, bytes: frame.wire_bytes(), hop: frame.hop() };
        (route.is_multiple_of(2) && self.traffic.is_data(frame)).then_some(packet)
    }

    /// The data packets on the links.
    fn data_on<'a>(&'a self, relay: &'a Relay) -> impl Iterator<Item = DataPacket> + 'a {
        let frames = relay.links().iter().flat_map(|link| link.packets());
        frames.filter_map(|frame| self.data_of(frame))
    }

    /// Takes what waits at a port, at most `most` datagrams.
    fn take(
        &mut self,
        port: usize,
        most: usize,
        now: &dyn Fn() -> Time,
        each: &mut dyn FnMut(Frame),
    ) {
        let plug = &mut self.plugs[port];
        for _ in 0..most {
            let Some(length) = plug.receive(&mut self.buffer) else { return };
            let datagram = &self.buffer[..length];
            if plug.opening.open(datagram).is_none() {
                continue;
            }
            match self.traffic.enter(port, datagram, now()) {
                Some(frame) => each(frame),
                None => plug.opening.refuse(),
            }
        }
    }

    /// Counts packets that come in after the end as under way.
    fn take_late(&mut self) {
        let mut late = Vec::new();
        for port in 0..self.plugs.len() {
            self.take(port, usize::MAX, &|| Time::MAX, &mut |frame| late.push(frame));
        }
        let late: Vec<_> = late.iter().filter_map(|frame| self.data_of(frame)).collect();
        for packet in late {
            self.record.counts.on_under_way(packet.flow);
        }
    }

    fn write_down(&mut self, mark: Mark, relay: &Relay) {
        match mark {
            Mark::Begin => {
                let on_links: Vec<_> = self.data_on(relay).collect();
                self.record.counts.begin(on_links.into_iter());
            }
            Mark::Sample => {
                let now = self.record.counts.look(self.data_on(relay));
                let changes = |link: usize| relay.links()[link].changes();
                let flows = 0..self.hosts.len();
                let networks = flows.map(|flow| self.access.network(flow, None, changes));
                self.record.samples.push(now.into_iter().zip(networks).collect());
            }
        }
    }

    fn end(&mut self, relay: &Relay) {
        self.ended = true;
        self.record.after = self.record.counts.look(self.data_on(relay));
        let on_links: Vec<_> = self.data_on(relay).collect();
        for packet in on_links {
            self.record.counts.on_under_way(packet.flow);
        }
        self.record.links = LinkResult::all(relay.links(), &self.trace_offsets);
    }

    /// After the end: once no node sends any more, the last datagrams are counted and the emulator
    /// stops.
    fn close(&mut self) {
        self.take_late();
        if !self.ending.nodes_have_ended() {
            return;
        }
        // The last node may have sent between the look above and its end.
        self.take_late();
        let mut trouble = Trouble::default();
        for plug in &self.plugs {
            trouble += plug.trouble();
        }
        let _ = self.done.send((self.record.clone(), trouble));
        self.ending.network_has_ended();
        self.stop.stop();
    }
}

impl<T: Traffic> Ports for Network<T> {
    fn descriptors(&self) -> Vec<BorrowedFd<'_>> {
        self.plugs.iter().map(|plug| plug.socket.as_fd()).collect()
    }

    fn receive(&mut self, now: &dyn Fn() -> Time, enter: &mut dyn FnMut(Frame)) -> io::Result<()> {
        if self.ended {
            self.take_late();
            return Ok(());
        }
        for port in 0..self.plugs.len() {
            self.take(port, BATCH, now, enter);
        }
        Ok(())
    }

    fn deliver(&mut self, mut frame: Frame) {
        if self.ended {
            return;
        }
        if let Some(packet) = self.data_of(&frame) {
            self.record.counts.on_arrived(packet);
        }
        self.plugs[frame.route.0 ^ 1].send(&mut frame.bytes);
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn lost(&mut self, frame: Frame, link: usize, cause: Cause, due: Time) {
        let Some(packet) = self.data_of(&frame).filter(|_| !self.ended) else { return };
        self.record.counts.on_lost(packet, due);
        if self.access.tells_loss(packet.flow, link, frame.hop() == 0, cause) {
            self.hosts[packet.flow].failed(due, &frame);
        }
    }

    fn dropped(&mut self, frame: Frame, _: usize, due: Time) {
        if let Some(packet) = self.data_of(&frame).filter(|_| !self.ended) {
            self.record.counts.on_dropped(packet, due);
        }
    }

    fn changed(&mut self, link: usize, change: ChangeEvent, report: &LinkReport, due: Time) {
        self.readings.set(link, *report);
        let mut tell = |flow: usize, news| self.hosts[flow].hear(due, news);
        self.access.on_change(due, link, &change, *report, &mut tell);
    }

    fn tick(&mut self, now: Time, relay: &mut Relay) -> Span {
        if !self.ended {
            while let Some((_, mark)) = self.marks.take(now) {
                self.write_down(mark, relay);
            }
            if now >= self.next_reading {
                self.next_reading = now + READ_EVERY;
                for &link in &self.read {
                    self.readings.set(link, relay.report(link, now));
                }
            }
            if now >= self.next_report {
                self.next_report += Access::REPORT_EVERY;
                for &link in &self.reporting {
                    let mut tell = |flow: usize, news| self.hosts[flow].hear(now, news);
                    self.access.on_report(link, relay.report(link, now), &mut tell);
                }
            }
            if now >= self.end {
                self.end(relay);
            }
        }
        if self.ended {
            self.close();
            return LOOK_EVERY;
        }
        let next = self.marks.next().0.min(self.next_reading).min(self.next_report).min(self.end);
        next.since(now)
    }
}
