//! What a link carries.

/// What a link carries.
pub trait Packet {
    /// Length on the wire, in bytes, headers included.
    fn wire_bytes(&self) -> u32;

    /// True of a packet that a queue with priorities serves after all others, and drops before them: a probe.
    fn low_priority(&self) -> bool {
        false
    }
}
