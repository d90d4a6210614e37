//! A TCP flow in the simulator: a sender and receiver, their place in the network, and what is measured.

use atl_core::time::{Span, Time};
use atl_core::window::{Start, WindowController};
use atl_link::random::Stream;
use atl_scenario::protocol::TcpProtocol;
use atl_scenario::setup::{FlowSetup, LinkSetup, Receiver as ReceiverSetup};

use crate::overhead::Overhead;
use crate::packet::Kind;
use crate::simulation::Options;
use atl_endpoint::app::{App, Sizes, Writes};
use atl_endpoint::interruptions::{Side, Step, steps};
use atl_endpoint::meters::Arrivals;
use atl_endpoint::meters::Delays;
use atl_endpoint::meters::Offered;
use atl_endpoint::meters::Rtts;
use atl_endpoint::tcp::{Counts, Receiver, Sender};
use atl_endpoint::voice::{Reports, Voice};

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
    pub sizes: Sizes,
    pub start: Time,
    pub tally: Tally,
    /// Where everything stood when measurement began.
    pub since: Box<Mark>,
    pub rtts: Rtts,
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
    /// Jitter of its data packets.
    pub arrivals: Option<Box<Arrivals>>,
    /// What its application writes, and how long that takes to the other end; of one that does not always have more.
    pub offered: Option<Box<Offered>>,
    pub delays: Option<Box<Delays>>,
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
    pub delivered: u64,
    pub counts: Counts,
}

/// What happens to a flow's data packets.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub dropped: u64,
    pub lost: u64,
}

/// The wireless links that a flow meets, by index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wireless {
    /// At its source's own end.
    pub access: Option<u32>,
    /// At its receiver's own end, if that is another.
    pub peer_access: Option<u32>,
    /// The first on its way.
    pub first: Option<u32>,
}

impl Wireless {
    pub fn of(setup: &FlowSetup, links: &[LinkSetup]) -> Self {
        let wireless = |l: &usize| links[*l].wireless;
        let index = |l: &usize| *l as u32;
        let way = &setup.forward;
        Wireless {
            access: way.first().filter(|l| wireless(l)).map(index),
            peer_access: way.last().filter(|l| way.len() > 1 && wireless(l)).map(index),
            first: way.iter().find(|l| wireless(l)).map(index),
        }
    }
}

/// A stream of random numbers of a flow's own.
pub(crate) fn stream(setup: &FlowSetup, seed: u64, what: &str) -> Stream {
    Stream::new(seed, &format!("flow/{}/{what}", setup.name))
}

/// When a flow starts.
pub(crate) fn start(setup: &FlowSetup, seed: u64) -> Time {
    let jitter = stream(setup, seed, "start").below(setup.start_jitter.nanos().saturating_add(1));
    setup.start + Span::from_nanos(jitter)
}

/// An IP packet's length has 16 bits.
///
/// # Panics
/// If it is longer; the reader of scenario files lets no such packet through.
pub(crate) fn wire_length(bytes: u32) -> u16 {
    u16::try_from(bytes).expect("a packet has at most 65535 bytes")
}

impl Flow {
    /// # Panics
    /// If a packet would be longer than 65535 bytes.
    pub fn new(
        setup: &FlowSetup,
        protocol: &TcpProtocol,
        links: &[LinkSetup],
        seed: u64,
        options: Options,
    ) -> Self {
        let Wireless { access, peer_access, first } = Wireless::of(setup, links);
        let tcp = &setup.tcp;
        let stream = |what: &str| stream(setup, seed, what);
        let start = start(setup, seed);
        let data_bytes = tcp.segment + tcp.header;
        let start_of = Start::default()
            .initial_window(tcp.initial_window)
            .packet_bytes(data_bytes)
            .access_rate(tcp.access_rate)
            .acked_per_ack(if tcp.delayed_ack.is_some() { 2.0 } else { 1.0 })
            .receive_window(tcp.receive_window)
            .seed(stream("controller").next_u64());
        let controller = protocol.controller.build(&start_of);
        let half = protocol.controller.build_receiver(&start_of);
        let end = |link: Option<u32>| link.map(|l| &links[l as usize]);
        let steps = protocol.freeze.map(|ahead| {
            steps(end(access).map(|l| &*l.config), end(peer_access).map(|l| &*l.config), ahead)
        });
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
        let app = || App::new(&setup.source, tcp.segment, start, stream("source"));
        let writes = Writes::new(&setup.source, tcp.segment, start, stream("source"));
        let sizes = Sizes::new(&setup.source, tcp.segment);
        let recovery = protocol.recovery;
        Flow {
            due: Time::MAX,
            sender: Sender::new(recovery, controller, tcp, app()),
            receiver: Receiver::of(recovery, tcp.delayed_ack),
            forward: 0,
            back: 0,
            data_bytes: wire_length(data_bytes),
            ack_bytes: wire_length(tcp.ack),
            sizes,
            start,
            tally: Tally::default(),
            since: Box::new(Mark { at: start, ..Mark::default() }),
            rtts: Rtts::new(options.rtt),
            overhead: Overhead::new(setup.overhead, stream("overhead")),
            access,
            air: first,
            peer_access,
            voice,
            steps: steps.into_iter().rev().collect(),
            arrivals: options.jitter.then(Box::default),
            offered: Offered::new(app(), sizes, start),
            delays: writes.map(|writes| Box::new(Delays::new(writes))),
            sampled: (0, 0),
        }
    }

    /// Reads a word of each cache line that a packet of this kind will need.
    #[inline]
    pub fn touch(&self, kind: Kind) -> u64 {
        match kind {
            Kind::Ack | Kind::SynAck | Kind::ProbeAck | Kind::Request | Kind::Quench => {
                self.sender.touch() ^ self.due.nanos()
            }
            _ => self.receiver.next() ^ self.receiver.arrived() ^ u64::from(self.voice.is_some()),
        }
    }

    /// Application bytes delivered in order so far.
    pub fn delivered_bytes(&self) -> u64 {
        self.sizes.bytes(self.receiver.next())
    }
}
