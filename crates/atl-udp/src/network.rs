//! The network of a run: the ports of an emulator, and what it writes down.

use std::io;
use std::os::fd::{AsFd as _, BorrowedFd};
use std::sync::{Arc, mpsc};

use atl_core::path::LinkReport;
use atl_core::time::{Span, Time};
use atl_core::window::{End, Handoff};
use atl_endpoint::wire::paced::Packet;
use atl_flow::record::{DataPacket, Mark, Marks};
use atl_link::{Cause, ChangeEvent, Packet as _};
use atl_net::emulator::Stop;
use atl_net::ports::Ports;
use atl_relay::Frame;
use atl_relay::{Relay, RouteId};
use atl_scenario::result::LinkResult;

use crate::crossing::Plug;
use crate::datagram;
use crate::envelope;
use crate::mac::{News, Readings, What};
use crate::node::Ending;
use crate::record::{NetworkRecord, Trouble};

/// Interval between reports of a wireless link to a host that listens, as in the simulator.
const REPORT_EVERY: Span = Span::from_millis(100);
/// Interval at which the receivers' MACs read their links: so old may be what a receiver reports.
const READ_EVERY: Span = Span::from_millis(10);
/// Interval between looks at whether all nodes have ended, after the end.
const LOOK_EVERY: Span = Span::from_millis(1);
/// Datagrams taken from a port at a time, so that departures are not held up.
const BATCH: usize = 32;

/// A flow, as the network knows it.
#[derive(Debug)]
pub(crate) struct Flow {
    /// The wireless link at its source, if there is one.
    pub access: Option<usize>,
    /// The first wireless link on its path.
    pub first: Option<usize>,
    /// The host of its sender.
    pub sender: mpsc::Sender<News>,
    /// The host of its receiver.
    pub receiver: mpsc::Sender<News>,
}

/// The ports of an emulator: two for each flow, 2f at its sender and 2f + 1 at its receiver. Route r leads from port r to
/// the other port of its flow.
#[derive(Debug)]
pub(crate) struct Network {
    pub plugs: Vec<Plug>,
    pub flows: Vec<Flow>,
    /// For each link, the flows whose sender hears of it.
    pub listeners: Vec<Vec<usize>>,
    /// Links that report to a sender every now and then.
    pub reporting: Vec<usize>,
    /// For each link, the flows whose receiver hears of it.
    pub receivers: Vec<Vec<usize>>,
    pub readings: Arc<Readings>,
    pub marks: Marks,
    pub record: NetworkRecord,
    pub end: Time,
    /// How far into its traces each link begins.
    pub trace_offsets: Vec<Option<Span>>,
    pub next_report: Time,
    pub next_reading: Time,
    pub ended: bool,
    pub ending: Arc<Ending>,
    pub stop: Stop,
    pub done: mpsc::Sender<(NetworkRecord, Trouble)>,
    pub buffer: Vec<u8>,
}

/// The data packet that a frame is; `None` of any other packet.
fn data_of(frame: &Frame) -> Option<DataPacket> {
    let RouteId(route) = frame.route;
    let is_data = route.is_multiple_of(2)
        && matches!(datagram::read(&frame.bytes[envelope::LEN..]), Some(Packet::Data { .. }));
    let packet = DataPacket { flow: route / 2, bytes: frame.wire_bytes(), hop: frame.hop() };
    is_data.then_some(packet)
}

/// The data packets on the links.
fn data_on(relay: &Relay) -> impl Iterator<Item = DataPacket> {
    relay.links().iter().flat_map(|link| link.packets()).filter_map(data_of)
}

/// The frame that a datagram is, if it is one that may come in at this port.
fn enter(port: usize, datagram: &[u8], now: Time) -> Option<Frame> {
    let packet = datagram::read(&datagram[envelope::LEN..])?;
    let forward = matches!(packet, Packet::Data { .. } | Packet::Probe { .. });
    if forward != port.is_multiple_of(2) {
        return None;
    }
    let frame = Frame::new(datagram.to_vec(), RouteId(port), now, 0);
    let frame = frame.charged(u32::from(packet.size()));
    let low = matches!(packet, Packet::Probe { .. } | Packet::ProbeAck { .. });
    Some(if low { frame.with_low_priority() } else { frame })
}

impl Network {
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
            match enter(port, datagram, now()) {
                Some(frame) => each(frame),
                None => plug.opening.refuse(),
            }
        }
    }

    /// What comes in after the end was under way.
    fn take_late(&mut self) {
        let mut late = Vec::new();
        for port in 0..self.plugs.len() {
            self.take(port, usize::MAX, &|| Time::MAX, &mut |frame| late.extend(data_of(&frame)));
        }
        for packet in late {
            self.record.counts.on_under_way(packet.flow);
        }
    }

    fn write_down(&mut self, mark: Mark, relay: &Relay) {
        match mark {
            Mark::Begin => self.record.counts.begin(data_on(relay)),
            Mark::Sample => {
                let now = self.record.counts.look(data_on(relay));
                let networks = self
                    .flows
                    .iter()
                    .map(|flow| flow.first.map_or(0, |link| relay.links()[link].changes() as u32));
                self.record.samples.push(now.into_iter().zip(networks).collect());
            }
        }
    }

    fn tell_listeners(&self, link: usize, at: Time, what: What) {
        for &flow in &self.listeners[link] {
            // A host that has ended hears no more.
            let _ = self.flows[flow].sender.send(News { at, flow, what });
        }
    }

    fn end(&mut self, relay: &Relay) {
        self.ended = true;
        self.record.after = self.record.counts.look(data_on(relay));
        for packet in data_on(relay) {
            self.record.counts.on_under_way(packet.flow);
        }
        let links = relay.links().iter().zip(&self.trace_offsets);
        let links = links.map(|(link, trace_offset)| LinkResult::of(link, *trace_offset));
        self.record.links = links.collect();
    }

    /// After the end: once no node sends any more, the last datagrams are counted and the emulator stops.
    fn close(&mut self) {
        self.take_late();
        if !self.ending.nodes_have_ended() {
            return;
        }
        // What was sent before the last node ended.
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

impl Ports for Network {
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
        if let Some(packet) = data_of(&frame) {
            self.record.counts.on_arrived(packet);
        }
        self.plugs[frame.route.0 ^ 1].send(&mut frame.bytes);
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn lost(&mut self, frame: Frame, link: usize, cause: Cause, due: Time) {
        let Some(packet) = data_of(&frame).filter(|_| !self.ended) else { return };
        self.record.counts.on_lost(packet, due);
        let flow = packet.flow;
        // With congestion, the MAC has transmitted it: it was lost further along the path.
        let told = &self.flows[flow];
        if frame.hop() == 0 && cause != Cause::Congestion && told.access == Some(link) {
            let Some(Packet::Data { seq, .. }) = datagram::read(&frame.bytes[envelope::LEN..])
            else {
                return;
            };
            let _ = told.sender.send(News { at: due, flow, what: What::Failed(seq) });
        }
    }

    fn dropped(&mut self, frame: Frame, _: usize, due: Time) {
        if let Some(packet) = data_of(&frame).filter(|_| !self.ended) {
            self.record.counts.on_dropped(packet, due);
        }
    }

    fn changed(&mut self, link: usize, change: ChangeEvent, report: &LinkReport, due: Time) {
        let handoff = Handoff::new(due, End::Own, change.old_delay, change.new_delay);
        self.tell_listeners(link, due, What::Handoff(handoff));
        self.tell_listeners(link, due, What::Report(*report));
        self.readings.set(link, *report);
        for &flow in &self.receivers[link] {
            let _ = self.flows[flow].receiver.send(News { at: due, flow, what: What::Moved });
        }
    }

    fn tick(&mut self, now: Time, relay: &mut Relay) -> Span {
        if !self.ended {
            while let Some((_, mark)) = self.marks.take(now) {
                self.write_down(mark, relay);
            }
            if now >= self.next_reading {
                self.next_reading = now + READ_EVERY;
                for link in 0..self.receivers.len() {
                    if !self.receivers[link].is_empty() {
                        self.readings.set(link, relay.report(link, now));
                    }
                }
            }
            if now >= self.next_report {
                self.next_report += REPORT_EVERY;
                for &link in &self.reporting {
                    self.tell_listeners(link, now, What::Report(relay.report(link, now)));
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
