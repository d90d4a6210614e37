//! A flow in the simulator: its ends, its place in the network, and what is measured of it.

mod ends;
mod measure;
mod paced;
mod tcp;

use atl_core::time::{Span, Time};
use atl_endpoint::app::App;
use atl_endpoint::meters::{Arrivals, Offered, Rtts};
use atl_endpoint::tcp::Outgoing;
use atl_endpoint::voice::{Reports, Voice};
use atl_link::random::Stream;
use atl_scenario::protocol::Transport;
use atl_scenario::setup::{FlowSetup, LinkSetup, Receiver};

use crate::overhead::Overhead;
use crate::packet::{OptionsId, Packet, PacketKind};
pub(crate) use ends::Ends;
use ends::Host;
use measure::Baseline;
pub use measure::Options;
pub(crate) use paced::PacedEnds;
pub(crate) use tcp::TcpEnds;

/// One end-to-end flow. Its id is its index in the setup.
#[derive(Debug)]
pub(crate) struct Flow {
    /// Time of its sender's timer event in the queue; [`Time::MAX`] without one.
    pub due: Time,
    pub ends: Ends,
    pub paths: Paths,
    /// Bytes on the wire of a full data packet, and of a probe.
    pub data_bytes: u16,
    pub ack_bytes: u16,
    pub start: Time,
    pub fate: Fate,
    pub rtts: Rtts,
    pub overhead: Option<Box<Overhead>>,
    pub wireless: Wireless,
    /// What its receiver reports beyond acknowledging, if it reports anything.
    pub feedback: Option<Box<Voice>>,
    /// Jitter of its data packets.
    pub arrivals: Option<Box<Arrivals>>,
    /// What its application writes; `None` for sources that always have data.
    offered: Option<Box<Offered>>,
    /// Totals when measurement began.
    baseline: Box<Baseline>,
    /// Totals at the previous sample: bytes on the wire, bytes delivered.
    sampled: (u64, u64),
}

/// Where a flow's paths begin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paths {
    /// The path of its data: place in the routing table.
    pub forward: u32,
    /// The path of its ACKs: place in the routing table.
    pub back: u32,
    /// First end of a virtual channel on the forward path.
    pub channel: Option<u32>,
}

/// What happened to a flow's data packets in the network.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fate {
    /// Dropped by full queues.
    pub dropped: u64,
    /// Lost on links.
    pub lost: u64,
}

/// The wireless links on a flow's forward path, by index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wireless {
    /// At its source's own end.
    pub access: Option<u32>,
    /// At its receiver's own end, if that is another link.
    pub peer_access: Option<u32>,
    /// The first on the path: samples name its networks.
    pub first: Option<u32>,
}

impl Wireless {
    fn of(plan: &FlowSetup, links: &[LinkSetup]) -> Self {
        let wireless = |l: &usize| links[*l].wireless;
        let index = |l: &usize| *l as u32;
        let path = &plan.forward;
        Wireless {
            access: path.first().filter(|l| wireless(l)).map(index),
            peer_access: path.last().filter(|l| path.len() > 1 && wireless(l)).map(index),
            first: path.iter().find(|l| wireless(l)).map(index),
        }
    }
}

/// What the ends of a flow are built from.
struct Build<'a> {
    plan: &'a FlowSetup,
    links: &'a [LinkSetup],
    wireless: Wireless,
    seed: u64,
    start: Time,
    /// Bytes on the wire of a full data packet.
    packet_bytes: u32,
}

impl Build<'_> {
    /// A stream of random numbers of this flow's own.
    fn stream(&self, what: &str) -> Stream {
        stream(self.plan, self.seed, what)
    }

    /// A copy of the flow's application.
    fn app(&self) -> App {
        let plan = self.plan;
        App::new(&plan.source, plan.tcp.segment, self.start, self.stream("source"))
    }
}

fn stream(plan: &FlowSetup, seed: u64, what: &str) -> Stream {
    Stream::new(seed, &format!("flow/{}/{what}", plan.name))
}

/// When a flow starts.
fn start(plan: &FlowSetup, seed: u64) -> Time {
    let jitter = stream(plan, seed, "start").below(plan.start_jitter.nanos().saturating_add(1));
    plan.start + Span::from_nanos(jitter)
}

/// The length field of an IP packet has 16 bits.
///
/// # Panics
/// Panics if the packet is longer; the reader of scenario files refuses such setups.
fn wire_length(bytes: u32) -> u16 {
    u16::try_from(bytes).expect("a packet has at most 65535 bytes")
}

/// Where the receiver's reports of its wireless link come from.
fn reports(plan: &FlowSetup, wireless: &Wireless, sender_listens: bool) -> Reports {
    match plan.receiver {
        Receiver::Aware if wireless.peer_access.is_some() && sender_listens => Reports::Link,
        Receiver::Claims(claim) if sender_listens => Reports::Claims(claim),
        Receiver::Aware | Receiver::Unaware | Receiver::Claims(_) => Reports::None,
    }
}

impl Flow {
    /// # Panics
    /// Panics if a packet would be longer than 65535 bytes.
    pub fn new(
        plan: &FlowSetup,
        links: &[LinkSetup],
        paths: Paths,
        seed: u64,
        options: Options,
    ) -> Self {
        let wireless = Wireless::of(plan, links);
        let start = start(plan, seed);
        let packet_bytes = plan.tcp.segment + plan.tcp.header;
        let build = Build { plan, links, wireless, seed, start, packet_bytes };
        let Host { ends, half, sizes } = match &plan.protocol.transport {
            Transport::Tcp(protocol) => TcpEnds::host(&build, protocol),
            Transport::Paced(config) => PacedEnds::host(&build, config),
        };
        let reports = reports(plan, &wireless, ends.listens());
        let speaks = half.is_some() || reports != Reports::None || ends.receiver_freezes();
        Flow {
            due: Time::MAX,
            paths,
            data_bytes: wire_length(packet_bytes),
            ack_bytes: wire_length(plan.tcp.ack),
            start,
            fate: Fate::default(),
            rtts: Rtts::new(options.rtt),
            overhead: Overhead::new(plan.overhead, build.stream("overhead")),
            wireless,
            feedback: speaks.then(|| Box::new(Voice::new(half, reports, packet_bytes))),
            arrivals: options.jitter.then(Box::default),
            offered: Offered::new(build.app(), sizes, start),
            baseline: Box::new(Baseline::at(start)),
            sampled: (0, 0),
            ends,
        }
    }

    /// The next packet that its sender may send at `now`, if any.
    #[inline]
    pub fn poll_packet(&mut self, now: Time, id: u32) -> Option<Packet> {
        let (kind, seq, tx, bytes) = match &mut self.ends {
            Ends::Tcp(tcp) => match tcp.sender.poll_send(now)? {
                Outgoing::Data { seq, tx } => (PacketKind::Data, seq, tx, self.data_bytes),
                Outgoing::Syn => (PacketKind::Syn, 0, 0, self.ack_bytes),
                Outgoing::WindowProbe => (PacketKind::WindowProbe, 0, 0, self.ack_bytes),
                Outgoing::Probe { number, segment: Some(seq) } => {
                    (PacketKind::Nil, seq, number, self.data_bytes)
                }
                Outgoing::Probe { number, segment: None } => {
                    (PacketKind::Dummy, 0, number, self.data_bytes)
                }
            },
            Ends::Paced(paced) => paced.poll_packet(now, self.data_bytes)?,
        };
        Some(Packet {
            sent_at: now,
            tx: tx as u32,
            seq: seq as u32,
            flow: id,
            hop: self.paths.forward,
            bytes,
            kind,
            first_hop: kind.is_data(),
            options: OptionsId::NONE,
        })
    }

    /// Reads a word of each cache line that a packet of this kind will need.
    #[inline]
    pub fn touch(&self, kind: PacketKind) -> u64 {
        match &self.ends {
            Ends::Tcp(tcp) => tcp.touch(kind, self.due, self.feedback.is_some()),
            Ends::Paced(paced) => paced.touch(self.due),
        }
    }
}
