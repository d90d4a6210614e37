//! A flow in the simulator: its ends, its place in the network, and what is measured of it.

mod build;
mod counts;
mod ends;
mod measure;
mod paced;
mod place;
mod roaming;
mod tcp;

use atl_core::path::PathId;
use atl_core::time::Time;
use atl_endpoint::feedback::{PeerReportSource, ReceiverFeedback};
use atl_endpoint::meters::{Arrivals, Offered, Rtts};
use atl_endpoint::tcp::Outgoing;
use atl_scenario::setup::{FlowSetup, LinkSetup, ReceiverAwareness};

use crate::overhead::Overhead;
use crate::packet::{OptionsId, Packet, PacketKind};

use build::{Build, Built};
use counts::{Baseline, Fate};

pub use counts::Options;
pub(crate) use ends::Ends;
#[cfg(test)]
pub(crate) use paced::PacedEnds;
pub(crate) use place::{Paths, Wireless};
pub(crate) use roaming::Roaming;
pub(crate) use tcp::TcpEnds;

/// One end-to-end flow. Its id is its index in the setup.
#[derive(Debug)]
// In this order what each packet needs stands together, in front of the ends: with a thousand flows most of a packet's
// cost is the cache lines that it touches (docs/performance.md).
#[repr(C)]
pub(crate) struct Flow {
    /// Time of its sender's timer event in the queue; [`Time::MAX`] without one.
    pub due: Time,
    pub paths: Paths,
    /// Bytes on the wire of a full data packet, and of a probe.
    pub data_bytes: u16,
    pub ack_bytes: u16,
    /// What its receiver reports beyond acknowledging, if it reports anything.
    pub feedback: Option<Box<ReceiverFeedback>>,
    /// Jitter of its data packets.
    pub arrivals: Option<Box<Arrivals>>,
    pub overhead: Option<Box<Overhead>>,
    /// The paths of a mobile's flow; `None` if its hosts stay where they are.
    pub roaming: Option<Box<Roaming>>,
    pub ends: Ends,
    pub rtts: Rtts,
    pub fate: Fate,
    pub start: Time,
    pub wireless: Wireless,
    /// What its application writes; `None` for sources that always have data.
    offered: Option<Box<Offered>>,
    /// Totals when measurement began.
    baseline: Box<Baseline>,
    /// Totals at the previous sample: bytes on the wire, bytes delivered, packets dropped or lost.
    sampled: (u64, u64, u64),
}

/// The length field of an IP packet has 16 bits.
///
/// # Panics
/// Panics if the packet is longer; the reader of scenario files refuses such setups.
fn wire_length(bytes: u32) -> u16 {
    u16::try_from(bytes).expect("a packet has at most 65535 bytes")
}

/// Where the receiver's reports of its wireless link come from.
fn report_source(plan: &FlowSetup, wireless: &Wireless, sender_listens: bool) -> PeerReportSource {
    match plan.receiver {
        ReceiverAwareness::Aware if wireless.peer_access.is_some() && sender_listens => {
            PeerReportSource::Link
        }
        ReceiverAwareness::Claims(claim) if sender_listens => PeerReportSource::Claims(claim),
        ReceiverAwareness::Aware | ReceiverAwareness::Unaware | ReceiverAwareness::Claims(_) => {
            PeerReportSource::None
        }
    }
}

impl Flow {
    /// # Panics
    /// Panics if a packet would be longer than 65535 bytes.
    pub(crate) fn new(
        plan: &FlowSetup,
        links: &[LinkSetup],
        (paths, roaming): (Paths, Option<Roaming>),
        seed: u64,
        options: Options,
    ) -> Self {
        let wireless = Wireless::of(plan.first_path(), links);
        let start = build::start(plan, seed);
        let packet_bytes = plan.tcp.segment + plan.tcp.header;
        let moves = roaming.as_ref().map(Roaming::moves);
        let build = Build { plan, links, wireless, seed, start, packet_bytes, moves };
        let Built { ends, half, sizes } = Ends::build(&build, &plan.protocol.transport);
        let source = report_source(plan, &wireless, ends.listens());
        let has_feedback =
            half.is_some() || source != PeerReportSource::None || ends.receiver_freezes();
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
            feedback: has_feedback
                .then(|| Box::new(ReceiverFeedback::new(half, source, packet_bytes))),
            roaming: roaming.map(Box::new),
            arrivals: options.jitter.then(Box::default),
            offered: Offered::new(build.app(), sizes, start),
            baseline: Box::new(Baseline::at(start)),
            sampled: (0, 0, 0),
            ends,
        }
    }

    /// The next packet that its sender may send at `now`, if any.
    #[inline]
    pub(crate) fn poll_packet(&mut self, now: Time, id: u32) -> Option<Packet> {
        let (kind, seq, tx, bytes, path) = match &mut self.ends {
            Ends::Tcp(tcp) => match tcp.sender.poll_send(now)? {
                Outgoing::Data { seq, tx, path } => {
                    (PacketKind::Data, seq, tx, self.data_bytes, path)
                }
                Outgoing::Syn => (PacketKind::Syn, 0, 0, self.ack_bytes, PathId::FIRST),
                Outgoing::WindowProbe => {
                    (PacketKind::WindowProbe, 0, 0, self.ack_bytes, tcp.sender.path())
                }
                Outgoing::Challenge { number, path, bytes } => {
                    (PacketKind::Challenge, 0, number, bytes as u16, path)
                }
                Outgoing::Probe { number, segment: Some(seq), path, bytes } => {
                    (PacketKind::Nil, seq, number, bytes as u16, path)
                }
                Outgoing::Probe { number, segment: None, path, bytes } => {
                    (PacketKind::Dummy, 0, number, bytes as u16, path)
                }
            },
            Ends::Paced(paced) => paced.poll_packet(now)?,
        };
        Some(Packet {
            sent_at: now,
            tx: tx as u32,
            seq: seq as u32,
            flow: id,
            hop: if path == PathId::FIRST { self.paths.forward } else { self.forward(path) },
            bytes,
            kind,
            first_hop: kind.carries_data(),
            options: OptionsId::NONE,
        })
    }

    /// Where the data of a mobile's other path begins.
    #[cold]
    fn forward(&self, path: PathId) -> u32 {
        self.roaming.as_ref().map_or(self.paths.forward, |roaming| roaming.forward(path))
    }

    /// Reads a word of each cache line that a packet of this kind will need.
    #[inline]
    pub(crate) fn touch(&self, kind: PacketKind) -> u64 {
        match &self.ends {
            Ends::Tcp(tcp) => tcp.touch(kind, self.due, self.feedback.is_some()),
            Ends::Paced(paced) => paced.touch(self.due),
        }
    }
}
