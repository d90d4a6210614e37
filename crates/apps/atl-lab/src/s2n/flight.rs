//! Packets in flight, each with the controller's own data about it.

use std::collections::BTreeMap;
use std::time::Instant;

/// A packet in flight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packet<Info> {
    pub(super) pn: u64,
    pub(super) sent: Instant,
    pub(super) bytes: u32,
    pub(super) info: Info,
}

/// Packets in flight, by their number. Initial, Handshake and Data packets are numbered apart, so
/// that several packets may have one number.
#[derive(Clone, Debug)]
pub(super) struct Flight<Info> {
    packets: BTreeMap<u64, Vec<Packet<Info>>>,
    bytes: u64,
}

impl<Info: Copy> Flight<Info> {
    pub(super) fn new() -> Flight<Info> {
        Flight { packets: BTreeMap::new(), bytes: 0 }
    }

    /// Bytes of all packets.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn add(&mut self, packet: Packet<Info>) {
        self.bytes += u64::from(packet.bytes);
        self.packets.entry(packet.pn).or_default().push(packet);
    }

    /// Takes out the packet with this number that was sent at this time.
    pub(super) fn acked(&mut self, pn: u64, sent: Instant) -> Option<Packet<Info>> {
        self.take(pn, |packet| packet.sent == sent)
    }

    /// Takes out the oldest packet with this number and length.
    pub(super) fn lost(&mut self, pn: u64, bytes: u32) -> Option<Packet<Info>> {
        self.take(pn, |packet| packet.bytes == bytes)
    }

    /// Takes out the packet that has been in flight for longest.
    pub(super) fn oldest(&mut self) -> Option<Packet<Info>> {
        let of_number = |packets: &Vec<Packet<Info>>| packets.first().map(|packet| packet.sent);
        let (pn, _) = self.packets.iter().min_by_key(|(_, packets)| of_number(packets))?;
        self.take(*pn, |_| true)
    }

    fn take(&mut self, pn: u64, is: impl Fn(&Packet<Info>) -> bool) -> Option<Packet<Info>> {
        let packets = self.packets.get_mut(&pn)?;
        let packet = packets.remove(packets.iter().position(is)?);
        if packets.is_empty() {
            self.packets.remove(&pn);
        }
        self.bytes -= u64::from(packet.bytes);
        Some(packet)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;

    /// Any moment, as an origin.
    #[expect(clippy::disallowed_methods, reason = "there is no other way to have an `Instant`")]
    fn origin() -> Instant {
        Instant::now()
    }

    #[test]
    fn packets_of_several_spaces_are_told_apart() {
        let (now, mut flight) = (origin(), Flight::new());
        let later = now + Duration::from_millis(1);
        for (sent, bytes, info) in [(now, 1200, 'i'), (later, 400, 'h'), (later, 1472, 'd')] {
            flight.add(Packet { pn: 0, sent, bytes, info });
        }
        assert_eq!(flight.lost(0, 1472).map(|packet| packet.info), Some('d'));
        assert_eq!(flight.acked(0, later).map(|packet| packet.info), Some('h'));
        assert!(flight.acked(0, later).is_none() && flight.lost(1, 1200).is_none());
        assert_eq!((flight.bytes(), flight.oldest().map(|packet| packet.info)), (1200, Some('i')));
        assert!(flight.oldest().is_none());
    }

    proptest! {
        /// After any calls the bytes are those of the packets added and not taken out.
        #[test]
        fn bytes_are_conserved(calls in prop::collection::vec((0..4_u8, 0..6_u64, 1..4_u32), 0..200)) {
            let (origin, mut flight, mut left) = (origin(), Flight::new(), 0_u64);
            for (i, (call, pn, bytes)) in calls.into_iter().enumerate() {
                let at = |ms: usize| origin + Duration::from_millis(ms as u64);
                let taken = match call {
                    0 => {
                        left += u64::from(bytes);
                        flight.add(Packet { pn, sent: at(i), bytes, info: () });
                        None
                    }
                    1 => flight.acked(pn, at(i.saturating_sub(1))),
                    2 => flight.lost(pn, bytes),
                    _ => flight.oldest(),
                };
                left -= taken.map_or(0, |packet| u64::from(packet.bytes));
                prop_assert_eq!(flight.bytes(), left);
            }
        }
    }
}
