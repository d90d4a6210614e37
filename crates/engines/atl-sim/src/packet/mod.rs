//! Packets, as they travel over the links.

mod bits;
mod options;

pub use bits::Bits;
pub use options::{OptionStore, OptionsId};

use atl_core::time::Time;
use atl_link::{Damage, Ecn};

/// The kind of a packet: it decides which end handles it, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PacketKind {
    /// A data segment.
    Data,
    /// An acknowledgment.
    Ack,
    /// A connection request.
    Syn,
    /// The answer to a connection request (SYN-ACK).
    SynAck,
    /// Asks whether the receiver's window is open.
    WindowProbe,
    /// A low-priority probe without data (a dummy segment).
    Dummy,
    /// A low-priority probe that carries a copy of data sent before (a NIL segment of TCP-Peach+).
    Nil,
    /// The ACK of a probe, also at low priority.
    ProbeAck,
    /// From an agent at an access point to its other half in the mobile: which packets are missing.
    Request,
    /// Asks the source to slow down (ICMP source quench).
    Quench,
    /// A data packet of a paced flow.
    Paced,
    /// The ACK of a paced data packet.
    PacedAck,
    /// The report of a paced flow's receiver.
    Report,
    /// A low-priority probe of a paced flow.
    PacedProbe,
    /// The ACK of such a probe, also at low priority.
    PacedProbeAck,
    /// Asks whether somebody answers at the other end of a new path.
    Challenge,
    /// The answer to a challenge, which validates the path.
    ChallengeAnswer,
    /// A mobile receiver's word to the sender about its paths.
    Notice,
    /// Measurements of a new path by the receiver of a paced flow.
    HandoffReport,
    /// An ATM cell.
    Cell,
}

impl PacketKind {
    /// True for packets that carry application data: these, and their bytes on the wire, are
    /// counted as sent, arrived, lost or dropped. A probe with a copy of a segment is one: what it
    /// delivers is goodput.
    #[inline]
    pub fn is_data(self) -> bool {
        matches!(self, PacketKind::Data | PacketKind::Paced | PacketKind::Nil)
    }

    /// True for packets that go to the receiver of the data, false for those to its sender.
    pub fn is_for_receiver(self) -> bool {
        use PacketKind::{Challenge, Data, Dummy, Nil, Paced, PacedProbe, Syn, WindowProbe};
        matches!(self, Data | Syn | WindowProbe | Challenge | Dummy | Nil | Paced | PacedProbe)
    }
}

/// A packet, carried by value from link to link: half a cache line, as copying it is much of a
/// hop's cost. Sequence and transmission numbers are the low halves of the endpoints' numbers, as
/// in TCP's own header; [`expand`](atl_endpoint::number::expand) restores them. Options, which few
/// ACKs have, are kept in a slab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Data: when it was sent. ACK: when the packet that it answers was sent (RFC 7323). Cell: seed
    /// of its bit errors.
    pub sent_at: Time,
    /// Data, also in a NIL segment: number of the segment. ACK: next segment expected. Paced data
    /// and its ACK: number of the packet. Cell: what happened to it.
    pub seq: u32,
    /// Data: number of the transmission. Probe: its number, apart from data. ACK: that of the
    /// packet that it answers. Paced data: the sender's RTT in microseconds; its ACK: which packets
    /// before it have arrived. Report, notice, handoff report, cell: the slot where it is kept.
    pub tx: u32,
    /// Index of the flow; of a cell, of the sending end of its channel.
    pub flow: u32,
    /// Place in the routing table: the entry of its path that it has reached.
    pub hop: u32,
    /// ACK: the slot of its options.
    pub options: OptionsId,
    /// Bytes on the wire.
    pub bytes: u16,
    /// Decides which end handles it.
    pub kind: PacketKind,
    /// Its ECN field, flags of TCP, and whether it has left its source's interface.
    pub bits: Bits,
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

    fn flow(&self) -> u64 {
        u64::from(self.flow) << 1 | u64::from(self.kind.is_for_receiver())
    }

    fn damage(&mut self, damage: Damage) -> bool {
        if self.kind != PacketKind::Cell {
            return false;
        }
        // More errors than a cell has bits are no worse.
        self.seq |= damage.hits.min(HITS);
        self.sent_at = Time::from_nanos(damage.seed);
        true
    }

    #[inline]
    fn ecn(&self) -> Ecn {
        self.bits.ecn()
    }

    fn mark(&mut self) {
        if self.kind == PacketKind::Cell {
            self.seq |= MARKED;
        } else if self.bits.ecn().is_capable() {
            self.bits = self.bits.with_ecn(Ecn::Ce);
        }
    }

    fn takes_mark(&self) -> bool {
        match self.kind {
            PacketKind::Cell => !self.is_marked(),
            _ => matches!(self.bits.ecn(), Ecn::Ect0 | Ecn::Ect1),
        }
    }

    fn may_come_twice(&self) -> bool {
        self.kind != PacketKind::Cell
    }

    fn bleach(&mut self) {
        self.bits = self.bits.with_ecn(Ecn::NotEct);
    }
}

impl Packet {
    /// True for the same packet, whatever links have done to its ECN field.
    pub(crate) fn is(&self, other: &Packet) -> bool {
        let of =
            |packet: &Packet| (packet.flow, packet.kind, packet.seq, packet.tx, packet.sent_at);
        of(self) == of(other)
    }
}

/// The bits of a cell's `seq`: bit errors that it has just met, payload damage noted, long queue
/// met.
const HITS: u32 = (1 << 24) - 1;
const DAMAGED: u32 = 1 << 30;
const MARKED: u32 = 1 << 31;

impl Packet {
    /// Takes the bit errors that a cell met on the link that it came from, if any.
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

    /// True if it was noted.
    pub(crate) fn is_damaged(&self) -> bool {
        self.seq & DAMAGED != 0
    }

    /// True if a cell met a long queue.
    pub(crate) fn is_marked(&self) -> bool {
        self.seq & MARKED != 0
    }
}
