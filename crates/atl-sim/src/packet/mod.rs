//! What travels over the links.

mod options;

pub use options::{OptionStore, OptionsId};

use atl_core::time::Time;
use atl_link::Damage;

/// What a packet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PacketKind {
    /// A data segment.
    Data,
    /// An acknowledgment.
    Ack,
    /// A connection request.
    Syn,
    /// The answer to a connection request.
    SynAck,
    /// A question whether the receiver's window is open.
    WindowProbe,
    /// A probe at low priority that carries nothing (a dummy segment).
    Dummy,
    /// A probe at low priority that carries a copy of data that was sent before (a NIL segment of TCP-Peach+).
    Nil,
    /// The answer to a probe, at low priority too.
    ProbeAck,
    /// From an agent at an access point to its other half in the mobile: what is missing.
    Request,
    /// From a network node to the source: slow down (ICMP source quench).
    Quench,
    /// A data packet of a paced flow.
    Paced,
    /// The acknowledgment of one.
    PacedAck,
    /// The report of a paced flow's receiver.
    Report,
    /// A probe of a paced flow, at low priority.
    PacedProbe,
    /// The answer to one, at low priority too.
    PacedProbeAck,
    /// An ATM cell.
    Cell,
}

impl PacketKind {
    /// True for a packet with data of the application, which loss is counted of.
    #[inline]
    pub fn is_data(self) -> bool {
        matches!(self, PacketKind::Data | PacketKind::Paced)
    }
}

/// A packet, carried by value from link to link: half a cache line, as copying it is much of what a hop costs.
/// Sequence and transmission numbers are the low halves of the endpoints' numbers, as in TCP's own header;
/// [`expand`](atl_endpoint::number::expand) restores them. Options, which few ACKs have, are kept aside.
#[derive(Clone, Copy, Debug)]
pub struct Packet {
    /// Data: when it was sent. ACK: when the packet that it answers was sent (RFC 7323). Cell: where its wrong bits are.
    pub sent_at: Time,
    /// Data, also in a NIL segment: number of the segment. ACK: next segment expected. Paced data and its ACK:
    /// number of the packet. Cell: what it met.
    pub seq: u32,
    /// Data: number of the transmission. Probe: its number, apart from data. ACK: that of the packet that it
    /// answers. Paced data: the sender's RTT in microseconds; its ACK: which packets before it have arrived. Report:
    /// where it is kept.
    pub tx: u32,
    /// Index of the flow.
    pub flow: u32,
    /// Place in the routing table: which link of its path it is on.
    pub hop: u32,
    /// ACK: where its options are kept.
    pub options: OptionsId,
    /// Bytes on the wire.
    pub bytes: u16,
    /// What it is.
    pub kind: PacketKind,
    /// Data on its way to leave its source's own interface.
    pub first_hop: bool,
}

const _: () = assert!(size_of::<Packet>() == 32);

impl atl_link::Packet for Packet {
    #[inline]
    fn wire_bytes(&self) -> u32 {
        u32::from(self.bytes)
    }

    #[inline]
    fn low_priority(&self) -> bool {
        matches!(
            self.kind,
            PacketKind::Dummy
                | PacketKind::Nil
                | PacketKind::ProbeAck
                | PacketKind::PacedProbe
                | PacketKind::PacedProbeAck
        )
    }

    fn damage(&mut self, damage: Damage) -> bool {
        if self.kind != PacketKind::Cell {
            return false;
        }
        // More errors than a cell has bits are as bad as that many.
        self.seq |= damage.hits.min(HITS);
        self.sent_at = Time::from_nanos(damage.seed);
        true
    }

    fn mark(&mut self) {
        if self.kind == PacketKind::Cell {
            self.seq |= MARKED;
        }
    }
}

/// What a cell's `seq` tells: bit errors that it has just met, those of its payload noted, a long queue seen.
const HITS: u32 = (1 << 24) - 1;
const DAMAGED: u32 = 1 << 30;
const MARKED: u32 = 1 << 31;

impl Packet {
    /// The bit errors that a cell met on the link that it comes from, if it met any.
    #[inline]
    pub(crate) fn take_damage(&mut self) -> Option<Damage> {
        let hits = self.seq & HITS;
        self.seq &= !HITS;
        (hits > 0).then(|| Damage { hits, seed: self.sent_at.nanos() })
    }

    /// Notes that a cell is wrong, so that it is counted once.
    pub(crate) fn note_damaged(&mut self) {
        self.seq |= DAMAGED;
    }

    /// Whether that was noted.
    pub(crate) fn is_damaged(&self) -> bool {
        self.seq & DAMAGED != 0
    }

    /// Whether a cell met a long queue.
    pub(crate) fn is_marked(&self) -> bool {
        self.seq & MARKED != 0
    }
}
