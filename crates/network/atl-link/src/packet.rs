//! The packets that a link carries.

use crate::damage::Damage;
use crate::ecn::Ecn;

/// A packet that a link carries. The engine that owns the packets implements it.
pub trait Packet {
    /// Length on the wire in bytes, headers included. It must not change while the packet is in the
    /// link.
    fn wire_bytes(&self) -> u32;

    /// True if a priority queue is to serve this packet after all others and drop it before them,
    /// as for a probe.
    fn low_priority(&self) -> bool {
        false
    }

    /// The flow that it belongs to: equal for packets whose addresses, ports and protocol are
    /// equal. A queue that shares a link among flows tells them apart by a hash of this.
    fn flow(&self) -> u64 {
        0
    }

    /// Called when the packet arrives with bit errors ([`Loss::Bits`](crate::Loss::Bits)). Return
    /// true to deliver it with its errors, false to lose it, like a frame whose checksum fails
    /// ([`Cause::Error`](crate::Cause::Error)).
    fn damage(&mut self, damage: Damage) -> bool {
        let _ = damage;
        false
    }

    /// The ECN field of its IP header.
    fn ecn(&self) -> Ecn {
        Ecn::NotEct
    }

    /// Called when a queue signals congestion: one that is long as the packet enters it
    /// ([`Config::mark_at`](crate::Config::mark_at)), or one whose
    /// [discipline](crate::QueueDiscipline) marks. The packet sets the field that it has for this:
    /// an ECN-capable one CE, an ATM cell EFCI; any other ignores it.
    fn mark(&mut self) {}

    /// True if [`mark`](Packet::mark) would change the packet: only then does a link count it.
    fn takes_mark(&self) -> bool {
        matches!(self.ecn(), Ecn::Ect0 | Ecn::Ect1)
    }

    /// True if a link that [duplicates](crate::Conditions::duplicate) may do so with this packet.
    /// ATM cells come once: their channels promise that.
    fn may_come_twice(&self) -> bool {
        true
    }

    /// Called by a link that [bleaches](crate::EcnRule::Bleach): the packet clears its ECN field.
    fn bleach(&mut self) {}
}
