//! The network of a run: the ports of an emulator, and what it writes down.

use std::os::fd::{AsFd as _, BorrowedFd};
use std::sync::Arc;
use std::{fmt, io};

use atl_core::path::LinkReport;
use atl_core::time::{Span, Time};
use atl_engine::flow::record::DataPacket;
use atl_engine::flow::{Access, Hearing, Overhead};
use atl_engine::setup::Setup;
use atl_link::relay::{Frame, Relay, RouteId};
use atl_link::{Cause, ChangeEvent, Packet as _};
use atl_net::ports::Ports;

use crate::live::crossing::{LONGEST, Plug};
use crate::live::ledger::{LOOK_EVERY, Ledger, Readers};
use crate::live::mac::{Hosts, Readings};
use crate::live::record::Trouble;

/// Interval at which the receivers' MACs read their links: so old may be what a receiver reports.
const READ_EVERY: Span = Span::from_millis(10);
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
    /// The delay within the sender's host, if its packets have not had it yet.
    pub overhead: Option<Box<Overhead<Frame>>>,
}

/// A run, ready to start: the links of a setup, and the ports between which they carry frames.
#[derive(Debug)]
pub struct Emulation<P> {
    pub(crate) relay: Relay,
    pub(crate) ports: P,
    pub(crate) readers: Readers,
    pub(crate) end: Time,
}

impl<T: Traffic> Emulation<Network<T>> {
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
        let mut access = Access::new(setup.links.len());
        let (mut plugs, mut hosts, mut routes) = (Vec::new(), Vec::new(), Vec::new());
        let mut held = Vec::new();
        for (plan, flow) in setup.flows.iter().zip(flows) {
            let path = plan.first_path();
            routes.extend([path.forward.clone(), path.back.clone()]);
            plugs.extend([flow.plugs.0, flow.plugs.1]);
            access.add(flow.hearing, None);
            hosts.push(flow.hosts);
            held.push(flow.overhead);
        }
        let (ledger, readers) = Ledger::new(setup, seed, nodes);
        let ports = Network {
            traffic,
            plugs,
            hosts,
            held,
            reporting: access.reporting().collect(),
            read: access.read().collect(),
            access,
            readings,
            ledger,
            next_report: Time::ZERO,
            next_reading: Time::ZERO,
            buffer: vec![0; LONGEST],
        };
        let relay = atl_engine::setup::relay(&setup.links, routes, seed);
        Emulation { relay, ports, readers, end: Time::ZERO + setup.duration }
    }
}

/// The ports of an emulator: two for each flow, 2f at its sender and 2f + 1 at its receiver. Route
/// r leads from port r to the other port of its flow.
#[derive(Debug)]
pub struct Network<T> {
    traffic: T,
    plugs: Vec<Plug>,
    /// The ends of each flow, and what the MACs of wireless links tell them.
    hosts: Vec<Box<dyn Hosts>>,
    /// Frames that the sender's host of each flow still holds, where a delay within it is emulated
    /// here.
    held: Vec<Option<Box<Overhead<Frame>>>>,
    access: Access,
    /// Links that report to a sender at intervals.
    reporting: Vec<usize>,
    /// Links that a receiver reads.
    read: Vec<usize>,
    readings: Arc<Readings>,
    ledger: Ledger,
    next_report: Time,
    next_reading: Time,
    buffer: Vec<u8>,
}

impl<T: Traffic> Network<T> {
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
            let Some((length, ecn)) = plug.receive(&mut self.buffer) else { return };
            let datagram = &self.buffer[..length];
            if plug.opening.open(datagram).is_none() {
                continue;
            }
            match self.traffic.enter(port, datagram, now()) {
                Some(frame) => each(frame.with_ecn(ecn)),
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
        for packet in late.iter().filter_map(|frame| data_of(&self.traffic, frame)) {
            self.ledger.on_late(packet);
        }
    }

    /// After the end: once no node sends any more, the last datagrams are counted and the emulator
    /// stops.
    fn close(&mut self) {
        self.take_late();
        if !self.ledger.nodes_have_ended() {
            return;
        }
        // The last node may have sent between the look above and its end.
        self.take_late();
        let mut trouble = Trouble::default();
        for plug in &self.plugs {
            trouble += plug.trouble();
        }
        self.ledger.close(trouble);
    }
}

impl<T: Traffic> Ports for Network<T> {
    fn descriptors(&self) -> Vec<BorrowedFd<'_>> {
        self.plugs.iter().map(|plug| plug.socket.as_fd()).collect()
    }

    fn receive(&mut self, now: &dyn Fn() -> Time, enter: &mut dyn FnMut(Frame)) -> io::Result<()> {
        if self.ledger.has_ended() {
            self.take_late();
            return Ok(());
        }
        let mut held = std::mem::take(&mut self.held);
        for port in 0..self.plugs.len() {
            let mut host = held[port / 2].as_mut().filter(|_| port.is_multiple_of(2));
            self.take(port, BATCH, now, &mut |frame| match &mut host {
                Some(host) => _ = host.hold(frame.entered, frame),
                None => enter(frame),
            });
        }
        for host in held.iter_mut().flatten() {
            while host.next() <= now()
                && let Some(mut frame) = host.release().0
            {
                frame.entered = now();
                enter(frame);
            }
        }
        self.held = held;
        Ok(())
    }

    fn next_entry(&self) -> Time {
        if self.ledger.has_ended() {
            return Time::MAX;
        }
        self.held.iter().flatten().map(|host| host.next()).min().unwrap_or(Time::MAX)
    }

    fn deliver(&mut self, mut frame: Frame) {
        if self.ledger.has_ended() {
            return;
        }
        if let Some(packet) = data_of(&self.traffic, &frame) {
            self.ledger.on_arrived(packet);
        }
        let ecn = frame.ecn();
        self.plugs[frame.route.0 ^ 1].send(&mut frame.bytes, ecn);
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn lost(&mut self, frame: Frame, link: usize, cause: Cause, due: Time) {
        let packet = data_of(&self.traffic, &frame).filter(|_| !self.ledger.has_ended());
        let Some(packet) = packet else { return };
        self.ledger.on_lost(packet, due);
        if self.access.tells_loss(packet.flow, link, frame.hop() == 0, cause) {
            self.hosts[packet.flow].failed(due, &frame);
        }
    }

    fn copied(&mut self, frame: &Frame, due: Time) {
        let packet = data_of(&self.traffic, frame).filter(|_| !self.ledger.has_ended());
        if let Some(packet) = packet {
            self.ledger.on_copied(packet, due);
        }
    }

    fn dropped(&mut self, frame: Frame, _: usize, due: Time) {
        let packet = data_of(&self.traffic, &frame).filter(|_| !self.ledger.has_ended());
        if let Some(packet) = packet {
            self.ledger.on_dropped(packet, due);
        }
    }

    fn changed(&mut self, link: usize, change: ChangeEvent, report: &LinkReport, due: Time) {
        self.readings.set(link, *report);
        let mut tell = |flow: usize, news| self.hosts[flow].hear(due, news);
        self.access.on_change(due, link, &change, *report, &mut tell);
    }

    fn tick(&mut self, now: Time, relay: &mut Relay) -> Span {
        if !self.ledger.has_ended() {
            let changes = |link: usize| relay.links()[link].changes();
            let network = |flow: usize| self.access.network(flow, None, changes);
            let on_links = || data_on(&self.traffic, &self.held, relay);
            self.ledger.advance(now, relay, &on_links, &network);
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
        }
        if self.ledger.has_ended() {
            self.close();
            return LOOK_EVERY;
        }
        self.ledger.next().min(self.next_reading).min(self.next_report).since(now)
    }
}

/// The data packet that a frame is; `None` of any other packet.
fn data_of(traffic: &impl Traffic, frame: &Frame) -> Option<DataPacket> {
    let RouteId(route) = frame.route;
    let packet = DataPacket { flow: route / 2, bytes: frame.wire_bytes(), hop: frame.hop() };
    (route.is_multiple_of(2) && traffic.is_data(frame)).then_some(packet)
}

/// The data packets on the links, and those on their way to the first one.
fn data_on(
    traffic: &impl Traffic,
    held: &[Option<Box<Overhead<Frame>>>],
    relay: &Relay,
) -> Vec<DataPacket> {
    let frames = relay.links().iter().flat_map(|link| link.packets());
    let frames = frames.chain(held.iter().flatten().flat_map(|host| host.packets()));
    frames.filter_map(|frame| data_of(traffic, frame)).collect()
}
