//! The packets of one packet-number space, in the order of their numbers.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use super::packet::{NumberSpace, SentPacket};
use crate::time::{Span, Time};

/// Limit on the packets that a space keeps: memory is bounded even if a caller never resolves one.
pub(super) const MAX_TRACKED: usize = 1 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    InFlight,
    Acknowledged,
    /// Lost or discarded: out of flight for good.
    Gone,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) space: NumberSpace,
    pub(super) number: u64,
    pub(super) tx: u64,
    pub(super) sent_at: Time,
    pub(super) bytes: u32,
    pub(super) state: State,
    pub(super) app_limited: bool,
    pub(super) mtu_probe: bool,
    /// The sender's own MAC gave it up.
    pub(super) link_failure: bool,
}

/// Consecutive losses, for persistent congestion (RFC 9002, sec. 7.6).
#[derive(Clone, Copy, Debug)]
struct Run {
    first_sent: Time,
    last_number: u64,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Space {
    entries: VecDeque<Entry>,
    in_flight: u32,
    last_number: Option<u64>,
    /// Time at which the newest packet was sent.
    pub(super) last_sent: Time,
    pub(super) largest_acked: Option<u64>,
    /// The highest acknowledged number that is no longer among the entries.
    forgotten_ack: Option<u64>,
    run: Option<Run>,
}

impl Space {
    /// The number of packets in flight.
    pub(super) fn in_flight(&self) -> u32 {
        self.in_flight
    }

    /// The highest number sent.
    #[inline]
    pub(super) fn last_number(&self) -> Option<u64> {
        self.last_number
    }

    /// The packet with this number, if it is kept.
    #[inline]
    pub(super) fn get(&self, number: u64) -> Option<&Entry> {
        self.entries.get(self.index(number)?)
    }

    /// The packets that are kept, in the order of their numbers.
    pub(super) fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter()
    }

    /// True if the space takes this number: numbers only rise.
    pub(super) fn accepts(&self, number: u64) -> bool {
        self.last_number.is_none_or(|last| number > last)
    }

    /// Adds a packet. Returns the oldest one if it was in flight and had to make room.
    pub(super) fn push(&mut self, packet: &SentPacket, tx: u64) -> Option<Entry> {
        let forced = if self.entries.len() >= MAX_TRACKED {
            let forced = self.resolve(0, State::Gone);
            self.trim();
            forced
        } else {
            None
        };
        self.entries.push_back(Entry {
            space: packet.id.space,
            number: packet.id.number,
            tx,
            sent_at: packet.now,
            bytes: packet.bytes,
            state: State::InFlight,
            app_limited: packet.app_limited,
            mtu_probe: packet.mtu_probe,
            link_failure: false,
        });
        self.in_flight += 1;
        self.last_number = Some(packet.id.number);
        self.last_sent = packet.now;
        forced
    }

    /// Index of the first entry whose number is not below `number`.
    #[inline]
    fn lower_bound(&self, number: u64) -> usize {
        let Some(front) = self.entries.front() else { return 0 };
        let Some(ahead) = number.checked_sub(front.number) else { return 0 };
        // Numbers rise by at least one, so that the entry is here or before; with no number
        // skipped, exactly here.
        let most = usize::try_from(ahead).unwrap_or(usize::MAX).min(self.entries.len());
        match self.entries.get(most) {
            Some(entry) if entry.number == number => most,
            _ => self.entries.partition_point(|entry| entry.number < number),
        }
    }

    fn index(&self, number: u64) -> Option<usize> {
        let index = self.lower_bound(number);
        self.entries.get(index).is_some_and(|entry| entry.number == number).then_some(index)
    }

    /// Takes an entry out of flight; `None` if it is not in flight.
    #[inline]
    fn resolve(&mut self, index: usize, state: State) -> Option<Entry> {
        let entry = self.entries.get_mut(index)?;
        if entry.state != State::InFlight {
            return None;
        }
        entry.state = state;
        self.in_flight -= 1;
        Some(*entry)
    }

    /// Forgets the resolved entries before the first packet in flight.
    #[inline]
    pub(super) fn trim(&mut self) {
        while let Some(entry) = self.entries.front()
            && entry.state != State::InFlight
        {
            if entry.state == State::Acknowledged {
                self.forgotten_ack = Some(entry.number);
            }
            self.entries.pop_front();
        }
    }

    /// Takes the packets of a range that are in flight out of flight, as acknowledged, and passes
    /// each to `each`.
    #[inline]
    pub(super) fn acknowledge(&mut self, range: &RangeInclusive<u64>, mut each: impl FnMut(Entry)) {
        // Numbers that were never sent acknowledge nothing.
        let Some(last) = self.last_number.map(|last| last.min(*range.end())) else { return };
        if *range.start() > last {
            return;
        }
        self.largest_acked = self.largest_acked.max(Some(last));
        let mut index = self.lower_bound(*range.start());
        while self.entries.get(index).is_some_and(|entry| entry.number <= last) {
            if let Some(entry) = self.resolve(index, State::Acknowledged) {
                each(entry);
            }
            index += 1;
        }
    }

    /// Takes a packet out of flight, as lost or discarded; `None` if it is not in flight.
    pub(super) fn remove(&mut self, number: u64) -> Option<Entry> {
        self.resolve(self.index(number)?, State::Gone)
    }

    /// Takes all packets out of flight and passes each to `each`.
    pub(super) fn remove_all(&mut self, mut each: impl FnMut(Entry)) {
        for index in 0..self.entries.len() {
            if let Some(entry) = self.resolve(index, State::Gone) {
                each(entry);
            }
        }
    }

    /// Marks a packet as given up by the sender's own MAC.
    pub(super) fn mark(&mut self, number: u64) {
        if let Some(index) = self.index(number) {
            self.entries[index].link_failure = true;
        }
    }

    /// The packets in flight below the largest acknowledged number, oldest first.
    pub(super) fn overtaken(&self) -> impl Iterator<Item = &Entry> {
        let largest = self.largest_acked.unwrap_or(0);
        let before = self.entries.iter().take_while(move |entry| entry.number < largest);
        before.filter(|entry| entry.state == State::InFlight)
    }

    /// Records the loss of a packet that [`remove`](Self::remove) took out of flight, before
    /// [`trim`](Self::trim). Returns the time between the first and the last packet of the run of
    /// losses that it ends: one in which the peer acknowledged nothing.
    pub(super) fn extend_run(&mut self, lost: &Entry) -> Span {
        let first_sent = match self.run {
            Some(run) if lost.number <= run.last_number => return Span::ZERO,
            Some(run) if !self.acknowledged_between(run.last_number, lost.number) => run.first_sent,
            _ => lost.sent_at,
        };
        self.run = Some(Run { first_sent, last_number: lost.number });
        lost.sent_at.since(first_sent)
    }

    /// The run of losses has been answered.
    pub(super) fn end_run(&mut self) {
        self.run = None;
    }

    fn acknowledged_between(&self, low: u64, high: u64) -> bool {
        if self.forgotten_ack.is_some_and(|ack| ack > low && ack < high) {
            return true;
        }
        let between = self.entries.range(self.lower_bound(low)..self.lower_bound(high));
        between.into_iter().any(|entry| entry.state == State::Acknowledged)
    }
}
