//! Packets that noq has built and whose datagrams have not been seen yet.

mod datagram;

use std::collections::VecDeque;

use atl_core::window::ledger::PacketId;

use datagram::packet_sizes;

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

    /// A transmit leaves: hands out each of its datagrams with the packets in it. False if it is
    /// none of these; earlier ones than the one that it is are forgotten.
    pub(crate) fn leave<'a>(
        &mut self,
        contents: &'a [u8],
        segment_size: usize,
        mut each: impl FnMut(&'a [u8], Vec<Noted>),
    ) -> bool {
        let is_it = |transmit: &Transmit| transmit.bytes == contents.len() as u64;
        // noq does not say that the transmit of an MTU probe is complete.
        let open: u64 = self.open.iter().map(|(_, bytes)| u64::from(*bytes)).sum();
        if open == contents.len() as u64 && !self.built.iter().any(is_it) {
            self.on_transmit(open);
        }
        let Some(at) = self.built.iter().position(is_it) else { return false };
        let Some(transmit) = self.built.drain(..=at).next_back() else { return false };
        let mut packets = transmit.packets.into_iter().peekable();
        for datagram in contents.chunks(segment_size.max(1)) {
            let mut held = Vec::new();
            for size in packet_sizes(datagram) {
                // A packet that is not the next one elicits no acknowledgment: noq did not tell of
                // it.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(number: u64) -> Noted {
        (0, PacketId::from(number))
    }

    /// The packets of each datagram of a transmit of `sizes`, all with short headers.
    fn leave(building: &mut Building, sizes: &[usize]) -> Option<Vec<Vec<Noted>>> {
        let contents = vec![0x40; sizes.iter().sum()];
        let mut found = Vec::new();
        building.leave(&contents, sizes[0], |_, packets| found.push(packets)).then_some(found)
    }

    #[test]
    fn packets_are_matched_in_order_and_by_size() {
        let mut building = Building::default();
        for number in 0..3 {
            building.on_packet(packet(number), if number < 2 { 1200 } else { 700 });
        }
        building.on_transmit(3100);
        let found = leave(&mut building, &[1200, 1200, 700]);
        assert_eq!(found, Some((0..3).map(|number| vec![packet(number)]).collect()));
        assert_eq!(leave(&mut building, &[1200, 1200, 700]), None, "it has left");
        // An ACK alone is a transmit without packets of the list.
        building.on_transmit(40);
        assert_eq!(leave(&mut building, &[40]), Some(vec![]));
    }

    #[test]
    fn an_mtu_probe_and_transmits_that_were_never_shown_do_not_disturb_later_ones() {
        let mut building = Building::default();
        building.on_packet(packet(7), 1326);
        assert_eq!(leave(&mut building, &[1326]), Some(vec![vec![packet(7)]]));
        building.on_packet(packet(8), 900);
        building.on_transmit(900);
        building.on_packet(packet(9), 1200);
        building.on_transmit(1200);
        assert_eq!(leave(&mut building, &[1200]), Some(vec![vec![packet(9)]]));
        assert_eq!(leave(&mut building, &[900]), None);
        for number in 0..1000 {
            building.on_packet(packet(number), 800);
            building.on_transmit(800);
        }
        assert!(building.built.len() <= MAX_TRANSMITS);
    }
}
