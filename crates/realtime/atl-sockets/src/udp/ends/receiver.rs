//! The receiving end of a flow.

use std::sync::{Arc, mpsc};

use crate::live::{Plug, Readings};
use atl_core::rate::Arrived;
use atl_core::time::{Span, Time};
use atl_endpoint::feedback::ReceiverFeedback;
use atl_endpoint::media::Playout;
use atl_endpoint::meters::Arrivals;
use atl_endpoint::number::expand;
use atl_endpoint::paced::{Answer, PacedReceiver, ReportPacket};
use atl_engine::flow;
use atl_engine::flow::record::{Mark, Marks};
use atl_link::Ecn;
use atl_wire::PeerLinkReport;
use atl_wire::paced::Packet;

use super::FrameNews;
use crate::udp::datagram;
use crate::udp::mac::{News, What};
use crate::udp::record::{Received, ReceiverRecord};

/// The receiving end of a flow.
#[derive(Debug)]
pub(crate) struct ReceiverEnd {
    pub flow: usize,
    pub plug: Plug,
    pub receiver: PacedReceiver,
    pub header: u32,
    /// Bytes of what it sends.
    pub ack_bytes: u16,
    pub feedback: Option<Box<ReceiverFeedback>>,
    /// Its wireless link, if it has one.
    pub link: Option<usize>,
    pub readings: Arc<Readings>,
    pub playout: Option<(Box<Playout>, mpsc::Receiver<FrameNews>)>,
    pub end: Time,
    pub marks: Marks,
    pub state: Receiving,
}

/// Where a receiving end is.
#[derive(Debug)]
pub(crate) struct Receiving {
    /// The time of the last call of the endpoint.
    last: Time,
    /// When its timer is due.
    due: Time,
    before: Received,
    arrivals: Arrivals,
    samples: Vec<(u64, Option<f64>)>,
    under_way: u64,
    buffer: Vec<u8>,
}

impl Default for Receiving {
    fn default() -> Self {
        Receiving {
            last: Time::ZERO,
            due: Time::MAX,
            before: Received::default(),
            arrivals: Arrivals::default(),
            samples: Vec::new(),
            under_way: 0,
            buffer: Vec::new(),
        }
    }
}

impl ReceiverEnd {
    pub(super) fn next(&self) -> Time {
        self.state.due.min(self.marks.next().0)
    }

    /// Does what is due up to `until`, each thing at its own time.
    pub(super) fn advance(&mut self, until: Time) {
        loop {
            let (at, mark) = self.marks.next();
            let timer = self.state.due;
            if timer.min(at) > until || timer.min(at) == Time::MAX {
                return;
            }
            if timer < at || timer == at && mark == Mark::Sample {
                self.on_timer(timer.max(self.state.last));
                continue;
            }
            self.marks.advance();
            match mark {
                Mark::Begin => self.begin(at),
                Mark::Sample => {
                    let jitter = self.state.arrivals.take_interval();
                    self.state.samples.push((self.receiver.payload_bytes(), jitter));
                }
            }
        }
    }

    fn begin(&mut self, at: Time) {
        self.state.before = self.received();
        self.state.arrivals.reset();
        self.hear_of_frames();
        if let Some((playout, _)) = &mut self.playout {
            playout.begin_measurement(at);
        }
    }

    fn received(&self) -> Received {
        let (arrived, payload_bytes) = (self.receiver.arrived(), self.receiver.payload_bytes());
        Received {
            arrived,
            payload_bytes,
            last_arrival: self.receiver.last_arrival(),
            marked: self.receiver.marked(),
        }
    }

    fn hear_of_frames(&mut self) {
        let Some((playout, news)) = &mut self.playout else { return };
        while let Ok(news) = news.try_recv() {
            match news {
                FrameNews::Begins(captured, first, end) => playout.on_frame(captured, first, end),
                FrameNews::Abandoned(captured) => playout.on_abandoned(captured),
            }
        }
    }

    fn on_timer(&mut self, now: Time) {
        self.state.last = now;
        if self.receiver.on_timer(now) {
            self.report(now);
        }
        self.state.due = self.receiver.next_timer();
    }

    /// Takes a packet; false if it makes no sense here.
    pub(super) fn on_packet(&mut self, now: Time, packet: &Packet, ecn: Ecn) -> bool {
        if !matches!(packet, Packet::Data { .. } | Packet::Probe { .. }) {
            return false;
        }
        let now = now.max(self.state.last);
        if now > self.end {
            self.state.under_way += u64::from(matches!(packet, Packet::Data { .. }));
            return true;
        }
        self.advance(now);
        self.state.last = now;
        match *packet {
            Packet::Data { size, seq, rtt_micros, sent_at } => {
                let rtt = Span::from_micros(u64::from(rtt_micros));
                let seq = expand(self.receiver.above(), seq);
                let arrived = Arrived::new(now, seq, sent_at, u32::from(size)).rtt(rtt);
                self.on_data(&arrived.marked(ecn == Ecn::Ce).clear(ecn == Ecn::NotEct));
            }
            Packet::Probe { size, number, sent_at } => {
                let bytes = u32::from(size);
                let arrived = Arrived::new(now, u64::from(number), sent_at, bytes);
                if self.receiver.on_dummy(&arrived) != Answer::Nothing {
                    let size = self.ack_bytes;
                    self.send(&Packet::ProbeAck { size, number, echo: sent_at });
                }
            }
            _ => {}
        }
        self.state.due = self.receiver.next_timer();
        true
    }

    fn on_data(&mut self, arrived: &Arrived) {
        let Arrived { now, seq, sent_at, bytes, .. } = *arrived;
        self.state.arrivals.on_packet(now, sent_at);
        self.hear_of_frames();
        if let Some((playout, _)) = &mut self.playout {
            playout.on_packet(now, seq);
        }
        match self.receiver.on_data(arrived, bytes.saturating_sub(self.header)) {
            Answer::Ack { mask, marks, clear } => {
                let link_report = self.link_report(now);
                self.send(&Packet::Ack {
                    size: self.ack_bytes,
                    seq: seq as u32,
                    mask,
                    marks,
                    clear,
                    echo: sent_at,
                    link_report,
                });
            }
            Answer::Report => self.report(now),
            Answer::Nothing => {}
        }
    }

    fn report(&mut self, now: Time) {
        let link_report = self.link_report(now);
        let Some(report) = self.receiver.report(now) else { return };
        let report = ReportPacket { report, link_report };
        self.send(&Packet::Report { size: self.ack_bytes, report });
    }

    /// The report of its own wireless link that goes into the next packet.
    fn link_report(&mut self, now: Time) -> Option<PeerLinkReport> {
        let feedback = self.feedback.as_mut()?;
        let wanted = self.link.filter(|_| feedback.wants_reading(now));
        let reading = wanted.map(|link| self.readings.of(link));
        feedback.peer_info(now, reading).link_report
    }

    fn send(&mut self, packet: &Packet) {
        datagram::write(packet, &mut self.state.buffer);
        self.plug.send(&mut self.state.buffer, Ecn::NotEct);
    }

    pub(super) fn on_news(&mut self, news: &News) {
        if let (What::Link(flow::News::ReceiverMoved), Some(feedback)) =
            (news.what, &mut self.feedback)
        {
            feedback.on_handoff();
        }
    }

    pub(super) fn finish(mut self: Box<Self>) -> ReceiverRecord {
        self.hear_of_frames();
        ReceiverRecord {
            before: self.state.before,
            after: self.received(),
            playout: self.playout.map(|(playout, _)| playout),
            arrivals: self.state.arrivals,
            samples: self.state.samples,
            under_way: self.state.under_way,
        }
    }
}
