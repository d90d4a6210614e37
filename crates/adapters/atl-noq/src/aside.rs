//! Packets in flight that do not concern the controller: probes, and what was in flight when it
//! began anew.

use std::collections::BTreeMap;

use atl_core::time::Time;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packet {
    pub(crate) sent_at: Time,
    pub(crate) bytes: u32,
    /// Sent as a probe.
    pub(crate) probe: bool,
    /// As large as the path's MTU.
    pub(crate) full: bool,
}

/// The most packets that are kept: memory is bounded.
const MAX_TRACKED: usize = 1 << 17;

/// Packets by number. Numbers of different spaces may collide, so each has a serial as well.
#[derive(Clone, Debug, Default)]
pub(crate) struct Aside {
    packets: BTreeMap<(u64, u64), Packet>,
    next: u64,
    bytes: u64,
}

impl Aside {
    /// Adds a packet. Returns the one with the lowest number if there was no room.
    pub(crate) fn insert(&mut self, number: u64, packet: Packet) -> Option<Packet> {
        let forced =
            if self.packets.len() >= MAX_TRACKED { self.packets.pop_first() } else { None };
        self.packets.insert((number, self.next), packet);
        self.next += 1;
        self.bytes += u64::from(packet.bytes);
        let forced = forced.map(|(_, packet)| packet);
        self.bytes -= forced.map_or(0, |packet| u64::from(packet.bytes));
        forced
    }

    /// Takes a packet with this number for which `is_it`, the oldest first.
    pub(crate) fn take(&mut self, number: u64, is_it: impl Fn(&Packet) -> bool) -> Option<Packet> {
        let mut same = self.packets.range((number, 0)..=(number, u64::MAX));
        let key = *same.find(|(_, packet)| is_it(packet))?.0;
        let packet = self.packets.remove(&key)?;
        self.bytes -= u64::from(packet.bytes);
        Some(packet)
    }

    /// The oldest packet of at most this many bytes.
    pub(crate) fn oldest(&self, bytes: u64) -> Option<(u64, Packet)> {
        let fits = self.packets.iter().filter(|(_, packet)| u64::from(packet.bytes) <= bytes);
        fits.min_by_key(|(_, packet)| packet.sent_at)
            .map(|(&(number, _), &packet)| (number, packet))
    }

    pub(crate) fn len(&self) -> u32 {
        self.packets.len() as u32
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }
}
