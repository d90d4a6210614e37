//! A flow in the simulator: a TCP sender and receiver, their place in the network, and what is measured.

use std::collections::VecDeque;

use atl_core::time::{Span, Time};
use atl_core::window::{Start, WindowController};
use atl_link::random::Stream;
use atl_scenario::protocol::Recovery;
use atl_scenario::setup::{FlowSetup, LinkSetup, Receiver as ReceiverSetup, Source};
use hdrhistogram::Histogram;

use crate::interruptions::{Side, Step, steps};
use crate::packet::{Kind, Packet};
use crate::tcp::{App, Counts, Receiver, Reports, Sender, Voice};

/// Significant decimal digits of the RTT histogram: values are within 0.1 %.
const RTT_DIGITS: u8 = 3;
/// Largest RTT that it tells apart, in microseconds: an hour.
const RTT_MOST: u64 = 3_600_000_000;

/// One end-to-end flow.
#[derive(Debug)]
pub(crate) struct Flow {
    /// When its sender's timer event in the queue is; [`Time::MAX`] if there is none.
    pub due: Time,
    pub sender: Sender,
    pub receiver: Receiver,
    /// Where its two paths begin in the routing table.
    pub forward: u32,
    pub back: u32,
    pub data_bytes: u16,
    pub ack_bytes: u16,
    /// Its application's end, in bytes, if it has one.
    pub limit: Option<u64>,
    pub segment: u32,
    pub start: Time,
    pub tally: Tally,
    /// Where everything stood when measurement began.
    pub since: Box<Mark>,
    pub rtt: Option<Histogram<u32>>,
    pub rtt_min: Span,
    pub overhead: Option<Box<Overhead>>,
    /// The wireless link at its source's own end, by index.
    pub access: Option<u32>,
    /// The wireless link at its receiver's own end, by index, if that is another.
    pub peer_access: Option<u32>,
    /// What its receiver says beyond acknowledging, if it has anything to say.
    pub voice: Option<Box<Voice>>,
    /// When its hosts freeze and thaw it, the next one last.
    pub steps: Vec<Step>,
    /// The first wireless link on its way: whose networks the samples name.
    pub air: Option<u32>,
    /// State at the previous sample: bytes on the wire, bytes delivered.
    pub sampled: (u64, u64),
}

/// Where a flow's counts stand at a time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark {
    pub at: Time,
    pub tally: Tally,
    pub on_wire: u64,
    pub arrived: u64,
    pub delivered_bytes: u64,
    pub counts: Counts,
}

/// What happens to a flow's data packets.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub dropped: u64,
    pub lost: u64,
}

/// The host's own delay ahead of its interface: random, order kept.
#[derive(Debug)]
pub(crate) struct Overhead {
    pub most: Span,
    pub stream: Stream,
    pub waiting: VecDeque<(Time, Packet)>,
}

impl Overhead {
    /// Takes a packet; returns when the first of those waiting leaves, if that is this one.
    pub fn hold(&mut self, now: Time, packet: Packet) -> Option<Time> {
        let delay = Span::from_nanos(self.stream.below(self.most.nanos().saturating_add(1)));
        let last = self.waiting.back().map_or(Time::ZERO, |w| w.0);
        let at = (now + delay).max(last);
        let first = self.waiting.is_empty();
        self.waiting.push_back((at, packet));
        first.then_some(at)
    }
}

/// An IP packet's length has 16 bits.
fn wire_length(bytes: u32) -> u16 {
    u16::try_from(bytes).expect("a packet has at most 65535 bytes")
}

impl Flow {
    /// # Panics
    /// If a packet would be longer than 65535 bytes.
    pub fn new(setup: &FlowSetup, links: &[LinkSetup], seed: u64, measure_rtt: bool) -> Self {
        let wireless = |link: Option<&usize>| link.copied().filter(|&l| links[l].wireless);
        let access = wireless(setup.forward.first());
        let peer_access = wireless(setup.forward.last()).filter(|_| setup.forward.len() > 1);
        let air = setup.forward.iter().copied().find(|&l| links[l].wireless);
        let tcp = &setup.tcp;
        let stream = |what: &str| Stream::new(seed, &format!("flow/{}/{what}", setup.name));
        let jitter = stream("start").below(setup.start_jitter.nanos().saturating_add(1));
        let start = setup.start + Span::from_nanos(jitter);
        let data_bytes = tcp.segment + tcp.header;
        let start_of = Start {
            initial_window: tcp.initial_window,
            packet_bytes: data_bytes,
            access_rate: tcp.access_rate,
            acked_per_ack: if tcp.delayed_ack.is_some() { 2.0 } else { 1.0 },
            receive_window: tcp.receive_window,
            seed: stream("controller").next_u64(),
        };
        let protocol = setup.protocol.tcp().expect("paced flows are of another kind");
        let controller = protocol.controller.build(&start_of);
        let half = protocol.controller.build_receiver(&start_of);
        let end = |link: Option<usize>| link.map(|l| &links[l]);
        let steps = protocol.freeze.map(|ahead| steps(end(access), end(peer_access), ahead));
        let steps = steps.unwrap_or_default();
        let reports = match setup.receiver {
            ReceiverSetup::Aware if peer_access.is_some() && controller.listens() => Reports::Link,
            ReceiverSetup::Claims(claim) if controller.listens() => Reports::Claims(claim),
            ReceiverSetup::Aware | ReceiverSetup::Unaware | ReceiverSetup::Claims(_) => {
                Reports::None
            }
        };
        let freezes = steps.iter().any(|step| step.side == Side::Receiver);
        let speaks = half.is_some() || reports != Reports::None || freezes;
        let voice = speaks.then(|| Box::new(Voice::new(half, reports, data_bytes)));
        let app = App::new(&setup.source, tcp.segment, start, stream("source"));
        let recovery = protocol.recovery;
        let limit = match setup.source {
            Source::Fixed { bytes } => Some(bytes),
            Source::Greedy | Source::OnOff { .. } | Source::Media(_) => None,
        };
        Flow {
            due: Time::MAX,
            sender: Sender::new(recovery, controller, tcp, app),
            receiver: Receiver::new(recovery.selective(), tcp.delayed_ack)
                .reporting_duplicates(recovery == Recovery::Rack),
            forward: 0,
            back: 0,
            data_bytes: wire_length(data_bytes),
            ack_bytes: wire_length(tcp.ack),
            limit,
            segment: tcp.segment,
            start,
            tally: Tally::default(),
            since: Box::new(Mark { at: start, ..Mark::default() }),
            rtt: measure_rtt.then(|| {
                // It grows to the largest value that it meets.
                Histogram::new(RTT_DIGITS).expect("one to five digits are allowed")
            }),
            rtt_min: Span::MAX,
            overhead: (!setup.overhead.is_zero()).then(|| {
                Box::new(Overhead {
                    most: setup.overhead,
                    stream: stream("overhead"),
                    waiting: VecDeque::new(),
                })
            }),
            access: access.map(|l| l as u32),
            air: air.map(|l| l as u32),
            peer_access: peer_access.map(|l| l as u32),
            voice,
            steps: steps.into_iter().rev().collect(),
            sampled: (0, 0),
        }
    }

    /// Reads a word of each cache line that a packet of this kind will need.
    #[inline]
    pub fn touch(&self, kind: Kind) -> u64 {
        match kind {
            Kind::Ack | Kind::SynAck | Kind::ProbeAck | Kind::Request => {
                self.sender.touch() ^ self.due.nanos()
            }
            Kind::Data | Kind::Syn | Kind::WindowProbe | Kind::Dummy | Kind::Nil => {
                self.receiver.next() ^ self.receiver.arrived() ^ u64::from(self.voice.is_some())
            }
        }
    }

    /// Application bytes delivered in order so far.
    pub fn delivered_bytes(&self) -> u64 {
        let bytes = self.receiver.next() * u64::from(self.segment);
        self.limit.map_or(bytes, |limit| bytes.min(limit))
    }

    #[inline]
    pub fn note_rtt(&mut self, rtt: Span) {
        if let Some(histogram) = &mut self.rtt {
            let micros = (rtt.nanos() / 1000).min(RTT_MOST);
            histogram.record(micros).expect("it grows as far as the largest RTT");
            self.rtt_min = self.rtt_min.min(rtt);
        }
    }
}
