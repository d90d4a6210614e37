//! A plain link: a constant rate and delay behind a drop-tail queue, and nothing that changes.
//!
//! Nothing that happens later matters to a packet that it takes: when its transmission begins and
//! ends, its fate, its arrival. So a packet goes straight onto the wire, and there is no queue. A
//! packet on the wire still waits until the one before it has been transmitted, which is one delay
//! before that one arrives.

use std::collections::VecDeque;

use atl_core::time::Time;

use super::{Link, Slot};
use crate::counters::Counters;
use crate::loss::Fate;
use crate::packet::Packet;
use crate::plain::Plain;
use crate::service::Transmitter;

impl<P: Packet> Link<P> {
    /// [`Link::offer`] of a plain link, which transmits at a constant rate.
    pub(super) fn offer_plainly(&mut self, now: Time, packet: P) -> Result<(), P> {
        let bytes = packet.wire_bytes();
        match self.begin_plainly(now, bytes) {
            Some((arrive, fate)) => {
                self.append(Slot { arrive, fate, packet });
                Ok(())
            }
            None => {
                self.counters.offered += 1;
                self.counters.dropped += 1;
                Err(packet)
            }
        }
    }

    /// [`Link::takes`] of a plain link.
    #[inline(always)]
    pub(super) fn takes_plainly(&mut self, now: Time, packet: &P) -> bool
    where
        P: Copy,
    {
        let Some((arrive, fate)) = self.begin_plainly(now, packet.wire_bytes()) else {
            return false;
        };
        self.append(Slot { arrive, fate, packet: *packet });
        true
    }

    /// The arrival and the fate of a packet that enters a plain link; `None` if there is no room.
    #[inline(always)]
    fn begin_plainly(&mut self, now: Time, bytes: u32) -> Option<(Time, Fate)> {
        let (Some(plain), Transmitter::Constant(constant)) =
            (&mut self.plain, &mut self.transmitter)
        else {
            return None;
        };
        plain.seen = now;
        let idle = self.free_at <= now;
        if !idle && self.wire.len() - plain.begun >= plain.room {
            plain.begun = begun(&self.wire, *plain);
            if self.wire.len() - plain.begun >= plain.room {
                return None;
            }
        }
        self.counters.offered += 1;
        self.counters.transmitted_bytes += u64::from(bytes);
        let from = if idle { now } else { self.free_at };
        let end = constant.transmit(from, f64::from(bytes), idle);
        self.free_at = end;
        let arrive = end.saturating_add(plain.delay);
        let fate = self.draw(from, end, bytes);
        if fate == Fate::Damaged {
            self.damages.extend(self.loss.damage());
        }
        Some((arrive, fate))
    }

    /// Packets on the wire that are waiting, as of the last call; none of a link that has a queue.
    #[inline]
    pub(super) fn waiting_on_wire(&self) -> usize {
        self.plain.map_or(0, |plain| self.wire.len() - begun(&self.wire, plain))
    }

    /// The counters without what is yet to be transmitted. A plain link transmits all that it
    /// takes, and does not count that apart.
    pub(super) fn counted(&self) -> Counters {
        if self.plain.is_none() {
            return self.counters;
        }
        let Counters { offered, dropped, transmitted_bytes, .. } = self.counters;
        let waiting = self.waiting_on_wire();
        let later = self.wire.range(self.wire.len() - waiting..);
        let bytes: u64 = later.map(|slot| u64::from(slot.packet.wire_bytes())).sum();
        Counters {
            transmitted: offered - dropped - waiting as u64,
            transmitted_bytes: transmitted_bytes - bytes,
            ..self.counters
        }
    }
}

/// The packets on the wire of a plain link that are not waiting as of the last call.
#[cold]
fn begun<P>(wire: &VecDeque<Slot<P>>, plain: Plain) -> usize {
    let arrives = plain.seen.saturating_add(plain.delay);
    // Without a search in the usual case, in which none waits.
    if wire.len() < 2 || wire[wire.len() - 2].arrive <= arrives {
        return wire.len();
    }
    // The first one never waits: the one before it has arrived.
    1 + wire.partition_point(|slot| slot.arrive <= arrives)
}
