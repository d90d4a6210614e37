//! A flow: the two ends of a QUIC connection, with an application at each. Sans-IO: it is handed times and datagrams, and
//! gives datagrams.

mod build;
mod reading;
mod writing;

use atl_core::path::{Handoff, LinkReport};
use atl_core::time::{Epoch, Time};
use atl_endpoint::feedback::ReceiverFeedback;
use atl_endpoint::meters::{Arrivals, Offered};
use atl_endpoint::wire;
use atl_flow::{Overhead, Progress, State, Wireless};
use atl_noq::PathHandle;
use atl_relay::{Frame, RouteId};
use bytes::Bytes;
use noq_proto::{Connection, Event, PathId, StreamEvent};

use crate::controllers::Controllers;
use crate::end::End;
use crate::reports::PeerReports;
use crate::tap::Tap;
use crate::transport::BELOW_QUIC;
use build::Unconnected;
use reading::Reading;
use writing::Writing;

/// What went wrong with a connection.
pub(crate) type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Whose datagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The sender of the data, which opens the connection.
    Client,
    /// Its receiver.
    Server,
}

/// The route of a flow's datagrams.
pub(crate) fn route(flow: usize, from: Side) -> RouteId {
    RouteId(2 * flow + usize::from(from == Side::Server))
}

/// The flow of a route, and who sends over it.
pub(crate) fn of_route(RouteId(route): RouteId) -> (usize, Side) {
    (route / 2, if route % 2 == 0 { Side::Client } else { Side::Server })
}

/// True if a client's datagram counts as a data packet: it elicits an acknowledgment.
pub(crate) fn is_data(frame: &Frame) -> bool {
    frame.peer & 1 == 1
}

/// See [the module](self).
pub(crate) struct Flow {
    index: usize,
    /// When it starts.
    pub(crate) start: Time,
    epoch: Epoch,
    mtu: u16,
    client: Result<Box<End>, Option<Box<Unconnected>>>,
    server: Box<End>,
    writing: Writing,
    reading: Reading,
    tap: Tap,
    controllers: Controllers,
    handle: Option<PathHandle>,
    /// Its controller takes reports of wireless links.
    listens: bool,
    /// Its wireless links.
    pub(crate) wireless: Wireless,
    feedback: Option<Box<ReceiverFeedback>>,
    peer_reports: PeerReports,
    overhead: Option<Box<Overhead<Frame>>>,
    /// When anything is due, however many times it was asked.
    pub(crate) due: Time,
    /// When all data was acknowledged, of a flow that ends.
    pub(crate) finished: Option<Time>,
    /// Of data packets: sent, arrived, arrived after one that was sent later, and the newest that arrived.
    sent: u64,
    arrived: u64,
    reordered: u64,
    newest: u64,
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
        if let Err(waiting) = &mut self.client
            && now >= self.start
            && let Some(unconnected) = waiting.take()
        {
            let client = unconnected.connect(at)?;
            self.client = Ok(Box::new(client));
            if let Controllers::Own { factory, .. } = &self.controllers {
                self.handle = factory.paths().into_iter().next();
            }
        }
        if let Ok(client) = &mut self.client {
            client.handle_timeout(at);
        }
        self.server.handle_timeout(at);
        while let Some(overhead) = &mut self.overhead
            && overhead.next() <= now
        {
            out.extend(overhead.release().0);
        }
        self.send(Side::Client, now, out)?;
        self.send(Side::Server, now, out)
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
        let (_, from) = of_route(frame.route);
        if is_data(&frame) {
            self.arrived += 1;
            let serial = frame.peer >> 1;
            self.reordered += u64::from(serial < self.newest);
            self.newest = self.newest.max(serial);
            self.arrivals.on_packet(now, frame.entered);
        }
        match (from, &mut self.client) {
            (Side::Client, _) => {
                self.server.receive(at, frame.bytes);
                self.send(Side::Server, now, out)
            }
            (Side::Server, Ok(client)) => {
                client.receive(at, frame.bytes);
                self.send(Side::Client, now, out)
            }
            (Side::Server, Err(_)) => Ok(()),
        }
    }

    /// True if the receiver may report its wireless link now, and [`report`](Self::report) needs a reading of it.
    pub(crate) fn wants_reading(&self, now: Time) -> bool {
        self.feedback.as_ref().is_some_and(|feedback| feedback.wants_reading(now))
    }

    /// The receiver, which has just been sent something, reports its wireless link if that is due.
    ///
    /// # Errors
    /// That the connection has failed.
    pub(crate) fn report(
        &mut self,
        now: Time,
        reading: Option<LinkReport>,
        out: &mut Vec<Frame>,
    ) -> Result<(), Failure> {
        let (Some(feedback), Some(connection)) = (&mut self.feedback, self.server.connection())
        else {
            return Ok(());
        };
        // Before the end of the handshake there are no QUIC datagrams.
        if connection.is_handshaking() || connection.datagrams().max_size().is_none() {
            return Ok(());
        }
        let info = feedback.peer_info(now, reading);
        if info.link_report.is_none() {
            return Ok(());
        }
        let message = Bytes::copy_from_slice(wire::encode(&info).as_ref());
        connection.datagrams().send(message, true)?;
        self.send(Side::Server, now, out)
    }

    /// The receiver's host changed networks.
    pub(crate) fn on_receiver_handoff(&mut self) {
        if let Some(feedback) = &mut self.feedback {
            feedback.on_handoff();
        }
    }

    /// A report of the wireless link at the sender's end.
    pub(crate) fn on_link_report(&self, report: LinkReport) {
        if let Controllers::Own { factory, .. } = &self.controllers {
            factory.reports().own(report);
        }
    }

    /// An end of the path changed networks beneath the sender's host.
    pub(crate) fn on_handoff(&self, handoff: Handoff) {
        if let Some(handle) = &self.handle {
            handle.on_handoff(handoff);
        }
    }

    /// The sender's own interface failed to transmit a datagram.
    pub(crate) fn on_link_failure(&self, datagram: &[u8]) {
        if let Controllers::Own { marks: Some(marks), .. } = &self.controllers {
            marks.lost(datagram);
        }
    }

    /// Lets the application act, and sends what there is to send.
    fn send(&mut self, side: Side, now: Time, out: &mut Vec<Frame>) -> Result<(), Failure> {
        self.attend(side, now)?;
        let at = self.instant(now);
        loop {
            let end = match (side, &mut self.client) {
                (Side::Server, _) => &mut self.server,
                (Side::Client, Ok(client)) => client,
                (Side::Client, Err(_)) => break,
            };
            let sent = self.tap.sent();
            let Some(bytes) = end.transmit(at, self.mtu) else { break };
            let data = side == Side::Client && self.tap.sent() > sent;
            if side == Side::Client
                && let Controllers::Own { marks: Some(marks), .. } = &self.controllers
            {
                marks.sent(&bytes, None);
            }
            self.sent += u64::from(data);
            let frame = Frame::new(bytes, route(self.index, side), now, BELOW_QUIC)
                .of_peer(self.sent << 1 | u64::from(data));
            match &mut self.overhead {
                Some(overhead) if side == Side::Client => _ = overhead.hold(now, frame),
                _ => out.push(frame),
            }
        }
        self.due = self.next(now);
        Ok(())
    }

    /// What has happened to the connection, and what the application does about it.
    fn attend(&mut self, side: Side, now: Time) -> Result<(), Failure> {
        match (side, &mut self.client) {
            (Side::Client, Err(_)) => return Ok(()),
            (Side::Client, Ok(client)) => {
                while let Some(event) = client.poll() {
                    match event {
                        Event::Stream(StreamEvent::Writable { .. }) => self.writing.unblock(),
                        Event::Stream(StreamEvent::Finished { .. }) => self.finished = Some(now),
                        Event::DatagramReceived => {
                            while let Some(message) =
                                client.connection().and_then(|c| c.datagrams().recv())
                            {
                                if let Controllers::Own { factory, .. } = &self.controllers {
                                    let path = self.handle.as_ref();
                                    self.peer_reports.on_datagram(now, &message, factory, path);
                                }
                            }
                        }
                        Event::ConnectionLost { reason } => return Err(reason.into()),
                        _ => {}
                    }
                }
                if let Some(connection) = client.connection() {
                    self.writing.write(now, connection)?;
                }
            }
            (Side::Server, _) => {
                let mut readable = false;
                while let Some(event) = self.server.poll() {
                    match event {
                        Event::Stream(StreamEvent::Opened { .. }) => {
                            readable = true;
                            if let Some(connection) = self.server.connection() {
                                self.reading.accept(connection);
                            }
                        }
                        Event::Stream(StreamEvent::Readable { .. }) => readable = true,
                        Event::ConnectionLost { reason } => return Err(reason.into()),
                        _ => {}
                    }
                }
                if readable && let Some(connection) = self.server.connection() {
                    self.reading.read(now, connection);
                }
            }
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
        let client = match &self.client {
            Ok(client) => time(client),
            Err(Some(_)) => self.start,
            Err(None) => Time::MAX,
        };
        let held = self.overhead.as_ref().map_or(Time::MAX, |overhead| overhead.next());
        client.min(time(&self.server)).min(held).min(self.writing.next(now))
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

    /// What its ends have counted since it started.
    pub(crate) fn progress(&self) -> Progress {
        Progress {
            sent: self.sent,
            arrived: self.arrived,
            delivered_bytes: self.reading.app.bytes(),
            recoveries: self.tap.recoveries(),
            ..Progress::default()
        }
    }

    /// Data packets that arrived after one that was sent later.
    pub(crate) fn reordered(&self) -> u64 {
        self.reordered
    }

    /// Bytes that the receiver's application got.
    pub(crate) fn delivered_bytes(&self) -> u64 {
        self.reading.app.bytes()
    }

    /// Mean delay from application to application, in seconds.
    pub(crate) fn delay_s(&self) -> Option<f64> {
        self.reading.app.delay_s()
    }

    /// What its controller was told.
    pub(crate) fn tap(&self) -> &Tap {
        &self.tap
    }

    /// The state of its sender.
    pub(crate) fn state(&self) -> State {
        let connection = self.client.as_ref().ok().and_then(|client| client.connected());
        let controller = connection.and_then(|c| c.congestion_state(PathId::ZERO));
        let measured = |connection: &&Connection| !connection.is_handshaking();
        let srtt = connection.filter(measured).and_then(|c| c.rtt(PathId::ZERO));
        self.tap.state(controller, self.mtu, srtt.map(Into::into), self.handle.as_ref())
    }
}
