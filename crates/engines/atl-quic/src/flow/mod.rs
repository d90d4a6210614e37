//! A flow: the two ends of a QUIC connection, with an application at each. Sans-IO: it is handed
//! times and datagrams, and gives datagrams.

mod build;
mod ecn;
mod failure;
mod messages;
mod mobile;
mod reading;
mod routes;
mod telling;
mod unconnected;
mod writing;

use atl_core::time::{Epoch, Time};
use atl_endpoint::feedback::ReceiverFeedback;
use atl_endpoint::handoff::Notice;
use atl_endpoint::interruptions::Side;
use atl_endpoint::meters::{Arrivals, Offered};
use atl_engine::flow::{Overhead, Progress, State};
use atl_link::relay::Frame;
use atl_link::{Ecn, Packet as _};
use atl_noq::PathHandle;
use noq_proto::{Connection, Event, PathId, StreamEvent};

use crate::controllers::Controllers;
use crate::end::End;
use crate::reports::PeerReports;
use crate::tap::Tap;
use crate::transport::BELOW_QUIC;
pub use ecn::Field;
use mobile::Mobile;
use reading::Reading;
use unconnected::Unconnected;
use writing::Writing;

pub(crate) use failure::Failure;
pub(crate) use routes::{Origin, Routes};

/// True if a sender's datagram counts as a data packet: it elicits an acknowledgment, and is no
/// probe.
pub(crate) fn is_data(frame: &Frame) -> bool {
    frame.peer & 1 == 1
}

/// See [the module](self).
pub(crate) struct Flow {
    index: usize,
    routes: Routes,
    /// When it starts.
    pub(crate) start: Time,
    epoch: Epoch,
    mtu: u16,
    /// The end that connects, until it does.
    unconnected: Option<Box<Unconnected>>,
    /// The end that connects: the mobile, or else the sender.
    connects: Side,
    /// The sender and the receiver.
    ends: [Option<Box<End>>; 2],
    writing: Writing,
    reading: Reading,
    tap: Tap,
    controllers: Controllers,
    /// The sender's controller on the first path, if it is one of this workspace.
    handle: Option<PathHandle>,
    /// Its controller takes reports of wireless links.
    listens: bool,
    pub(crate) mobile: Option<Box<Mobile>>,
    feedback: Option<Box<ReceiverFeedback>>,
    peer_reports: PeerReports,
    overhead: Option<Box<Overhead<Frame>>>,
    /// When anything is due, however many times it was asked.
    pub(crate) due: Time,
    /// When all data was acknowledged, of a flow that ends.
    pub(crate) finished: Option<Time>,
    /// Of data packets: sent, arrived, arrived after one that was sent later, and the newest that
    /// arrived.
    sent: u64,
    arrived: u64,
    reordered: u64,
    newest: u64,
    /// Data packets that arrived marked.
    marked: u64,
    /// The ECN field of its datagrams, if they carry one.
    ecn: Option<Field>,
    /// Bytes of probes on the wire.
    probe_bytes: u64,
    /// Bytes on the wire of a full packet.
    packet_bytes: u32,
    /// The receiver's window in packets.
    receive_window: u32,
    /// Binding updates that were sent.
    notices: Vec<Notice>,
    pub(crate) arrivals: Arrivals,
    pub(crate) offered: Option<Box<Offered>>,
}

impl Flow {
    /// Works off what is due by `now`. Datagrams that leave are added to `out`.
    ///
    /// # Errors
    /// That the connection has failed.
    pub(crate) fn advance(&mut self, now: Time, out: &mut Vec<Frame>) -> Result<(), Failure> {
        let at = self.instant(now);
        if now >= self.start
            && let Some(unconnected) = self.unconnected.take()
        {
            let path = self.mobile.as_ref().map_or(0, |mobile| mobile.network(mobile.current()));
            let end = unconnected.connect(at, path)?;
            self.ends[self.connects as usize] = Some(Box::new(end));
        }
        for end in self.ends.iter_mut().flatten() {
            end.handle_timeout(at);
        }
        while let Some(overhead) = &mut self.overhead
            && overhead.next() <= now
        {
            out.extend(overhead.release().0);
        }
        self.send_notices(now, out);
        self.send(Side::Sender, now, out)?;
        self.send(Side::Receiver, now, out)
    }

    /// An end of a conversation has written this many bytes in all, and nothing more will follow if
    /// it has `ended`. It goes out with the next [`advance`](Self::advance).
    pub(crate) fn write(&mut self, written: u64, ended: bool) {
        self.writing.tell(written, ended);
    }

    /// A datagram arrived at an end.
    ///
    /// # Errors
    /// That the connection has failed.
    pub(crate) fn receive(
        &mut self,
        now: Time,
        frame: Frame,
        out: &mut Vec<Frame>,
    ) -> Result<(), Failure> {
        let at = self.instant(now);
        let Origin { path, from, .. } = self.routes.origin(frame.route);
        if is_data(&frame) {
            self.arrived += 1;
            self.marked += u64::from(frame.ecn() == Ecn::Ce);
            let serial = frame.peer >> 1;
            self.reordered += u64::from(serial < self.newest);
            self.newest = self.newest.max(serial);
            self.arrivals.on_packet(now, frame.entered);
        }
        let side = match from {
            Side::Sender => Side::Receiver,
            Side::Receiver => Side::Sender,
        };
        let mut network = 0;
        if let Some(mobile) = &mut self.mobile {
            mobile.on_arrival(side, path);
            network = mobile.network(path);
            if messages::is_notice(&frame) {
                self.take_notice(path, &frame);
                return self.send(side, now, out);
            }
        }
        let Some(end) = &mut self.ends[side as usize] else { return Ok(()) };
        end.receive(at, network, self.ecn.and_then(|ecn| ecn.received(frame.ecn())), frame.bytes);
        self.send(side, now, out)
    }

    /// Lets the application act, and sends what there is to send.
    fn send(&mut self, side: Side, now: Time, out: &mut Vec<Frame>) -> Result<(), Failure> {
        self.attend(side, now)?;
        let at = self.instant(now);
        while let Some(end) = &mut self.ends[side as usize] {
            let sent = self.tap.sent();
            let Some((bytes, network, capable)) = end.transmit(at, self.mtu) else { break };
            let elicits = side == Side::Sender && self.tap.sent() > sent;
            if side == Side::Sender
                && let Controllers::Own { marks: Some(marks), .. } = &self.controllers
            {
                marks.sent(&bytes, None);
            }
            let (mut path, mut probes) = (0, false);
            if let Some(mobile) = &self.mobile {
                path = mobile.path(side, network);
                let over = end.role().over(network);
                probes = mobile.multipath().is_some_and(|paths| paths.is_probing(side, over));
            }
            let data = elicits && !probes;
            self.sent += u64::from(data);
            let route = self.routes.id(Origin { flow: self.index, path, from: side });
            let frame = Frame::new(bytes, route, now, BELOW_QUIC);
            let mut frame = frame.of_peer(self.sent << 1 | u64::from(data));
            if let Some(ecn) = self.ecn.filter(|_| capable) {
                frame = frame.with_ecn(ecn.sent());
            }
            if probes {
                self.probe_bytes += u64::from(frame.wire_bytes());
                frame = frame.with_low_priority();
            }
            match &mut self.overhead {
                Some(overhead) if side == Side::Sender => _ = overhead.hold(now, frame),
                _ => out.push(frame),
            }
        }
        self.due = self.next(now);
        Ok(())
    }

    /// Takes the connection's events, and lets the application answer them.
    fn attend(&mut self, side: Side, now: Time) -> Result<(), Failure> {
        let at = self.instant(now);
        let Some(end) = &mut self.ends[side as usize] else { return Ok(()) };
        let role = end.role();
        let mut readable = false;
        while let Some(event) = end.poll() {
            match event {
                Event::Stream(StreamEvent::Writable { .. }) => self.writing.unblock(),
                Event::Stream(StreamEvent::Finished { .. }) => self.finished = Some(now),
                Event::Stream(StreamEvent::Opened { .. }) => {
                    readable = true;
                    if let Some(connection) = end.connection() {
                        self.reading.accept(connection);
                    }
                }
                Event::Stream(StreamEvent::Readable { .. }) => readable = true,
                Event::DatagramReceived => {
                    while let Some(message) = end.connection().and_then(|c| c.datagrams().recv()) {
                        let (mobile, handle) = (self.mobile.as_deref(), self.handle.as_ref());
                        let paths = mobile.and_then(Mobile::multipath);
                        let told = (&self.controllers, paths, handle);
                        messages::take_report(&mut self.peer_reports, now, &message, told);
                    }
                }
                Event::Connected => {
                    if let (Some(mobile), Some(connection)) = (&mut self.mobile, end.connection()) {
                        mobile.on_connected(side, role, at, connection);
                    }
                }
                Event::Path(event) => {
                    if let (Some(mobile), Some(connection)) = (&mut self.mobile, end.connection()) {
                        mobile.on_path_event(side, at, &event, connection);
                    }
                }
                Event::ConnectionLost { reason } => {
                    return Err(failure::lost(reason, self.receive_window));
                }
                _ => {}
            }
        }
        let Some(connection) = end.connection() else { return Ok(()) };
        match side {
            Side::Sender => {
                self.writing.write(now, connection)?;
                if self.handle.is_none()
                    && let Controllers::Own { factory, .. } = &self.controllers
                {
                    self.handle = factory.paths().into_iter().next();
                }
            }
            Side::Receiver if readable => self.reading.read(now, connection),
            Side::Receiver => {}
        }
        if let Some(mobile) = &mut self.mobile {
            mobile.poll(side, at, |due| self.epoch.time(due), connection);
        }
        Ok(())
    }

    fn instant(&self, now: Time) -> std::time::Instant {
        // Within the run's duration, which `run` has checked.
        self.epoch.instant(now).expect("a time within the run")
    }

    /// When anything is due.
    fn next(&mut self, now: Time) -> Time {
        let time = |end: &End| end.timeout().map_or(Time::MAX, |due| self.epoch.time(due));
        let [sender, receiver] = &self.ends;
        let end = |end: &Option<Box<End>>| end.as_deref().map_or(Time::MAX, time);
        let ends = end(sender).min(end(receiver));
        let start = if self.unconnected.is_some() { self.start } else { Time::MAX };
        let held = self.overhead.as_ref().map_or(Time::MAX, |overhead| overhead.next());
        let mobile = self.mobile.as_ref().map_or(Time::MAX, |mobile| mobile.next());
        ends.min(start).min(held).min(mobile).min(self.writing.next(now))
    }

    /// Data packets that the host has not handed to its interface yet.
    pub(crate) fn held(&self) -> u64 {
        let held = self.overhead.iter().flat_map(|overhead| overhead.packets());
        held.filter(|frame| is_data(frame)).count() as u64
    }

    pub(crate) fn begin_measurement(&mut self, now: Time) {
        self.tap.begin_measurement();
        self.reading.app.begin_measurement();
        self.arrivals.reset();
        if let Some(offered) = &mut self.offered {
            offered.begin_measurement(now);
        }
    }

    /// Counts of its ends since it started.
    pub(crate) fn progress(&self) -> Progress {
        Progress {
            sent: self.sent,
            arrived: self.arrived,
            delivered_bytes: self.reading.app.bytes(),
            recoveries: self.tap.recoveries(),
            probe_bytes: self.probe_bytes,
            marked: self.ecn.map(|_| self.marked),
            elsewhere_bytes: self.elsewhere_bytes(),
            handoffs: self.mobile.as_ref().map_or(0, |mobile| mobile.handoffs()),
            ..Progress::default()
        }
    }

    /// Data packets that arrived after one that was sent later.
    pub(crate) fn reordered(&self) -> u64 {
        self.reordered
    }

    /// Application bytes over cells that were not the mobile's current one. The library does not
    /// say over which path a byte came first.
    pub(crate) fn elsewhere_bytes(&self) -> Option<u64> {
        self.mobile.is_none().then_some(0)
    }

    /// Bytes that the receiver's application got.
    pub(crate) fn delivered_bytes(&self) -> u64 {
        self.reading.app.bytes()
    }

    /// Mean delay from application to application, in seconds.
    pub(crate) fn delay_s(&self) -> Option<f64> {
        self.reading.app.delay_s()
    }

    /// Events of its controllers.
    pub(crate) fn tap(&self) -> &Tap {
        &self.tap
    }

    /// The state of its sender.
    pub(crate) fn state(&self) -> State {
        let paths = self.mobile.as_ref().and_then(|mobile| mobile.multipath());
        let (path, beside) = paths.map_or((PathId::ZERO, None), |paths| paths.in_use());
        let handle = paths.and_then(|paths| paths.handle(path)).or(self.handle.as_ref());
        let [sender, _] = &self.ends;
        let connection = sender.as_ref().and_then(|sender| sender.connected());
        let controller = connection.and_then(|c| c.congestion_state(path));
        let measured = |connection: &&Connection| !connection.is_handshaking();
        let srtt = connection.filter(measured).and_then(|c| c.rtt(path));
        let mut state = self.tap.state(controller, self.mtu, srtt.map(Into::into), handle);
        let beside = beside.and_then(|path| connection?.congestion_state(path));
        state.cwnd_beside = beside
            .map(|controller| controller.metrics().congestion_window as f64 / f64::from(self.mtu));
        state
    }
}
