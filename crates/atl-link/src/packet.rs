//! What a link carries.

use crate::damage::Damage;

/// What a link carries.
pub trait Packet {
    /// Length on the wire, in bytes, headers included.
    fn wire_bytes(&self) -> u32;

    /// True of a packet that a queue with priorities serves after all others, and drops before them: a probe.
    fn low_priority(&self) -> bool {
        false
    }

    /// Bits of it went wrong ([`Loss::Bits`](crate::Loss::Bits)); told at the time at which it arrives. True if it goes
    /// on with them; false if it is lost, as a frame is whose check fails: a [`Cause::Error`](crate::Cause::Error).
    fn damage(&mut self, damage: Damage) -> bool {
        let _ = damage;
        false
    }

    /// It found the queue long when it was handed in ([`Config::mark_at`](crate::Config::mark_at)): the EFCI bit of an
    /// ATM cell.
    fn mark(&mut self) {}
}
