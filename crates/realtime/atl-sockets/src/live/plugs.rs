//! Ports of a network where flows have sockets.

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

use crate::live::crossing::{LONGEST, Plug};
use crate::live::held::Held;
use crate::live::mac::{Hosts, Readings};
use crate::live::network::Emulation;
use crate::live::record::Trouble;
use crate::live::side::Side;

/// Interval at which the receivers' MACs read their links: so old may be what a receiver reports.
const READ_EVERY: Span = Span::from_millis(10);
/// Datagrams taken from a port at a time, so that departures are not held up.
const BATCH: usize = 32;

/// Frames out of a host's datagrams.
pub trait Traffic: fmt::Debug + Send {
    /// The frame that a datagram is, on the route from this port, if it is one that may come in
    /// there. The envelope in front of it is opened already.
    fn enter(&self, port: usize, route: RouteId, datagram: &[u8], now: Time) -> Option<Frame>;

    /// True if a frame from a flow's sender is a data packet.
    fn is_data(&self, frame: &Frame) -> bool;
}

/// A flow, as the network needs to know it.
#[derive(Debug)]
pub struct FlowPlan {
    /// Its index in the setup.
    pub flow: usize,
    /// The sender's side and the receiver's, of the network.
    pub plugs: (Plug, Plug),
    /// The wireless links that its ends hear of.
    pub hearing: Hearing,
    /// Its ends.
    pub hosts: Box<dyn Hosts>,
    /// The delay within the sender's host, if its packets have not had it yet.
    pub overhead: Option<Box<Overhead<Frame>>>,
}

impl<T: Traffic> Emulation<Plugs<T>> {
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
        let plugs = Plugs::new(setup, traffic, flows, readings, 0);
        let routes = plugs.routes(setup);
        Emulation::over(setup, seed, plugs, routes, nodes)
    }
}

/// Sockets: two ports for each flow, 2f at its sender and 2f + 1 at its receiver. A route leads
/// from each port to the other one of its flow.
#[derive(Debug)]
pub struct Plugs<T> {
    traffic: T,
    /// The flows, by their index in the setup.
    flows: Vec<usize>,
    /// The route that leads from port 0; those of the others follow.
    first_route: usize,
    plugs: Vec<Plug>,
    /// The ends of each flow, and what the MACs of wireless links tell them.
    hosts: Vec<Box<dyn Hosts>>,
    held: Held,
    access: Access,
    /// Links that report to a sender at intervals.
    reporting: Vec<usize>,
    /// Links that a receiver reads.
    read: Vec<usize>,
    readings: Arc<Readings>,
    next_report: Time,
    next_reading: Time,
    buffer: Vec<u8>,
}

impl<T: Traffic> Plugs<T> {
    /// Ports of these flows of a setup, in its order. Their routes begin with `first_route`.
    pub(crate) fn new(
        setup: &Setup,
        traffic: T,
        flows: Vec<FlowPlan>,
        readings: Arc<Readings>,
        first_route: usize,
    ) -> Self {
        let mut access = Access::new(setup.links.len());
        let (mut indices, mut plugs, mut hosts) = (Vec::new(), Vec::new(), Vec::new());
        let mut held = Vec::new();
        for flow in flows {
            indices.push(flow.flow);
            plugs.extend([flow.plugs.0, flow.plugs.1]);
            access.add(flow.hearing, None);
            hosts.push(flow.hosts);
            held.push(flow.overhead);
        }
        let (reporting, read): (Vec<_>, Vec<_>) =
            (access.reporting().collect(), access.read().collect());
        // Where nobody hears of a link, none is looked at.
        let first_of = |links: &[usize]| if links.is_empty() { Time::MAX } else { Time::ZERO };
        Plugs {
            traffic,
            flows: indices,
            first_route,
            plugs,
            hosts,
            held: Held::new(held),
            next_report: first_of(&reporting),
            next_reading: first_of(&read),
            reporting,
            read,
            access,
            readings,
            buffer: vec![0; LONGEST],
        }
    }

    /// The routes from its ports: the links of each, by index.
    pub(crate) fn routes(&self, setup: &Setup) -> Vec<Vec<usize>> {
        let paths = self.flows.iter().map(|flow| setup.flows[*flow].first_path());
        paths.flat_map(|path| [path.forward.clone(), path.back.clone()]).collect()
    }

    /// The port that a frame came in at.
    fn port(&self, frame: &Frame) -> usize {
        frame.route.0 - self.first_route
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
            let Some((length, ecn)) = plug.receive(&mut self.buffer) else { return };
            let datagram = &self.buffer[..length];
            if plug.opening.open(datagram).is_none() {
                continue;
            }
            let route = RouteId(self.first_route + port);
            match self.traffic.enter(port, route, datagram, now()) {
                Some(frame) => each(frame.with_ecn(ecn)),
                None => plug.opening.refuse(),
            }
        }
    }
}

impl<T: Traffic> Side for Plugs<T> {
    fn descriptors(&self) -> Vec<BorrowedFd<'_>> {
        self.plugs.iter().map(|plug| plug.socket.as_fd()).collect()
    }

    fn receive(&mut self, now: &dyn Fn() -> Time, enter: &mut dyn FnMut(Frame)) -> io::Result<()> {
        let mut held = std::mem::take(&mut self.held);
        for port in 0..self.plugs.len() {
            self.take(port, BATCH, now, &mut |frame| {
                let at_once =
                    if port.is_multiple_of(2) { held.hold(port / 2, frame) } else { Some(frame) };
                at_once.into_iter().for_each(&mut *enter);
            });
        }
        held.release(now, enter);
        self.held = held;
        Ok(())
    }

    fn take_late(&mut self) -> io::Result<Vec<DataPacket>> {
        let mut late = Vec::new();
        for port in 0..self.plugs.len() {
            self.take(port, usize::MAX, &|| Time::MAX, &mut |frame| late.push(frame));
        }
        Ok(late.iter().filter_map(|frame| self.data_of(frame)).collect())
    }

    fn next_entry(&self) -> Time {
        self.held.next()
    }

    fn data_of(&self, frame: &Frame) -> Option<DataPacket> {
        let port = self.port(frame);
        let flow = self.flows[port / 2];
        let packet = DataPacket { flow, bytes: frame.wire_bytes(), hop: frame.hop() };
        (port.is_multiple_of(2) && self.traffic.is_data(frame)).then_some(packet)
    }

    fn held(&self) -> Vec<DataPacket> {
        self.held.frames().filter_map(|frame| self.data_of(frame)).collect()
    }

    fn deliver(&mut self, mut frame: Frame) {
        let (ecn, port) = (frame.ecn(), self.port(&frame));
        self.plugs[port ^ 1].send(&mut frame.bytes, ecn);
    }

    fn lost(&mut self, frame: Frame, link: usize, cause: Cause, due: Time) {
        let flow = self.port(&frame) / 2;
        if self.data_of(&frame).is_some()
            && self.access.tells_loss(flow, link, frame.hop() == 0, cause)
        {
            self.hosts[flow].failed(due, &frame);
        }
    }

    fn changed(&mut self, link: usize, change: ChangeEvent, report: &LinkReport, due: Time) {
        self.readings.set(link, *report);
        let mut tell = |flow: usize, news| self.hosts[flow].hear(due, news);
        self.access.on_change(due, link, &change, *report, &mut tell);
    }

    fn network(&self, flow: usize, relay: &Relay) -> Option<u32> {
        let flow = self.flows.binary_search(&flow).ok()?;
        let changes = |link: usize| relay.links()[link].changes();
        Some(self.access.network(flow, None, changes))
    }

    fn tick(&mut self, now: Time, relay: &mut Relay) -> Time {
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
        self.next_reading.min(self.next_report)
    }

    fn trouble(&self) -> Trouble {
        let mut trouble = Trouble::default();
        for plug in &self.plugs {
            trouble += plug.trouble();
        }
        trouble
    }
}
