//! Packets that noq has built and whose datagrams have not been seen yet.

use std::collections::VecDeque;

use atl_core::window::ledger::PacketId;

use super::datagram::packet_sizes;

/// The most transmits that are kept, of a host that does not show what it sends.
const MAX_TRANSMITS: usize = 64;

/// A packet in the notes of a path: their generation, and its number.
pub(crate) type Noted = (u32, PacketId);

#[derive(Clone, Debug, Default)]
struct Transmit {
    bytes: u64,
    /// Packets that elicit acknowledgments, and their sizes.
    packets: Vec<(Noted, u16)>,
}

/// The packets of transmits, in the order in which they were built.
#[derive(Clone, Debug, Default)]
pub(crate) struct Building {
    open: Vec<(Noted, u16)>,
    built: VecDeque<Transmit>,
}

impl Building {
    /// A packet was built.
    pub(crate) fn on_packet(&mut self, packet: Noted, bytes: u16) {
        self.open.push((packet, bytes));
    }

    /// The transmit that holds the packets built since the last one is complete.
    pub(crate) fn on_transmit(&mut self, bytes: u64) {
        if self.built.len() >= MAX_TRANSMITS {
            self.built.pop_front();
        }
        self.built.push_back(Transmit { bytes, packets: std::mem::take(&mut self.open) });
    }

    /// A transmit leaves: hands out each of its datagrams with the packets in it. False if it is none of these; earlier ones
    /// than the one that it is are forgotten.
    pub(super) fn leave<'a>(
        &mut self,
        contents: &'a [u8],
        segment_size: usize,
        mut each: impl FnMut(&'a [u8], Vec<Noted>),
    ) -> bool {
        let is_it = |transmit: &Transmit| transmit.bytes == contents.len() as u64;
        let Some(at) = self.built.iter().position(is_it) else { return false };
        let Some(transmit) = self.built.drain(..=at).next_back() else { return false };
        let mut packets = transmit.packets.into_iter().peekable();
        for datagram in contents.chunks(segment_size.max(1)) {
            let mut held = Vec::new();
            for size in packet_sizes(datagram) {
                // A packet that is not the next one elicits no acknowledgment: noq did not tell of it.
                let next = packets.next_if(|&(_, bytes)| usize::from(bytes) == size);
                held.extend(next.map(|(packet, _)| packet));
            }
            if !held.is_empty() {
                each(datagram, held);
            }
        }
        true
    }
}
