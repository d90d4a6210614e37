//! The sending end of a flow.

use std::sync::mpsc;

use crate::live::Plug;
use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_endpoint::meters::Offered;
use atl_endpoint::number::expand;
use atl_endpoint::paced::{Outgoing, PacedSender};
use atl_engine::flow::record::NetworkRtts;
use atl_engine::flow::record::{Mark, Marks};
use atl_engine::flow::{self, Overhead, State, paced};
use atl_link::Ecn;
use atl_net::clock::Clock;
use atl_net::lateness::Lateness;
use atl_wire::paced::Packet;

use super::FrameNews;
use crate::udp::datagram;
use crate::udp::mac::{News, What};
use crate::udp::record::{SenderRecord, Sent};

/// A packet that leaves, and its ECN field.
pub(crate) type Leaving = (Packet, Ecn);

/// The sending end of a flow.
#[derive(Debug)]
pub(crate) struct SenderEnd {
    pub flow: usize,
    pub plug: Plug,
    pub sender: PacedSender,
    pub header: u32,
    /// Bytes of a full packet.
    pub packet_bytes: u16,
    pub overhead: Option<Box<Overhead<Leaving>>>,
    /// Tells the viewer's meter of frames.
    pub frames: Option<mpsc::Sender<FrameNews>>,
    pub rtts: NetworkRtts,
    pub offered: Option<Box<Offered>>,
    pub start: Time,
    pub end: Time,
    pub marks: Marks,
    /// `None` until the run begins.
    pub clock: Option<Clock>,
    /// The rate of its first link: what lateness is compared with.
    pub rate: Option<Rate>,
    pub state: Sending,
}

/// Where a sending end is.
#[derive(Debug)]
pub(crate) struct Sending {
    /// The time of the last call of the endpoint.
    last: Time,
    /// When its timer is due.
    due: Time,
    before: Sent,
    samples: Vec<State>,
    lateness: Lateness,
    buffer: Vec<u8>,
}

impl Sending {
    /// A flow that starts at this time.
    pub(crate) fn starting(at: Time) -> Self {
        Sending {
            last: Time::ZERO,
            due: at,
            before: Sent::default(),
            samples: Vec::new(),
            lateness: Lateness::new(),
            buffer: Vec::new(),
        }
    }
}

/// Steps of an end, in the order in which those of one instant happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Begin,
    Timer,
    Emit,
    Sample,
}

impl SenderEnd {
    fn step(&self) -> (Time, Step) {
        let (at, mark) = self.marks.next();
        let mark = if mark == Mark::Begin { Step::Begin } else { Step::Sample };
        let emit = self.overhead.as_ref().map_or(Time::MAX, |overhead| overhead.next());
        (at, mark).min((self.state.due, Step::Timer)).min((emit, Step::Emit))
    }

    pub(super) fn next(&self) -> Time {
        self.step().0
    }

    /// Calls the endpoint at the times that it asked for. The gap to the next packet then counts
    /// from when this one was due, not from when the thread woke up.
    pub(super) fn advance(&mut self, until: Time) {
        loop {
            let (at, step) = self.step();
            if at > until || at == Time::MAX {
                return;
            }
            match step {
                Step::Begin => self.begin(at),
                Step::Timer => {
                    let at = at.max(self.state.last);
                    self.sender.on_timer(at);
                    self.drain(at);
                }
                Step::Emit => {
                    let first = self.overhead.as_mut().and_then(|overhead| overhead.release().0);
                    if let Some(packet) = first {
                        self.emit(packet, at);
                    }
                }
                Step::Sample => {
                    self.marks.advance();
                    let state = paced::state(&mut self.sender, self.packet_bytes);
                    self.state.samples.push(state);
                }
            }
        }
    }

    fn begin(&mut self, at: Time) {
        self.marks.advance();
        self.state.before = self.sent();
        self.rtts.reset();
        if let Some(offered) = &mut self.offered {
            offered.begin_measurement(at);
        }
        if let Some(encoder) = self.sender.queue().encoder_mut() {
            encoder.begin_measurement();
        }
    }

    fn sent(&self) -> Sent {
        Sent {
            sent: self.sender.sent(),
            decreases: self.sender.decreases(),
            probe_bytes: self.sender.probe_bytes(),
        }
    }

    /// Sends what may be sent at `now`.
    fn drain(&mut self, now: Time) {
        while let Some(out) = self.sender.poll_send(now) {
            self.tell_viewer(&out);
            let packet = self.packet(&out, now);
            match &mut self.overhead {
                Some(overhead) => _ = overhead.hold(now, packet),
                None => self.emit(packet, now),
            }
        }
        self.state.last = now;
        self.state.due = self.sender.next_timer(now);
    }

    fn tell_viewer(&mut self, out: &Outgoing) {
        let Some(frames) = &self.frames else { return };
        // The viewer may have ended first.
        if let Outgoing::Data { seq, begins: Some((captured, end)), .. } = *out {
            let _ = frames.send(FrameNews::Begins(captured, seq, end));
        }
        while let Some(captured) = self.sender.queue().poll_abandoned() {
            let _ = frames.send(FrameNews::Abandoned(captured));
        }
    }

    fn packet(&self, out: &Outgoing, sent_at: Time) -> Leaving {
        match *out {
            Outgoing::Data { seq, payload, ecn, .. } => {
                let size = (payload + self.header) as u16;
                let rtt_micros = paced::rtt_stamp(&self.sender);
                (Packet::Data { size, seq: seq as u32, rtt_micros, sent_at }, ecn)
            }
            // Only the sender of a mobile's flow asks for answers on a new path.
            Outgoing::Probe { number, bytes, .. } | Outgoing::Challenge { number, bytes, .. } => {
                let (size, number) = (bytes as u16, number as u32);
                (Packet::Probe { size, number, sent_at }, Ecn::NotEct)
            }
        }
    }

    fn emit(&mut self, (packet, ecn): Leaving, due: Time) {
        let state = &mut self.state;
        datagram::write(&packet, &mut state.buffer);
        self.plug.send(&mut state.buffer, ecn);
        let bytes = u32::from(packet.size());
        let packet_time =
            self.rate.map_or(Span::from_millis(1), |rate| rate.time_for(u64::from(bytes)));
        if let Some(clock) = self.clock {
            state.lateness.add(clock.now().since(due), packet_time);
        }
    }

    /// Takes a packet; false if it makes no sense here.
    pub(super) fn on_packet(&mut self, now: Time, packet: &Packet) -> bool {
        let now = now.max(self.state.last);
        if now > self.end {
            return true;
        }
        self.advance(now);
        let sender = &mut self.sender;
        let rtt = match packet {
            Packet::Ack { seq, mask, marks, clear, echo, link_report, .. } => {
                if let Some(report) = link_report {
                    sender.on_peer_link_report(now, report);
                }
                let seq = expand(sender.sent(), *seq);
                sender.on_marks(now, seq, *marks, *clear);
                sender.on_ack(now, seq, *echo, *mask)
            }
            Packet::Report { report, .. } => {
                if let Some(report) = &report.link_report {
                    sender.on_peer_link_report(now, report);
                }
                sender.on_report(now, &report.report)
            }
            Packet::ProbeAck { number, echo, .. } => {
                sender.on_probe_ack(now, u64::from(*number), *echo);
                None
            }
            Packet::Data { .. } | Packet::Probe { .. } => return false,
        };
        if let Some(rtt) = rtt {
            self.rtts.note(now, rtt);
        }
        self.drain(now);
        true
    }

    pub(super) fn on_news(&mut self, news: &News) {
        let at = news.at.max(self.state.last);
        if at > self.end {
            return;
        }
        self.advance(at);
        match news.what {
            What::Failed(seq) => {
                let seq = expand(self.sender.sent(), seq);
                self.sender.on_link_failure(seq);
            }
            What::Link(flow::News::Report(_, report)) => self.sender.on_link_report(at, &report),
            What::Link(flow::News::Handoff(handoff)) => self.sender.on_handoff(&handoff),
            What::Link(flow::News::ReceiverMoved) => return,
        }
        self.drain(at);
    }

    /// Its record. Packets that the host still held count as under way.
    pub(super) fn finish(self: Box<Self>) -> SenderRecord {
        let after = self.sent();
        let held = |overhead: &Overhead<Leaving>| {
            overhead.packets().filter(|(packet, _)| matches!(packet, Packet::Data { .. })).count()
        };
        SenderRecord {
            held: self.overhead.as_deref().map_or(0, held) as u64,
            sender: self.sender,
            start: self.start,
            before: self.state.before,
            after,
            rtts: self.rtts,
            offered: self.offered,
            samples: self.state.samples,
            lateness: self.state.lateness,
        }
    }
}
