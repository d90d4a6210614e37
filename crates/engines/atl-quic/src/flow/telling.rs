//! News for the ends of a flow that QUIC does not carry: reports of wireless links, changes of
//! network, losses of the sender's own interface.

use atl_core::path::{Handoff, LinkReport, PathSignal};
use atl_core::time::Time;
use atl_endpoint::interruptions::Side;
use atl_engine::flow::News;
use atl_link::relay::Frame;
use bytes::Bytes;

use super::failure::Failure;
use super::{Flow, Origin};
use crate::controllers::Controllers;

impl Flow {
    /// True if the receiver may report its wireless link now, and [`report`](Self::report) needs a
    /// reading of it.
    pub(crate) fn wants_reading(&self, now: Time) -> bool {
        self.feedback.as_ref().is_some_and(|feedback| feedback.wants_reading(now))
    }

    /// The receiver, which has just been sent something or has moved, reports its wireless link if
    /// that is due.
    ///
    /// # Errors
    /// That the connection has failed.
    pub(crate) fn report(
        &mut self,
        now: Time,
        reading: Option<LinkReport>,
        out: &mut Vec<Frame>,
    ) -> Result<(), Failure> {
        let [_, receiver] = &mut self.ends;
        let connection = receiver.as_mut().and_then(|receiver| receiver.connection());
        let (Some(feedback), Some(connection)) = (&mut self.feedback, connection) else {
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
        let message = Bytes::copy_from_slice(atl_wire::encode(&info).as_ref());
        connection.datagrams().send(message, true)?;
        self.send(Side::Receiver, now, out)
    }

    /// The MAC of a wireless link at one of its ends has news.
    pub(crate) fn hear(&mut self, news: News) {
        match news {
            News::Report(link, report) => self.on_link_report(link, report),
            News::Handoff(handoff) => self.on_handoff(handoff),
            News::ReceiverMoved => {
                if let Some(feedback) = &mut self.feedback {
                    feedback.on_handoff();
                }
            }
        }
    }

    /// A report of a wireless link at the sender's end.
    fn on_link_report(&self, link: usize, report: LinkReport) {
        let Controllers::Own { factory, .. } = &self.controllers else { return };
        match self.mobile.as_ref().and_then(|mobile| mobile.handle_on(link as u32)) {
            Some(handle) => handle.reports().own(report),
            None => factory.reports().own(report),
        }
    }

    /// An end of the path changed networks beneath the sender's connection.
    fn on_handoff(&self, handoff: Handoff) {
        let paths = self.mobile.as_ref().and_then(|mobile| mobile.multipath());
        let current = paths.and_then(|paths| paths.handle(paths.in_use().0));
        if let Some(handle) = current.or(self.handle.as_ref()) {
            handle.on_handoff(handoff);
        }
    }

    /// The sender's own interface failed to transmit a datagram.
    pub(crate) fn on_link_failure(&self, datagram: &[u8]) {
        if let Controllers::Own { marks: Some(marks), .. } = &self.controllers {
            marks.lost(datagram);
        }
    }

    /// True if an end of a mobile sends a datagram over a network that it has left.
    pub(crate) fn strands(&self, frame: &Frame) -> bool {
        self.is_at_gone_mobile(frame, |from, mobile| from == mobile)
    }

    /// True if nobody is there to take a datagram that has arrived, since the mobile has left its
    /// path.
    pub(crate) fn misses(&self, frame: &Frame) -> bool {
        self.is_at_gone_mobile(frame, |from, mobile| from != mobile)
    }

    fn is_at_gone_mobile(&self, frame: &Frame, at: impl FnOnce(Side, Side) -> bool) -> bool {
        let Some(mobile) = &self.mobile else { return false };
        let Origin { path, from, .. } = self.routes.origin(frame.route);
        at(from, mobile.side()) && !mobile.is_present(path)
    }

    /// When its mobile's lower layers next signal; [`Time::MAX`] without a mobile.
    pub(crate) fn next_signal(&self) -> Time {
        self.mobile.as_ref().map_or(Time::MAX, |mobile| mobile.next_signal())
    }

    /// The next signal of the mobile's lower layers that is due. The connection has yet [to be
    /// told](Self::tell).
    pub(crate) fn step(&mut self, now: Time) -> Option<PathSignal> {
        self.mobile.as_mut()?.step(now)
    }

    /// The mobile tells its end of the connection.
    pub(crate) fn tell(&mut self, now: Time, signal: PathSignal) {
        let at = self.instant(now);
        let begun = now >= self.start;
        if let Some(mobile) = &mut self.mobile {
            mobile.tell(now, at, signal, begun);
        }
    }

    /// Binding updates that are due.
    pub(super) fn send_notices(&mut self, now: Time, out: &mut Vec<Frame>) {
        let Some(mobile) = &mut self.mobile else { return };
        let side = mobile.side();
        let Some(beneath) = mobile.beneath() else { return };
        while let Some((path, notice)) = beneath.poll_notice(now) {
            let number = self.notices.len() as u64;
            self.notices.push(notice);
            let route = self.routes.id(Origin { flow: self.index, path, from: side });
            let frame = Frame::new(Vec::new(), route, now, 0).charged(self.packet_bytes);
            out.push(frame.of_peer(number << 1));
        }
    }

    /// A binding update arrived over a path.
    pub(super) fn take_notice(&mut self, path: usize, frame: &Frame) {
        let notice = self.notices[(frame.peer >> 1) as usize];
        if let Some(beneath) = self.mobile.as_mut().and_then(|mobile| mobile.beneath()) {
            beneath.on_notice(&notice, path, self.packet_bytes);
        }
    }
}
