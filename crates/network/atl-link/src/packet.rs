//! The packets that a link carries.

use crate::damage::Damage;

/// A packet that a link carries. A host implements it for its own type.
pub trait Packet {
    /// Length on the wire in bytes, headers included. It must not change while the packet is in the link.
    fn wire_bytes(&self) -> u32;

    /// True if a priority queue is to serve this packet after all others and drop it before them, as for a probe.
    fn low_priority(&self) -> bool {
        false
    }

    /// Called when the packet arrives with bit errors ([`Loss::Bits`](crate::Loss::Bits)). Return true to deliver it
    /// with its errors, false to lose it, like a frame whose checksum fails ([`Cause::Error`](crate::Cause::Error)).
    fn damage(&mut self, damage: Damage) -> bool {
        let _ = damage;
        false
    }

    /// Called when the packet meets a long queue on entry ([`Config::mark_at`](crate::Config::mark_at)), as for the EFCI
    /// bit of an ATM cell.
    fn mark(&mut self) {}
}
