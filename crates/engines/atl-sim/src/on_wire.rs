//! Bytes that have left the interfaces of their sources.

use crate::packet::Packet;

/// For each flow, the bytes of data packets, headers included, that have left their source's own
/// interface. Kept apart from the flows, which are far away in memory when a packet leaves its
/// first link.
#[derive(Debug)]
pub(crate) struct OnWire(Vec<u64>);

impl OnWire {
    /// For packets whose `flow` is below `len`. Cells name an end of a virtual channel there, and
    /// count as nothing.
    pub(crate) fn new(len: usize) -> Self {
        OnWire(vec![0; len])
    }

    /// Counts a packet that comes out of a link, if it is data and the link is its first.
    #[inline]
    pub(crate) fn count(&mut self, packet: &Packet) {
        self.0[packet.flow as usize] +=
            u64::from(packet.bits.first_hop()) * u64::from(packet.bytes);
    }

    /// The bytes of a flow.
    pub(crate) fn of(&self, flow: u32) -> u64 {
        self.0[flow as usize]
    }
}
