//! The notes of a path: what is in flight, under the numbers that noq gives.

use std::ops::RangeInclusive;

use atl_core::time::{Span, Time};
use atl_core::window::Controller;
use atl_core::window::ledger::{Ledger, LedgerConfig, NumberSpace, PacketId, SentPacket};

use crate::aside::{Aside, Packet};

/// Sequences of rising numbers. They are three as QUIC's spaces are, and need not be the same.
pub(crate) const SEQUENCES: [NumberSpace; 3] =
    [NumberSpace::Initial, NumberSpace::Handshake, NumberSpace::Data];

/// The fate of a packet that noq reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// One of the controller's.
    Noted(PacketId),
    /// One that does not concern the controller. It has left the flight.
    Aside(Packet),
}

/// See [the module](self).
#[derive(Clone, Debug)]
pub(crate) struct Notes {
    pub(crate) ledger: Ledger<Controller>,
    pub(crate) aside: Aside,
    /// Counts the controller's restarts: packet numbers of earlier generations are no longer valid.
    pub(crate) generation: u32,
    /// Bytes of headers that noq does not count.
    header_bytes: u32,
    acked: [Vec<RangeInclusive<u64>>; 3],
    /// The newest acknowledged number.
    newest: Option<(u64, Time)>,
    lost: Vec<PacketId>,
}

impl Notes {
    pub(crate) fn new(controller: Controller, packet_bytes: u32, header_bytes: u32) -> Self {
        Notes {
            ledger: ledger(controller, packet_bytes),
            aside: Aside::default(),
            generation: 0,
            header_bytes,
            acked: Default::default(),
            newest: None,
            lost: Vec::new(),
        }
    }

    /// The controller is replaced: nothing in flight concerns the new one.
    pub(crate) fn begin(&mut self, controller: Controller, packet_bytes: u32) {
        let old = std::mem::replace(&mut self.ledger, ledger(controller, packet_bytes));
        for packet in old.all_outstanding() {
            let bytes = packet.bytes - self.header_bytes;
            self.aside.insert(
                packet.id.number,
                Packet { sent_at: packet.sent_at, bytes, probe: false, full: false },
            );
        }
        self.generation += 1;
        self.acked = Default::default();
        self.lost.clear();
    }

    /// A packet of `bytes` bytes, without headers below QUIC, leaves. `None` if its number fits
    /// nowhere: noq does not send such packets.
    pub(crate) fn on_sent(
        &mut self,
        now: Time,
        number: u64,
        bytes: u16,
        app_limited: bool,
        mtu_probe: bool,
    ) -> Option<PacketId> {
        let takes =
            |space: &NumberSpace| self.ledger.last_number(*space).is_none_or(|last| number > last);
        let id = PacketId::new(SEQUENCES.into_iter().find(takes)?, number);
        let wire = u32::from(bytes) + self.header_bytes;
        let packet = SentPacket::new(now, id, wire).app_limited(app_limited).mtu_probe(mtu_probe);
        self.ledger.on_sent(&packet)?;
        Some(id)
    }

    /// The packet that noq reports as acknowledged.
    pub(crate) fn find_acked(&mut self, number: u64, sent_at: Time) -> Option<Found> {
        self.noted(number, |at, _| at == sent_at)
            .map(Found::Noted)
            .or_else(|| {
                self.aside.take(number, |packet| packet.sent_at == sent_at).map(Found::Aside)
            })
            // One of another space with the same number was taken for it when it was lost.
            .or_else(|| self.noted(number, |_, _| true).map(Found::Noted))
            .or_else(|| self.aside.take(number, |_| true).map(Found::Aside))
    }

    /// The packet that noq reports as lost.
    pub(crate) fn find_lost(&mut self, number: u64, bytes: u16) -> Option<Found> {
        let wire = u32::from(bytes) + self.header_bytes;
        self.noted(number, |_, size| size == wire).map(Found::Noted).or_else(|| {
            let packet = self.aside.take(number, |packet| packet.bytes == u32::from(bytes));
            packet.map(Found::Aside)
        })
    }

    /// The oldest packet in flight with this number, send time and bytes, that is not among those
    /// reported already.
    fn noted(&self, number: u64, is_it: impl Fn(Time, u32) -> bool) -> Option<PacketId> {
        let same = SEQUENCES
            .into_iter()
            .filter_map(|space| self.ledger.outstanding(PacketId::new(space, number)));
        same.filter(|packet| is_it(packet.sent_at, packet.bytes))
            .filter(|packet| !self.is_reported(packet.id))
            .min_by_key(|packet| packet.sent_at)
            .map(|packet| packet.id)
    }

    /// True if the packet waits for the end of its batch.
    fn is_reported(&self, id: PacketId) -> bool {
        self.acked[id.space as usize].last().is_some_and(|range| range.contains(&id.number))
            || self.lost.last().is_some_and(|lost| *lost == id)
    }

    /// Adds an acknowledged packet to the batch.
    pub(crate) fn add_acked(&mut self, id: PacketId, sent_at: Time) {
        let ranges = &mut self.acked[id.space as usize];
        match ranges.last_mut() {
            Some(last) if last.end() + 1 == id.number => *last = *last.start()..=id.number,
            _ => ranges.push(id.number..=id.number),
        }
        if self.newest.is_none_or(|(_, at)| sent_at >= at) {
            self.newest = Some((id.number, sent_at));
        }
    }

    /// Reports the batch of acknowledgments to the controller. `largest` is the largest number that
    /// is acknowledged in their space: only its packet gives an RTT sample (RFC 9002, sec. 5.1).
    /// Returns the number of packets.
    pub(crate) fn end_acks(&mut self, now: Time, largest: Option<u64>) -> u32 {
        let mut packets = 0;
        for space in SEQUENCES {
            let mut ranges = std::mem::take(&mut self.acked[space as usize]);
            if ranges.is_empty() {
                continue;
            }
            // A number beyond all that is acknowledged now, and in flight nowhere, withholds the
            // sample.
            if let Some(largest) = largest
                && self.ledger.outstanding(PacketId::new(space, largest)).is_none()
            {
                ranges.push(largest..=largest);
            }
            packets += self.ledger.on_ack_ranges(now, space, ranges.drain(..), Span::ZERO).packets;
            self.acked[space as usize] = ranges;
        }
        self.newest = None;
        packets
    }

    /// Adds a lost packet to the batch.
    pub(crate) fn add_lost(&mut self, id: PacketId) {
        self.lost.push(id);
    }

    /// Reports the batch of losses to the controller. Returns the number of packets.
    pub(crate) fn end_losses(&mut self, now: Time, persistent: bool) -> u32 {
        let lost = std::mem::take(&mut self.lost);
        let packets = lost.len() as u32;
        self.ledger.on_lost_judged(now, lost.iter().copied(), persistent);
        self.lost = lost;
        self.lost.clear();
        packets
    }

    /// Losses for which no congestion event came are of packets that another controller has sent,
    /// before a migration. They leave the flight.
    pub(crate) fn forget_losses(&mut self) {
        for id in std::mem::take(&mut self.lost) {
            self.ledger.on_discarded(id);
        }
    }

    /// Settles with the bytes that noq counts in flight: packets noted beyond them have left the
    /// flight without a report. Returns the number of packets. noq also counts packets that elicit
    /// no acknowledgment and are padded, so a few may stay noted until those are resolved.
    pub(crate) fn settle(&mut self, now: Time, bytes_in_flight: u64) -> u32 {
        let mut settled = 0;
        loop {
            let excess = self.bytes_in_flight().saturating_sub(bytes_in_flight);
            if excess == 0 || !self.settle_one(now, excess) {
                return settled;
            }
            settled += 1;
        }
    }

    fn settle_one(&mut self, now: Time, excess: u64) -> bool {
        let most = excess + u64::from(self.header_bytes);
        let fits = self.ledger.all_outstanding().filter(|packet| u64::from(packet.bytes) <= most);
        // A packet sent at this instant is certainly still in flight.
        let fits = fits.filter(|packet| packet.sent_at < now);
        let noted = fits.min_by_key(|packet| (!packet.mtu_probe, packet.sent_at));
        let aside = self.aside.oldest(excess);
        match (noted, aside) {
            (Some(noted), aside)
                if noted.mtu_probe
                    || aside.is_none_or(|(_, packet)| noted.sent_at <= packet.sent_at) =>
            {
                self.ledger.on_discarded(noted.id);
                true
            }
            (_, Some((number, packet))) => {
                self.aside.take(number, |other| *other == packet).is_some()
            }
            (_, None) => false,
        }
    }

    /// Packets in flight.
    pub(crate) fn in_flight(&self) -> u32 {
        self.ledger.in_flight() + self.aside.len()
    }

    /// Their bytes, as noq counts.
    pub(crate) fn bytes_in_flight(&self) -> u64 {
        let headers = u64::from(self.header_bytes) * u64::from(self.ledger.in_flight());
        self.ledger.bytes_in_flight() - headers + self.aside.bytes()
    }
}

fn ledger(controller: Controller, packet_bytes: u32) -> Ledger<Controller> {
    Ledger::new(controller, LedgerConfig::default().packet_bytes(packet_bytes))
}
