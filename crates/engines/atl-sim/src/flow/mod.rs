//! A flow in the simulator: its ends, its place in the network, and what is measured of it.

mod build;
mod ends;
mod forger;
mod held;
mod measure;
mod options;
mod paced;
mod place;
mod proxy;
mod roaming;
mod talking;
mod tcp;

use atl_core::path::PathId;
use atl_core::time::Time;
use atl_endpoint::feedback::ReceiverFeedback;
use atl_endpoint::meters::{Arrivals, Offered};
use atl_endpoint::tcp::Outgoing;
use atl_engine::flow::record::NetworkRtts;
use atl_engine::flow::{Build, Fate, News, Overhead, Totals, receiver_feedback, report_source};
use atl_engine::setup::{FlowSetup, LinkSetup, ReceiverAwareness};
use atl_link::Ecn;

use crate::packet::{Bits, OptionsId, Packet, PacketKind};

use build::Built;
use held::Held;

pub(crate) use ends::Ends;
pub use options::Options;
#[cfg(test)]
pub(crate) use paced::PacedEnds;
pub(crate) use place::Paths;
pub(crate) use proxy::{Proxied, Relay};
pub(crate) use roaming::Roaming;
pub(crate) use talking::Talking;
pub(crate) use tcp::{Reader, TcpEnds};

/// One end-to-end flow. Its id is its index in the setup.
#[derive(Debug)]
// In this order what each packet needs stands together, in front of the ends: with a thousand flows
// most of a packet's cost is the cache lines that it touches (docs/performance.md).
#[repr(C)]
pub(crate) struct Flow {
    /// Time of its sender's timer event in the queue; [`Time::MAX`] without one.
    pub due: Time,
    pub paths: Paths,
    /// Bytes on the wire of a full data packet.
    pub data_bytes: u16,
    pub ack_bytes: u16,
    /// Reports of its receiver beyond acknowledgments; `None` if it reports nothing.
    pub feedback: Option<Box<ReceiverFeedback>>,
    /// Answers that its receiver holds back; `None` if it answers at once.
    pub held: Option<Box<Held>>,
    /// Segments beyond those that have arrived which its receiver acknowledges.
    pub ahead: u32,
    /// Its receiver may send the AccECN option.
    pub ecn_option: bool,
    /// Its part in a connection that a proxy splits.
    pub proxied: Option<Proxied>,
    /// Jitter of its data packets.
    pub arrivals: Option<Box<Arrivals>>,
    pub overhead: Option<Box<Overhead<Packet>>>,
    /// The paths of a mobile's flow; `None` if its hosts stay where they are.
    pub roaming: Option<Box<Roaming>>,
    pub ends: Ends,
    pub rtts: NetworkRtts,
    pub fate: Fate,
    pub start: Time,
    /// Bytes written by its application; `None` for sources that always have data.
    offered: Option<Box<Offered>>,
    /// When measurement began, and the totals then; `None` if it counts from the start.
    baseline: Option<Box<(Time, Totals)>>,
}

/// The length field of an IP packet has 16 bits.
///
/// # Panics
/// Panics if the packet is longer; the reader of scenario files refuses such setups.
fn wire_length(bytes: u32) -> u16 {
    u16::try_from(bytes).expect("a packet has at most 65535 bytes")
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
        let mobile = roaming.as_ref().map(Roaming::mobile);
        let moves = mobile.map(|mobile| (mobile.side(), mobile.signals().collect()));
        let build = Build { moves, ..Build::new(plan, links, seed) };
        let Build { wireless, start, packet_bytes, .. } = build;
        let Built { ends, half } = Ends::build(&build, &plan.protocol.transport);
        let source = report_source(plan, &wireless, ends.listens());
        let feedback = receiver_feedback(half, source, ends.receiver_freezes(), packet_bytes);
        Flow {
            due: Time::MAX,
            paths,
            data_bytes: wire_length(packet_bytes),
            ack_bytes: wire_length(plan.tcp.ack),
            start,
            fate: Fate::default(),
            rtts: NetworkRtts::of_one(options.rtt),
            overhead: Overhead::new(plan.overhead, build.stream("overhead")),
            feedback,
            held: Held::new(plan),
            ahead: match plan.receiver {
                ReceiverAwareness::Claims(claims) => claims.ahead,
                ReceiverAwareness::Aware | ReceiverAwareness::Unaware => 0,
            },
            ecn_option: plan.tcp.ecn_option,
            proxied: None,
            roaming: roaming.map(Box::new),
            arrivals: options.jitter.then(Box::default),
            offered: Offered::new(build.app(), start),
            baseline: None,
            ends,
        }
    }

    /// The MAC of a wireless link at one of its ends has news.
    pub(crate) fn hear(&mut self, now: Time, news: News) {
        match news {
            News::Report(_, report) => self.ends.on_link_report(now, &report),
            News::Handoff(handoff) => self.ends.on_handoff(&handoff),
            News::ReceiverMoved => {
                if let Some(feedback) = &mut self.feedback {
                    feedback.on_handoff();
                }
            }
        }
    }

    /// The next packet that its sender may send at `now`, if any.
    #[inline]
    pub(crate) fn poll_packet(&mut self, now: Time, id: u32) -> Option<Packet> {
        let (mut ecn, mut flags) = (Ecn::NotEct, 0);
        let (kind, seq, tx, bytes, path) = match &mut self.ends {
            Ends::Tcp(tcp) => match tcp.sender.poll_send(now)? {
                Outgoing::Data { seq, tx, bytes, path, ecn: field, cwr } => {
                    (ecn, flags) = (field, u8::from(cwr));
                    (PacketKind::Data, seq, tx, bytes as u16, path)
                }
                Outgoing::Syn { flags: asked } => {
                    flags = asked;
                    (PacketKind::Syn, 0, 0, self.ack_bytes, tcp.sender.path())
                }
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
            Ends::Paced(paced) => {
                let (leaving, field) = paced.poll_packet(now)?;
                ecn = field;
                leaving
            }
        };
        Some(Packet {
            sent_at: now,
            tx: tx as u32,
            seq: seq as u32,
            flow: id,
            hop: if path == PathId::FIRST { self.paths.forward } else { self.forward(path) },
            bytes,
            kind,
            bits: Bits::sent(kind.is_data(), ecn, flags),
            options: OptionsId::NONE,
        })
    }

    /// The counter of the AccECN option in its receiver's last ACK.
    #[cold]
    pub(crate) fn marked_bytes(&self) -> Option<u32> {
        match &self.ends {
            Ends::Tcp(tcp) => tcp.receiver.ecn_option(),
            Ends::Paced(_) => None,
        }
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
