//! What a link carries.

/// What a link carries.
pub trait Packet {
    /// Length on the wire, in bytes, headers included.
    fn wire_bytes(&self) -> u32;
}
